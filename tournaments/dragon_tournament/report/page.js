"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const data = JSON.parse($("games-data").textContent);
  const [box, select, image, plain, caption, list, slider, play] = [
    "replay", "game", "board-image", "board-text", "caption", "moves", "ply", "play",
  ].map($);
  let game = data.games[0], ply = 0, timer = 0;

  const drawing = (runs) => {
    let text = "";
    for (let i = 0; i < runs.length; i += 2) {
      text += data.pieces.slice(runs[i], runs[i + 1]).join("");
    }
    return text;
  };
  const player = (seat) => (seat < 0 ? "chance" : data.names[game.seats[seat]]);
  const drawn = (button, label, path) => {
    button.setAttribute("aria-label", label);
    button.querySelector("path").setAttribute("d", path);
  };
  const last = () => game.frames.length - 1;

  function show(to) {
    ply = Math.max(0, Math.min(last(), to));
    const text = drawing(game.frames[ply]);
    image.hidden = game.text;
    plain.hidden = !game.text;
    if (game.text) {
      plain.textContent = text;
    } else {
      image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(text);
      image.alt = "Position after ply " + ply + ": " + game.notations[ply];
    }
    const small = document.createElement("small");
    small.textContent = game.notations[ply];
    const given = ply > 0 && ply <= game.given ? " (opening)" : "";
    const told = ply === 0
      ? "Start of " + game.game
      : ply + ". " + game.moves[ply - 1] + " by " + player(game.movers[ply - 1]) + given;
    const end = ply === last() ? " — " + (game.note || game.result) : "";
    caption.replaceChildren(told + end, small);
    slider.value = ply;
    slider.setAttribute("aria-valuetext", told);
    const before = list.querySelector("[aria-current]");
    if (before) before.removeAttribute("aria-current");
    const now = list.children[ply] && list.children[ply].firstChild;
    if (now) {
      now.setAttribute("aria-current", "step");
      const item = now.parentNode;
      if (item.offsetTop < list.scrollTop) list.scrollTop = item.offsetTop;
      const below = item.offsetTop + item.offsetHeight - list.clientHeight;
      if (below > list.scrollTop) list.scrollTop = below;
    }
  }

  function entry(number, text, who) {
    const item = document.createElement("li"), button = document.createElement("button");
    button.type = "button";
    button.tabIndex = -1;
    button.dataset.ply = number;
    for (const word of [number || "", text, who]) {
      const span = document.createElement("span");
      span.textContent = word;
      button.append(span);
    }
    item.append(button);
    return item;
  }

  function open(number) {
    stop();
    game = data.games[number];
    slider.max = last();
    list.replaceChildren(
      entry(0, "start", ""),
      ...game.moves.map((move, i) => entry(i + 1, move, player(game.movers[i]))),
    );
    list.scrollTop = 0;
    show(0);
  }

  function stop() {
    clearInterval(timer);
    timer = 0;
    drawn(play, "Play", "M7 4l12 8-12 8z");
  }

  function toggle() {
    if (timer) return stop();
    if (ply === last()) show(0);
    drawn(play, "Pause", "M7 5h3v14H7zM14 5h3v14h-3z");
    timer = setInterval(() => {
      show(ply + 1);
      if (ply === last()) stop();
    }, 900);
  }

  const step = (to) => { stop(); show(to); };
  const keys = {
    ArrowLeft: () => ply - 1, ArrowRight: () => ply + 1, Home: () => 0, End: () => last(),
  };
  document.addEventListener("keydown", (event) => {
    const own = box.contains(event.target) || event.target === document.body;
    const native = event.target === select || event.target === slider;
    if (!own || native || event.altKey || event.ctrlKey || event.metaKey) return;
    if (!(event.key in keys)) return;
    if (event.target === document.body && !event.key.startsWith("Arrow")) return;
    event.preventDefault();
    step(keys[event.key]());
  });
  $("first").addEventListener("click", () => step(0));
  $("back").addEventListener("click", () => step(ply - 1));
  $("next").addEventListener("click", () => step(ply + 1));
  $("last").addEventListener("click", () => step(last()));
  play.addEventListener("click", toggle);
  slider.addEventListener("input", () => step(Number(slider.value)));
  select.addEventListener("change", () => open(Number(select.value)));
  list.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button) step(Number(button.dataset.ply));
  });
  open(0);
})();
