"""The core's commands, one file each; `dragon.cli` imports only the one that is used."""
