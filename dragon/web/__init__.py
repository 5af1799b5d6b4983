"""The web server of dragon: pages to play, analyse and watch, and the JSON behind them.

It knows no game. Pages are values (`dragon.page`), the server's own as well as those that
plugins add by the hook `dragon_pages`. Only `dragon.web.app` needs the packages of
the extra `web`. Read `app` first::

    app, site              the application; its pages and the HTML that all share
    guard, limits          checks of each request, and of the specs in it
    parameters, openapi    the values of a request by their class, and their description
    answer, problem        JSON from the server, from a process or as a stream; a refusal
    pool, worker           the processes that answer, and their queue
    throttle, meanwhile    fewer results than are found; progress of one long step
    play, analyse, lists   the endpoints of the server's own pages
    picture, results       a position's drawing, made safe; the folder of tournaments
"""
