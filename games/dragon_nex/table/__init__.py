"""Tables of Nex: `files` has shelves and their places, `lookup` makes and asks, `kernels` sweep."""
