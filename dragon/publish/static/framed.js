// In the frame of another page the board comes first: published.css.
if (window.self !== window.top) document.documentElement.dataset.framed = "";
