"""The page of `dragon serve`. It imports nothing but its description."""

from dragon.page import Endpoint, Page

MARKET = Page(
    name="my-name",  # the address: /my-name, /api/my-name/..., /static/my-name/...
    title="MyName",
    summary="The least price at which to sell.",
    folder="dragon_myname:web",
    script="page.js",
    service="dragon_myname.service",
    warm="warm",
    endpoints=(Endpoint(path="prices", cost="search"),),
)
