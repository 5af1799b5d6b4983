"""The web server of dragon: pages to play, analyse and watch, and the JSON behind them.

It knows no game. Pages are values (`dragon.page`), the server's own as well as those that
plugins add by the hook `dragon_pages`. Only `dragon.web.app` needs the packages of
the extra `web`.
"""
