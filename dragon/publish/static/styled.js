// The styles of the board, which come packed: a policy of content allows those that a script makes.
const sheet = new CSSStyleSheet();
sheet.replaceSync($published.about.styles);
document.adoptedStyleSheets = [sheet];
delete $published.about.styles;
