"""A game and searches as a page for the browser that needs no server.

The rules and the kernels of searches are compiled for WebAssembly by the same compiler that makes
native code; `docs/how-rules-reach-the-browser.md` explains it. In this order::

    arrays       a kernel's memory as JSON: names, fields, lengths, first contents
    wasm         kernels as an object file for wasm32, and that as a module that browsers load
    players      searches: their memory, and the settings that their drivers read
    writing      a board's notation and drawing as tables, and its moves
    spelling     kernels that write moves of which there are too many for a table
    publication  a game and its players as code and one JSON object
    page         the folder or the one file, and a playground of several games
"""
