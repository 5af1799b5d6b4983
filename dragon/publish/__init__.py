"""Publishing: a game and searches as a page for the browser, without a server.

The rules and the kernels of searches are compiled for WebAssembly by the compiler that makes native
code; `docs/how-rules-reach-the-browser.md` says how. Read in this order::

    publication  a game and its players, which are searches, as code and one JSON object
    wasm         kernels as a module that browsers load, and their memory as JSON
    writing      a board's drawing, and its moves: as a table, or spelt by kernels
    page         the folder, the one file, or the playground of several games; the bundle of scripts

`static/` has the scripts: `driver.js` is shared by the drivers of searches, `alphabeta.js` and
`mcts.js`, which read their constants from `publication`.
"""
