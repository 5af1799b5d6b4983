"""Reuse: the part of a tree that lies below another state, found and copied."""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from dragon.rules.template import kernel, play


@kernel
def visited(tree, parent, i):
    """The first visited child of `parent` from node i on; -1 if none."""
    while i < parent.first + parent.count:
        if tree[i].visits > 0:
            return i
        i += 1
    return -1


@kernel
def find(states, words, target, tree, path, plies):
    """The visited node, at most `plies` below the root, whose record is `target`; -1 if none.

    states: records[plies + 1], states[0] the root's; words: the same memory as
    uint64[plies + 1, any]; target: uint64[any]; path: int64[plies + 1], scratch, the node
    looked at on each ply.
    """
    d = 0
    path[0] = 0
    while True:
        same = True
        for i in range(len(target)):
            same = same and words[d, i] == target[i]
        if same:
            return path[d]
        node = tree[path[d]]
        following = visited(tree, node, node.first) if d < plies else -1
        if following >= 0:  # down
            d += 1
        while following < 0:  # along, or up and along
            if d == 0:
                return -1
            following = visited(tree, tree[path[d - 1]], path[d] + 1)
            if following < 0:
                d -= 1
        path[d] = following
        states[d] = states[d - 1]
        play(states[d], tree[following].code)


@kernel
def graft(old, at, new):
    """Copies the subtree of old[at] to the front of `new`, breadth first; how many nodes."""
    new[0] = old[at]
    size = 1
    done = 0
    while done < size:
        node = new[done]
        first = node.first
        if node.count > 0:
            node.first = size
            for i in range(node.count):
                new[size + i] = old[first + i]
            size += node.count
        done += 1
    return size
