// The language of the page: English, or Hungarian where that is chosen. The choice is in the address and kept.
const KEY = "dragon-ulti-language";

function chosen() {
  const there = new URLSearchParams(location.search).get("language");
  try {
    return there || localStorage.getItem(KEY) || "en";
  } catch { // no storage is allowed here
    return there || "en";
  }
}

export const LANGUAGE = chosen() === "hu" ? "hu" : "en";

/** Turns to the other language: a new page. */
export function turned(language) {
  try {
    localStorage.setItem(KEY, language);
  } catch { /* the address holds it */ }
  const address = new URL(location.href);
  if (language === "en") address.searchParams.delete("language");
  else address.searchParams.set("language", language);
  location.assign(address);
}

/** A text in the language of the page, with values in the place of its {names}. */
export function t(text, values = {}) {
  const found = LANGUAGE === "hu" ? HUNGARIAN[text] ?? text : text;
  return found.replace(/{(\w+)}/g, (_, name) => values[name]);
}

const HUNGARIAN = {
  hearts: "piros", leaves: "zöld", acorns: "makk", bells: "tök",
  seven: "hetes", eight: "nyolcas", nine: "kilences", ten: "tízes", under: "alsó", over: "felső", king: "király", ace: "ász",
  "{rank} of {suit}": "{suit} {rank}",
  Declarer: "Felvevő", "Defender 1": "1. védő", "Defender 2": "2. védő", Talon: "Talon",
  "Party without trump": "Parti adu nélkül", Party: "Parti", "Four aces": "Négy ász", "Plain durchmars": "Színtelen durchmars",
  "Trump durchmars": "Színes durchmars", "Four tens": "Négy tízes", Rebetli: "Rebetli", Redurchmars: "Redurchmars", " and ": " és ",
  "Deals with open cards solved: every contract, every trump, every card. And what to bid when they are closed.": "Nyílt lapos osztások megoldva: minden bemondás, minden adu, minden lap. És hogy mit mondjon be, ha zártak.",
  "Copy the link": "A link másolása", Copied: "Másolva", "Copy the address above": "Másolja a fenti címet",
  "The link has been copied.": "A link a vágólapon van.", "The browser does not let pages copy here; copy the address of this page.": "A böngésző itt nem enged másolni; másolja az oldal címét.",
  "Open cards": "Nyílt lapok", "A closed hand": "Zárt kéz", "Open or closed cards": "Nyílt vagy zárt lapok",
  points: "pont", "no hand": "senki", "not dealt": "senkié", ", played": ", kijátszva", ", takes the trick": ", viszi az ütést",
  // the deal
  "Who gets the cards that are clicked": "Kié legyen a lap, amelyre kattint", "The deck": "A pakli", "The deal": "Az osztás",
  "The deal as text": "Az osztás szövege", "Three hands with / between, the 61 digits of a link, a link, or JSON": "Három kéz / jellel elválasztva, egy link 61 számjegye, egy link vagy JSON",
  "Say who gets cards, then click them. With the keyboard: arrows move, D, 1, 2 and T give, Delete takes back.": "Válassza ki, kié a lap, aztán kattintson rá. Billentyűzettel: a nyilak léptetnek, D, 1, 2 és T ad, Delete visszaveszi.",
  "Deal the rest": "A többi szétosztása", Clear: "Törlés", "Edit the deal": "Az osztás szerkesztése", "Random deal": "Véletlen osztás",
  "The real rules": "Az igazi szabályok", "Those of the original program": "Az eredeti programéi", "A new deal.": "Új osztás.",
  "{who} has {n} too many": "{who}: {n} lappal több", "{who} needs {n} more": "{who}: még {n} lap kell",
  "the talon has two cards, or none yet": "a talonban két lap van, vagy még egy sem", "Every seat needs as many cards as the others.": "Mindenkinél ugyanannyi lap legyen.",
  "This deal cannot be read; it is open for editing above.": "Ez az osztás nem olvasható; fent szerkeszthető.",
  "No answer yet": "Még nincs válasz", "Ready-made deals": "Kész osztások", "One for each contract": "Minden bemondáshoz egy", "Famous ones": "A híresek",
  // answers
  "nothing else": "mással nem", "Bid together with": "Ezzel együtt bemondva", Rules: "Szabályok", "Whatever the declarer holds": "Bármi van is a felvevőnél",
  "Random deals on which this can be bid": "Csak olyan véletlen osztás, amelyen ez bemondható", "What is played": "Amit játszanak",
  "{n} of 31 can be made.": "31-ből {n} van meg.", "✓ made  ✗ fails  – cannot be bid: the hand lacks what the contract asks for": "✓ megvan  ✗ elbukik  – nem mondható be: hiányzik hozzá valami",
  "cannot be bid": "nem mondható be", "is made": "megvan", fails: "elbukik", made: "megvan", "is unknown: out of time": "nem tudni: lejárt az idő", unknown: "nem tudni", "not known yet": "még nem tudni",
  ": {n} units of the {need} needed": ": {n} egység a szükséges {need} közül", "{n} nodes, {seconds} s": "{n} csomópont, {seconds} mp", "{n} units": "{n} egység",
  "the contract is made": "a bemondás megvan", "the contract fails": "a bemondás elbukik", "A mistake": "Hiba", "; right: {cards}": "; jó: {cards}",
  "{who} to play; below each card what it leads to: ✓ made, ✗ fails. Click one to see what if.": "{who} jön; a lapok alatt, hogy mire vezetnek: ✓ megvan, ✗ elbukik. Kattintson egyre, és kiderül.",
  "{who} to play; below each card the units it leads to. Click one to see what if.": "{who} jön; a lapok alatt, hogy hány egységre vezetnek. Kattintson egyre, és kiderül.",
  "The contract is decided; {who} may play on.": "A bemondás eldőlt; {who} még játszhat.", "All cards are played.": "Minden lap kiment.",
  "to play": "jön", "To the start": "Az elejére", "One card back": "Egy lappal vissza", "One card on": "Egy lappal tovább", "To the end": "A végére", "Back to best play": "Vissza a legjobb játékhoz",
  Play: "Játék", "Along the line": "A lejátszásban", Contracts: "Bemondások", "Every contract, every trump": "Minden bemondás, minden aduval", "The line": "A lejátszás",
  Contract: "Bemondás", none: "nincs", "Contracts by trumps": "Bemondások aduk szerint", "The table": "Az asztal", "The trick": "Az ütés", "The line, trick by trick": "A lejátszás ütésenként", Trick: "Ütés",
  "Taken by": "Viszi", "In it": "Benne", "trump 7": "adu 7", "Decided in trick {round}: {how}": "A(z) {round}. ütésben eldőlt: {how}", "Decided from the start: {how}": "Kezdettől eldőlt: {how}", "aces: {n}": "ász: {n}", "tens: {n}": "tízes: {n}", "units: {n}": "egység: {n}",
  // advice
  "In the hand": "A kézben", "The hand as text": "A kéz szövege", "Ten cards, or twelve to find the best discard": "Tíz lap, vagy tizenkettő a legjobb skarthoz",
  "Take the declarer’s": "A felvevőé", "Random hand": "Véletlen kéz", "What is asked": "A kérdés", Trump: "Adu", Any: "Bármelyik", "All, also together": "Mind, együtt is",
  "Deals to look at": "Hány osztás", Discard: "Skart", "Of twelve": "Tizenkettőből", "Known of the defenders": "Amit a védőkről tudni", "Such as 1: HA, 2: not L": "Például 1: PA, 2: not Z",
  "Marriages count in parties": "Partiban számít a házaspár", "{n} of 10 cards, or of 12 with the talon.": "{n} lap a 10-ből, vagy talonnal a 12-ből.", "Dealing…": "Osztás…",
  "Still dealing: {seen} of {all} deals looked at; {many} are possible.": "Még oszt: {seen} osztás a(z) {all} közül; {many} lehetséges.", "{seen} of {all} deals looked at; {many} are possible.": "{seen} osztás a(z) {all} közül; {many} lehetséges.",
  ": made in {share} of deals if all cards lie open, worth {stakes} {unit}": ": ha minden lap nyílt, az osztások {share}-ában van meg, értéke {stakes} {unit}", " with {cards} discarded": " ha {cards} a talonba kerül",
  "At a table no player sees all cards or plays perfectly: compare bids by the percentage, it is not a promise. Several contracts at once are settled part by part.": "Asztalnál senki sem lát minden lapot, és nem játszik hibátlanul: a százalék a bemondások összevetésére jó, nem ígéret. Az együtt bemondottak részenként számítanak.",
  "Play with closed cards": "Játék zárt lapokkal", "Not played": "Nem kell", "The best bid, in so many deals": "A legjobb bemondás, ennyi osztásban",
  "Playing with closed cards: {n} of {all}.": "Zárt lapokkal játszik: {n} a(z) {all} közül.",
  "With closed cards {bid} is made in {made} of {n} deals (95 %: {low} to {high}), and in {open} of these if all cards lie open.": "Zárt lapokkal {bid}: {n} osztásból {made} van meg (95 %: {low} - {high}), ugyanezekből nyílt lapokkal {open}.",
  "{n} never made": "{n} sosem volt meg", "{n} cannot be bid": "{n} nem mondható be", "What to bid": "Mit mondjon be", "Which two to discard": "Melyik kettőt tegye le", "Best bid": "Legjobb bemondás",
  "Made, open": "Nyíltan", Stakes: "Tét", "95 %": "95 %", Discards: "Skartok", "Contracts by what they are worth": "Bemondások értékük szerint", "from {low} to {high}": "{low} és {high} között",
  "The hand": "A kéz",
};
