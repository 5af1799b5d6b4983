"""Hungarian of what is refused: each message of the plugin that a question can meet.

Parts of messages, such as where in a deal something stands, are entries of their own.
"""

from __future__ import annotations

REFUSALS = {
    # cards and hands
    "{text!r} is no card; write suit and rank, such as HA: suits are H L A B (hearts, leaves, "
    "acorns, bells) or P Z M T (piros, zöld, makk, tök), ranks 7 8 9 X U O K A (X is the ten)": (
        "{text!r} nem lap; szín és rang kell, például PA: a színek P Z M T (piros, zöld, makk, "
        "tök) vagy H L A B, a rangok 7 8 9 X U O K A (X a tízes, U az alsó, O a felső)"
    ),
    "{text!r} is no suit; write H, L, A or B (hearts, leaves, acorns, bells), or P, Z, "
    "M or T (piros, zöld, makk, tök)": (
        "{text!r} nem szín; P, Z, M vagy T kell (piros, zöld, makk, tök), vagy H, L, A, B"
    ),
    "{cards} is there more than once in {text!r}; a card is there once": (
        "{cards} többször is szerepel itt: {text!r}; minden lapból egy van"
    ),
    "{text!r} has {counted}; {what} has {wanted}{more}": (
        "{text!r}: {counted}; {what}: {wanted} lap{more}"
    ),
    "a hand": "egy kéz",
    "a discard": "a skart",
    "1 card": "1 lap",
    "{n} cards": "{n} lap",
    " or ": " vagy ",
    "; ten before the talon, twelve with it": "; talon nélkül tíz, talonnal tizenkettő",
    "{cards} cannot be discarded: {why}": "{cards} nem tehető le: {why}",
    "{card} is not in the hand": "{card} nincs a kézben",
    "only 12 cards have one": "csak 12 lapból van skart",
    # deals
    "the talon": "a talon",
    "the trick": "az ütés",
    "the cards played": "a kijátszott lapok",
    "a clause": "egy tagmondat",
    "hand {n}": "{n}. kéz",
    "{text!r} has 1 hand; three are needed, {remedy}": "{text!r}: 1 kéz; három kell, {remedy}",
    "{text!r} has {n} hands; three are needed, {remedy}": (
        "{text!r}: {n} kéz; három kell, {remedy}"
    ),
    'and "talon" beside them if it is known': 'és mellettük a "talon", ha ismert',
    "with / between them, and a fourth group for the talon if it is known": (
        "köztük / jellel, és negyediknek a talon, ha ismert"
    ),
    "{card} is held twice by {where} in {text!r}; a card is there once": (
        "{card} kétszer van itt: {where} ({text!r}); minden lapból egy van"
    ),
    "{card} is held by {other} and {where} in {text!r}; a card is there once": (
        "{card} itt is, ott is van: {other}, {where} ({text!r}); minden lapból egy van"
    ),
    "the hands of {text!r} are not of equal length, or longer than {size} ({counts}); "
    "give each seat {size} cards, or as many as are left": (
        "{text!r}: nem mindenkinél ugyanannyi lap van, vagy több, mint {size} ({counts}); "
        "mindenkinek {size} lap kell, vagy amennyi még megvan"
    ),
    "the talon of {text!r} has {n} cards; it has two, or leave it out": (
        "{text!r}: a talon {n} lap; kettő kell, vagy hagyja el"
    ),
    "{text!r} has {n} groups; write three hands and a talon": (
        "{text!r}: {n} csoport; három kéz kell és a talon"
    ),
    "deal={digits} {what}; a deal is 61 digits: the trump's, and suit and value of "
    "each of 30 cards": (
        "deal={digits}: {what}; egy osztás 61 számjegy: az adué, és a 30 lap színe és értéke"
    ),
    "has {odd!r} in it": "{odd!r} nem számjegy",
    "has {n} digits": "{n} számjegy",
    "deal={digits}: digit {n}, the trump, is {trump}; suits are 0 to 3": (
        "deal={digits}: a(z) {n}. számjegy, az adu, {trump}; a színek 0-tól 3-ig mennek"
    ),
    "deal={digits}: digits {one} and {two}, {pair}, are no card; a suit is 0 to 3 and "
    "a value 0 to 7": (
        "deal={digits}: a(z) {one}. és {two}. számjegy, {pair}, nem lap; a szín 0-tól 3-ig, "
        "az érték 0-tól 7-ig megy"
    ),
    "{deal} is no whole deal; the code has ten cards for each seat": (
        "{deal} nem teljes osztás; a kódban mindenkinek tíz lapja van"
    ),
    "{text!r} is not JSON: {why} at line {line}, column {column}": (
        "{text!r} nem JSON: {why}, {line}. sor, {column}. jel"
    ),
    "a deal in JSON is an object with lists in it, and no deeper": (
        "egy osztás JSON-ban egy objektum, benne listák, és nem mélyebb"
    ),
    '{text!r} has no "hands"; write {{"hands": [["HA", ...], [...], [...]]}}': (
        '{text!r}: nincs benne "hands"; így kell: {{"hands": [["HA", ...], [...], [...]]}}'
    ),
    "{where} of {text!r} is no list of cards": "{where} nem lapok listája ({text!r})",
    "{wrong} ({where} of {text!r})": "{wrong} ({where}, {text!r})",
    # contracts
    "there is no contract {word!r}{hint} ({known}; + joins several)": (
        "nincs ilyen bemondás: {word!r}{hint} ({known}; többet + köt össze)"
    ),
    "; did you mean {word!r}?": "; erre gondolt: {word!r}?",
    "{names!r} names {word} twice": "{names!r}: {word} kétszer szerepel",
    "{one} and {other} do not go together: one has a trump": (
        "{one} és {other} nem fér össze: csak az egyiknek van aduja"
    ),
    "{one} and {other} do not go together: cards rank {a} in one, {b} in the other": (
        "{one} és {other} nem fér össze: a lapok sorrendje {a} az egyikben, {b} a másikban"
    ),
    "betli and durchmars do not go together: no trick, and every trick": (
        "betli és durchmars nem fér össze: egy ütés sem, és minden ütés"
    ),
    "{contract} has no trump; leave trump={trump!r} out": (
        "{contract}: nincs aduja; hagyja el: trump={trump!r}"
    ),
    "marriages count in a party, and {contract} is none": (
        "házaspár partiban számít, és {contract} nem az"
    ),
    "marriages count in a party and not in a hundred; {contract} is both, so leave "
    "marriages=true or party out": (
        "házaspár partiban számít, százban nem; {contract} mindkettő, ezért hagyja el: "
        "marriages=true vagy party"
    ),
    "{game}: none of {n:,} deals can be made, even with open cards": (
        "{game}: {n:,} osztásból egy sincs meg, nyílt lapokkal sem"
    ),
    "{why}. That is so of {contract}, and all contracts are asked for; ask for one "
    "that can have come so far: dragon ulti solve ... --contract C": (
        "{why}. Ez a {contract} baja, és minden bemondás volt a kérdés; kérdezzen egyet, amely "
        "idáig juthatott: dragon ulti solve ... --contract C"
    ),
    # what is known of the defenders
    "{clause!r} in {text!r} does not say what a defender holds; write a seat, 1 or 2, "
    "and cards, as in '1: HA HX, 2: not L'": (
        "{clause!r} nem mondja meg, mi van egy védőnél ({text!r}); a helye kell, 1 vagy 2, és "
        "lapok, például '1: PA PX, 2: not Z'"
    ),
    "{card} is in your own hand ({clause!r})": "{card} a saját kezében van ({clause!r})",
    "{clause!r} does not say what is lacked; write a suit or cards": (
        "{clause!r} nem mondja meg, mi hiányzik; szín vagy lapok kellenek"
    ),
    "{text!r} says that {who} has {card}, and has not": (
        "{text!r} szerint {who}: {card} nála is van, meg nem is"
    ),
    "{text!r} gives {card} to both defenders": "{text!r} szerint {card} mindkét védőnél ott van",
    "no deal of {cards} fits what is known of the defenders: each has {size} of these "
    "cards; take something back": (
        "nincs ilyen osztás ezekből: {cards}, mert mindkét védőnél {size} van belőlük; "
        "vonjon vissza valamit"
    ),
    # positions, and what was played
    "after the hands write, with commas: lead 1: HA H7, units 3, made, failed, or played HA H7": (
        "a kezek után vesszővel ez állhat: lead 1: HA H7, units 3, made, failed, played HA H7"
    ),
    "{clause!r} in {text!r} is said twice; {hint}": (
        "{clause!r} kétszer szerepel ({text!r}); {hint}"
    ),
    "{clause!r} in {text!r} is not understood; {hint}": (
        "{clause!r} nem érthető ({text!r}); {hint}"
    ),
    "'lead {lead}' in {text!r} names no seat; {hint}": (
        "'lead {lead}' nem mond helyet ({text!r}); {hint}"
    ),
    "{text!r} says both made and failed": "{text!r} szerint megvan is, el is bukott",
    "the trick of {text!r} has {n} cards; with three it is over": (
        "{text!r}: az ütésben {n} lap van; hárommal vége"
    ),
    "'{word} {said}' in {text!r}: write a number from {least} to 20": (
        "'{word} {said}' ({text!r}): szám kell {least} és 20 között"
    ),
    "'pending {said}' in {text!r}: write two numbers from 0 to 10": (
        "'pending {said}' ({text!r}): két szám kell 0 és 10 között"
    ),
    "{key!r} in {text!r} is not understood ({known})": "{key!r} nem érthető ({text!r}; {known})",
    "{text!r} is a deal for {other}, but this game is {this}; give the game contract={other!r}": (
        "{text!r} osztás erre: {other}, de a játék: {this}; kell hozzá contract={other!r}"
    ),
    "{text!r} has a trump, and {contract} has none; leave it out": (
        "{text!r}: van benne adu, és {contract} adu nélküli; hagyja el"
    ),
    "lead {lead!r} in {text!r} is no seat; write 0, 1 or 2": (
        "lead {lead!r} nem hely ({text!r}); 0, 1 vagy 2 kell"
    ),
    "status {status!r} in {text!r}: write open, made or failed": (
        "status {status!r} ({text!r}): open, made vagy failed kell"
    ),
    "{text!r} speaks of marriages, which do not count here (see marriages=true)": (
        "{text!r} házaspárról szól, ami itt nem számít (lásd marriages=true)"
    ),
    "{text!r} cannot arise: {why}": "{text!r} nem állhat elő: {why}",
    "{text!r} cannot arise: {lacking}, so not a card is played "
    "(prerequisites=false sets that aside)": (
        "{text!r} nem állhat elő: {lacking}, így egy lap sem megy ki "
        "(prerequisites=false ezt mellőzi)"
    ),
    "all cards are there, so nothing has come": "minden lap megvan, tehát még semmi sem történt",
    "all cards are there, and the declarer leads to the first trick": (
        "minden lap megvan, és az első ütést a felvevő hívja"
    ),
    "no more than {most} can have been taken; {worth} of the aces and tens are still there": (
        "legfeljebb {most} lehet beütve; az ászokból és tízesekből {worth} még megvan"
    ),
    "{who} held {may} and might not play {card}": (
        "{who}: megvolt neki {may}, és nem játszhatta ki: {card}"
    ),
    "{text!r} counts units, which {contract} does not": (
        "{text!r} egységet számol, és {contract} nem arról szól"
    ),
    "{text!r} is decided, but units are counted to the last card; leave {word!r} out": (
        "{text!r} eldőlt, de az egység az utolsó lapig számít; hagyja el: {word!r}"
    ),
    "the game ends between tricks only": "a játék csak két ütés között ér véget",
    "{text!r} has no cards; say whether it was made or failed": (
        "{text!r}: nincsenek lapok; mondja meg, megvan-e (made) vagy elbukott (failed)"
    ),
    "{text!r} has {letter} as its trump, but this game has {trump}; give the game "
    "trump={letter!r}": (
        "{text!r} aduja {letter}, de a játéké {trump}; kell hozzá trump={letter!r}"
    ),
    "deal={digits}: digit 1 is contract {code}, but this game is {this} ({codes}); "
    "leave that digit out": (
        "deal={digits}: az 1. számjegy bemondása {code}, de a játék: {this} ({codes}); hagyja el"
    ),
    "{card} cannot be played in {position}: {who} does not hold it": (
        "{card} nem játszható ki itt: {position}; nincs nála: {who}"
    ),
    "{card} is not legal in {position}: {who} must {reason} ({may})": (
        "{card} nem szabályos itt: {position}; {who}: {reason} ({may})"
    ),
    "follow suit": "színre színt kell adni",
    "overtake in {suit}": "felül kell ütni ebben: {suit}",
    "overtrump": "aduval felül kell ütni",
    "trump, having no {suit}": "aduval kell ütni, mert nincs nála {suit}",
    "{text!r}: the game is over before {card}, card {n} of those played": (
        "{text!r}: a játéknak vége a(z) {n}. kijátszott lap, {card} előtt"
    ),
    "{text!r}: no card is left to play before {card}, card {n}": (
        "{text!r}: nem maradt lap a(z) {n}. előtt: {card}"
    ),
    "card {n} of those played: {why}": "a(z) {n}. kijátszott lap: {why}",
    "the deal says what was played before its end; write that last": (
        "az osztás nem a végén mondja meg, mi ment ki; az legyen az utolsó"
    ),
    "{text!r} is no game to review: {why}": "{text!r} nem elemezhető játék: {why}",
    "it names no card that was played; add `, played HA H7 ...`": (
        "nem mond kijátszott lapot; kell még `, played HA H7 ...`"
    ),
    "it was over before the first card played, {card}; leave `made` out": (
        "már az első kijátszott lap, {card} előtt vége volt; hagyja el: `made`"
    ),
}
"""Hungarian of each text that `language.tr` or `language.bad_notation` is given."""
