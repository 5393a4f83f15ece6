// How answers of the search are ordered: as Sphinx does, but what was decided or measured long ago comes after the pages
// that tell how something is done.
var Scorer = {
  score: (result) => result[4] - (/^(docs\/decisions|benchmarks|docs\/figures|CHANGELOG)/.test(result[0]) ? 20 : 0),
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
