"""The forms in which players of these games write positions and whole games, a module each."""
