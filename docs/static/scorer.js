// The order of what a search of the site finds: the tutorial comes first where it is found, for that is what a newcomer looks for.
var Scorer = {
  score: ([page, , , , score]) => score + (page === "docs/tutorial" ? 30 : 0),
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
