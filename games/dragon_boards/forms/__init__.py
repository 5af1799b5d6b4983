"""The forms in which players of these games write positions and whole games.

`usual` lists them; each other module is of one game.
"""
