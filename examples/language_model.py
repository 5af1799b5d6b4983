"""A language model as a player of any game: a program for the search `lines` of dragon.

It asks an HTTP address in the form of chat completions that most servers know, those at home too.
Nothing is sent anywhere unless --url names the address. In a tournament:

    [[player]]
    name = "model"
    search = "lines"
    patience = 120
    command = ["python", "language_model.py", "--url", "http://localhost:8080/v1/chat/completions"]

An answer without a legal move is sent back with the reason, and asked for again; after --tries such
answers --illegal decides. A server that is busy or out of reach is asked again after 1, 2, 4 ...
seconds. Everything that was said is added to --transcript, a line of JSON for each answer.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import random
import sys
import time
import urllib.error
import urllib.request
from typing import Any

SYSTEM = (
    "You play a game. Each message has the position as you see it and your legal moves. Think as "
    'long as you like, then end with a line of the form "move: M", where M is one legal move, '
    "written exactly as in the list."
)
BUSY = {408, 425, 429, 500, 502, 503, 504}
"""The codes of HTTP that mean: ask again later."""


def arguments() -> argparse.Namespace:
    """Return what was given on the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--url", help="the address that is asked; nothing is sent without it")
    add("--model", default="", help="the name of the model, where the server has several")
    add("--key", metavar="NAME", help="the environment variable that holds the server's key")
    add("--rules", metavar="FILE", help="a text that explains the game, sent first")
    add("--tries", type=int, default=3, help="answers for a move, until one is legal (3)")
    add(
        "--illegal",
        choices=["resign", "random", "play"],
        default="resign",
        help="after that: give up, draw a legal move, or play what was said (resign)",
    )
    add("--retries", type=int, default=5, help="calls for an answer that does not come (5)")
    add("--timeout", type=float, default=60.0, help="seconds for an answer (60)")
    add("--temperature", type=float, help="that of the model, where the server knows it")
    add("--transcript", metavar="FILE", help="a file to which all that is said is added")
    given = parser.parse_args()
    if not given.url:
        parser.error("--url is missing; give the address of your server, for nothing is sent else")
    if not given.url.startswith(("http://", "https://")):
        parser.error(f"--url {given.url} has to begin with http:// or https://")
    if given.tries < 1 or given.retries < 1:
        parser.error("--tries and --retries are at least 1")
    if given.key and given.key not in os.environ:
        parser.error(f"--key {given.key}: no such environment variable; export it first")
    return given


def question(request: dict[str, Any]) -> str:
    """Return a request for a move in words.

    >>> print(question({"seat": 0, "seats": 2, "position": "5 A", "moves": ["1", "2"]}))
    You are player 1 of 2.
    Position: 5 A
    Legal moves: 1, 2
    """
    said = [f"You are player {request['seat'] + 1} of {request['seats']}."]
    if request.get("game"):
        said.append(f"Game: {request['game']}")
    if request.get("played"):
        said.append(f"Moves so far: {' '.join(request['played'])}")
    said.append(f"Position: {request['position']}")
    return "\n".join([*said, f"Legal moves: {', '.join(request['moves'])}"])


def named(text: str) -> str:
    """Return the move that an answer names in its last line with `move:`; empty without one.

    >>> named("I take the middle.\\n**Move: `b2`.**")
    'b2'
    """
    lines = [line for line in text.splitlines() if "move:" in line.lower()]
    if not lines:
        return ""
    at = lines[-1].lower().rindex("move:") + len("move:")
    return lines[-1][at:].lstrip("*`\"' ").rstrip("*`\"' .")


def legal(move: str, moves: list[str]) -> str | None:
    """Return a legal move as the game writes it; letters may differ in case where that is clear."""
    alike = [each for each in moves if each.lower() == move.lower()]
    return move if move in moves else alike[0] if len(alike) == 1 else None


def ask(messages: list[dict[str, str]], given: argparse.Namespace) -> str:
    """Return the model's answer; end the program with a sentence where none comes."""
    body: dict[str, Any] = {"messages": messages}
    body |= {"model": given.model} if given.model else {}
    body |= {} if given.temperature is None else {"temperature": given.temperature}
    headers = {"Content-Type": "application/json"}
    if given.key:
        headers["Authorization"] = f"Bearer {os.environ[given.key]}"
    wrong = ""
    for attempt in range(given.retries):
        if attempt:
            time.sleep(2 ** (attempt - 1))
        asked = urllib.request.Request(given.url, json.dumps(body).encode(), headers)
        begun = time.monotonic()
        try:
            with urllib.request.urlopen(asked, timeout=given.timeout) as response:
                found = json.load(response)
            text = found["choices"][0]["message"]["content"] or ""
        except urllib.error.HTTPError as error:
            wrong = f"{error.code} {error.reason}"
            if error.code not in BUSY:
                break
        except (OSError, http.client.HTTPException) as error:
            wrong = str(error)
        except (ValueError, LookupError, TypeError):
            sys.exit(f"{given.url} does not answer as chat completions do; look at the address")
        else:
            if given.transcript:
                seconds = round(time.monotonic() - begun, 3)
                entry = {"messages": messages, "answer": text, "seconds": seconds}
                try:
                    with open(given.transcript, "a", encoding="utf-8") as file:
                        file.write(json.dumps(entry | {"usage": found.get("usage")}) + "\n")
                except OSError as error:
                    sys.exit(
                        f"--transcript {given.transcript}: {error.strerror}; give another path"
                    )
            return text
    sys.exit(f"{given.url} gave no answer: {wrong}")


def answer(request: dict[str, Any], given: argparse.Namespace, rules: str) -> dict[str, Any]:
    """Return the answer to a request."""
    messages = [
        {"role": "system", "content": f"{SYSTEM}\n\n{rules}".strip()},
        {"role": "user", "content": question(request)},
    ]
    said = ""
    for _ in range(given.tries):
        text = ask(messages, given)
        said = named(text)
        if (move := legal(said, request["moves"])) is not None:
            return {"move": move}
        reason = f'"{said}" is not a legal move.' if said else 'I see no line "move: M".'
        messages += [
            {"role": "assistant", "content": text},
            {"role": "user", "content": f"{reason} {question(request)}"},
        ]
    if given.illegal == "random":
        return {"move": random.Random(request["seed"]).choice(request["moves"])}
    return {"resign": True} if given.illegal == "resign" else {"move": said}


def main() -> None:
    """Answer each line of stdin by a line."""
    given, rules = arguments(), ""
    try:
        if given.rules:
            with open(given.rules, encoding="utf-8") as file:
                rules = file.read()
    except (OSError, ValueError) as error:
        sys.exit(f"--rules {given.rules} cannot be read ({error}); give a text file")
    for line in sys.stdin:
        try:
            reply = answer(json.loads(line), given, rules)
        except (ValueError, LookupError, TypeError):
            sys.exit(f"{line.strip()[:80]!r} is not a request; start this by the search `lines`")
        print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
