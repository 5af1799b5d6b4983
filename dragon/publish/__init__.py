"""Publishing: a game and searches as a page for the browser that asks no server.

The rules and the kernels of searches are compiled for WebAssembly by the same compiler that makes
native code; `docs/how-rules-reach-the-browser.md` says how::

    code      kernels as an object file for wasm32, and what their arguments are
    wasm      the object file as a module that browsers load; no linker is needed
    arrays    a kernel's memory as JSON: names, fields, lengths, what is in it at first
    players   searches: their memory, and the settings that their drivers read
    publication  a game and its players as code and one JSON object
    writing   a board's notation and drawing as tables; moves, where each needs an entry; spelling,
              where they would be too many
    bundle    the scripts of `dragon serve` and those in `static`, as one
    page      the folder, or the one file
    playground  several games, and a page that leads to them
"""
