"""Tables of Nex: `files` has shelves and their places, `lookup` makes and reads them, `kernels`
sweep."""
