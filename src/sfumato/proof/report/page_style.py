"""How the page of a report looks: a calm first page, parts that unfold, and paper on which all is unfolded."""

MORE_STYLE = """
body { max-width: 77rem; padding-top: 1rem; padding-bottom: 2rem; font-size: .97rem; }
h3 { font-size: 1.08rem; margin: 2rem 0 .4rem; }
header .kind { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 2rem; font-size: .85rem; }
header .kind p { color: var(--faint); margin: 0; letter-spacing: .04em; }
header h1 { margin: 0 0 .5rem; font-size: clamp(1.25rem, 4vw + .3rem, 1.55rem); }
header .verdict { margin-bottom: .6rem; padding: .5rem .9rem; font-size: .93rem; line-height: 1.4; }
header .verdict strong { font-size: 1.15rem; }
header > p { margin: 0; }
.open-questions { margin: 0 0 .5rem; font-size: .93rem; line-height: 1.4; }
.summary h2 { font-size: 1.02rem; margin: 0 0 .3rem; padding: 0; border: 0; }
.summary p { font-size: .86rem; line-height: 1.4; color: var(--faint); margin: 0 0 .8rem; }
.summary .wide { margin: 0 0 .35rem; }
.summary table { width: 100%; font-size: .86rem; line-height: 1.3; }
.summary :is(th, td) { padding: .24rem .7rem .24rem .4rem; }
.summary :is(th, td):last-child { padding-right: .4rem; }
.summary .words { min-width: 11rem; }
dl.facts { display: grid; grid-template-columns: 1fr; gap: .15rem 1.6rem; margin: .5rem 0 .7rem; font-size: .9rem;
  line-height: 1.35; }
dl.facts div { display: grid; grid-template-columns: 8.3rem 1fr; }
dl.facts dt { color: var(--faint); }
dl.facts dd { margin: 0; overflow-wrap: anywhere; }
dl.glance { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: .5rem; margin: .6rem 0 .9rem; }
dl.glance div { border: 1px solid var(--line); border-radius: .5rem; padding: .35rem .7rem .4rem; display: flex;
  flex-direction: column-reverse; justify-content: flex-end; background: var(--shade); }
dl.glance dt { color: var(--faint); font-size: .8rem; line-height: 1.25; overflow-wrap: anywhere; }
dl.glance dd { margin: 0; font-size: 1.15rem; font-weight: 600; font-variant-numeric: tabular-nums; }
@media (min-width: 44rem) { dl.facts { grid-template-columns: 1fr 1fr; }
  dl.glance { grid-template-columns: repeat(3, 1fr); } }
@media (min-width: 64rem) { dl.glance { display: flex; } dl.glance div { flex: 1 1 0; min-width: min-content; }
  dl.glance dd { white-space: nowrap; }
  .two:has(.least) { display: grid; grid-template-columns: minmax(0, 1.45fr) minmax(0, 1fr); gap: 2rem; } }
nav ol { display: flex; flex-wrap: wrap; gap: .1rem 1.1rem; padding: 0; margin: 0; list-style: none; }
details.part, details.more { border-top: 1px solid var(--line); }
details.part:last-of-type { border-bottom: 1px solid var(--line); }
details:is(.part, .more) > summary { padding: .3rem .2rem; line-height: 1.35; }
details.part > summary h2 { font-size: 1.02rem; }
details.part[open] > summary h2 { font-size: 1.35rem; }
details:is(.part, .more) > summary h2 { display: inline; margin: 0; padding: 0; border: 0; color: var(--ink); }
details.part > summary .gist { font-size: .88rem; margin-left: .5rem; }
details.part > .body { padding: .2rem 0 2.5rem; scroll-margin-top: 4rem; }
.body > p, .body > ul { max-width: 46rem; }
.body > p:first-of-type { font-size: 1.05rem; }
details.number, p.told { border-left: 3px solid var(--line); padding-left: .8rem; margin: .35rem 0; max-width: 46rem; }
p.told { color: var(--faint); }
details.number dl { margin: .3rem 0 .8rem; }
details.number dt { color: var(--faint); font-size: .9rem; }
details.number dd { margin: 0 0 .4rem 1rem; }
summary b, p.told b { color: var(--ink); }
code { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: .92em; overflow-wrap: anywhere; }
footer { margin-top: 1rem; border: 0; font-size: .88rem; }
footer p { margin: .3rem 0; }
footer .reminder { color: var(--ink); }
@media print {
  body { font-size: 9.5pt; }
  details.part { break-before: page; border: 0; } details.part > .body { padding-bottom: 0; }
  details.part > summary { padding: 0; } details.part > summary h2 { display: block; font-size: 1.3rem; }
  .two:has(.least) { display: block; } .summary table { font-size: 8pt; }
  dl.facts { grid-template-columns: 1fr 1fr; }
  dl.glance { display: grid; grid-template-columns: repeat(3, 1fr); } dl.glance div { break-inside: avoid; }
  details.number { max-width: none; font-size: 8.5pt; } details.number dl { margin: 0 0 .4rem; }
  details.number dt, details.number dd { display: inline; margin: 0; }
  details.number dt::after { content: ": "; } details.number dd::after { content: "\\a"; white-space: pre; }
}
"""
