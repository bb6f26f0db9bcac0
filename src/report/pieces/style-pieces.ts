/** The style of the larger parts of a report: summary, shares, records, commands. */

export const piecesStyle = `
nav { margin-top: 18px; }
nav ol { display: flex; flex-wrap: wrap; gap: 6px 8px; margin: 0; padding: 0; list-style: none; }
nav a {
  display: block; padding: 3px 12px; border: 1px solid var(--line); border-radius: 99px; background: var(--surface);
  color: var(--sea); font-size: 14px; text-decoration: none;
}
nav a:hover { border-color: var(--sea); }
h3 { margin: 0; font-size: 16px; font-weight: 650; }
.note, .empty { margin: 10px 0 0; color: var(--muted); font-size: 14px; }
section > .empty { font-size: 16px; }
b { font-weight: 650; }

.hero { display: grid; grid-template-columns: minmax(0, 1fr); gap: 24px clamp(24px, 4vw, 64px); }
.hero h2 {
  margin: 14px 0 0; font-size: clamp(19px, 2vw, 25px); font-weight: 500; line-height: 1.25; letter-spacing: -.01em;
}
.hero h2 span:first-child { display: block; color: var(--muted); }
.hero h2 strong {
  display: block; margin: 2px 0 4px; color: var(--sea); font-size: clamp(64px, 9vw, 124px); font-weight: 700;
  line-height: .95; letter-spacing: -.045em; font-variant-numeric: tabular-nums;
}
.hero .says .beside { margin-top: 8px; color: var(--muted); }
.hero h2 + p:not(.beside), .hero .beside + p { margin-top: 18px; }
.hero .says p:not(.verdict) { max-width: 62ch; margin-bottom: 0; overflow-wrap: anywhere; }
.hero .says p:not(.verdict) ~ p { margin-top: 8px; }
.hero .says p { font-size: clamp(16px, 1.25vw, 18px); }
.hero .facts {
  grid-column: 1 / -1; grid-template-columns: repeat(auto-fit, minmax(max(116px, 20%), 1fr)); margin: 0;
  padding-top: 20px; border-top: 1px solid var(--line);
}
.verdict {
  display: inline-flex; align-items: center; gap: 9px; margin: 0; padding: 4px 14px 4px 11px;
  border: 1.5px solid currentColor; border-radius: 99px; font-weight: 650;
}
.hero .says .verdict { font-size: 15px; }
.verdict::before { content: ""; width: 10px; height: 10px; border-radius: 99px; background: currentColor; }
.good { color: var(--agrees); }
.fair { color: var(--warns); }
.poor { color: var(--differs); }
.tank { position: relative; min-height: 240px; margin: 10px 84px 10px 0; }
.basin {
  position: absolute; inset: 0; border: 1px solid var(--line); border-radius: 4px 4px 16px 16px;
  border-top-style: dashed; background: linear-gradient(var(--surface), var(--foam)); overflow: hidden;
}
.tank svg { display: block; }
.scale { position: absolute; inset: 0; }
.tank text { font-size: 13px; }
.wave path { fill: var(--sea); }
.shallow { stop-color: var(--sea); }
.deep { stop-color: var(--sea); stop-color: color-mix(in srgb, var(--sea) 70%, #001018); }
.wave.back path { opacity: .4; }
@media screen and (prefers-color-scheme: dark) { .basin svg { opacity: .6; } .basin svg svg { opacity: 1; } }
.mark line { stroke: var(--line); }
.mark.under line { stroke: var(--surface); opacity: .3; }
.goal .ground { stroke: var(--surface); stroke-width: 4; stroke-dasharray: none; opacity: .75; }
.goal line:not(.ground) { stroke: var(--warns); stroke-width: 2; stroke-dasharray: 7 5; }
.goal text { fill: var(--warns); font-weight: 650; }

.covered { fill: var(--sea); }
.piece { fill: var(--curve); }
.whole { margin-top: 18px; }
.whole > svg { display: block; border-radius: 8px; overflow: hidden; background: var(--foam); }
.whole rect + rect { stroke: var(--surface); stroke-width: 1; }
.whole ul {
  display: flex; flex-wrap: wrap; gap: 4px 24px; margin: 12px 0 0; padding: 0; list-style: none; font-size: 15px;
}
.dot { flex: none; margin-right: 8px; vertical-align: -1px; }
.shares { columns: 440px 2; column-gap: clamp(28px, 4vw, 64px); margin-top: 24px; }
.share {
  display: grid; grid-template-columns: minmax(0, 1fr) auto; align-content: start; gap: 2px 16px; padding: 16px 0 20px;
  border-top: 1px solid var(--line); break-inside: avoid;
}
.share > * { grid-column: 1 / -1; margin: 0; }
.share > h3 { grid-column: 1; }
.share > .figure { grid-column: 2; font-size: 18px; font-weight: 650; font-variant-numeric: tabular-nums; }
.share > .bar { margin: 4px 0; }
.share > .note { margin-top: 0; }
.words { color: var(--ink); font-size: 15px; overflow-wrap: anywhere; }
.share .words { margin-top: 6px; max-width: 70ch; }
.share ol { margin-top: 12px; padding: 0; list-style: none; font-size: 14px; }
.share li {
  display: grid; grid-template-columns: minmax(0, 1.5fr) 16ch minmax(40px, 1fr) 10ch;
  align-items: center; gap: 4px 12px; padding: 3px 0;
}
.share li .name { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.share li .figure, .share li .note { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.share li .note { margin: 0; font-size: 13px; }
.bar { display: block; overflow: hidden; border-radius: 4px; }
.bar .track, .interval .track { fill: var(--foam); }
.bar .fill { fill: var(--curve, var(--sea)); min-width: 2px; }

.records { width: 100%; }
.records th, .records td { padding: 8px 10px; border-top: 1px solid var(--line); vertical-align: baseline; }
.records thead th { border: 0; padding-bottom: 5px; color: var(--muted); font-size: 13px; white-space: nowrap; }
.records thead th.number { text-align: right; }
.records td.text { max-width: 52ch; white-space: normal; overflow-wrap: anywhere; }
.records td.drawn { width: 20%; min-width: 90px; vertical-align: middle; text-align: left; }
.records tbody th { min-width: 16ch; font-weight: 400; overflow-wrap: anywhere; }
.records tr > :first-child { padding-left: 0; }
.records tr > :last-child { padding-right: 0; }
.records tbody tr:hover > * { background: var(--foam); }
.title { display: block; font-weight: 600; line-height: 1.35; }
.url { color: var(--muted); font-size: 13.5px; line-height: 1.4; text-decoration: none; overflow-wrap: anywhere; }
a.url:hover { color: var(--sea); text-decoration: underline; }
.records th > .url:first-child { color: var(--ink); }
.brief { display: none; }
.from { margin: 0; padding: 0; list-style: none; }
.from li { padding: 1px 0; }
.from .note { margin: 0; }
.interval { display: block; }
.interval .may { fill: var(--sea); opacity: .22; }
.interval .must { fill: var(--sea); min-width: 2px; }
.sure { color: var(--agrees); font-size: 13px; font-weight: 600; white-space: nowrap; }
.group { margin-top: 22px; }
.group h3 .figure { margin-left: 6px; color: var(--muted); font-weight: 400; }
.group + .group { padding-top: 20px; border-top: 1px solid var(--line); }
.group > p { margin: 4px 0 0; max-width: 76ch; color: var(--muted); }
.group > .scroll { margin-top: 6px; }
.list { columns: 400px 2; column-gap: clamp(28px, 4vw, 64px); margin: 12px 0 0; }
.list div {
  display: grid; grid-template-columns: minmax(0, 2fr) minmax(0, 3fr); gap: 4px 16px; padding: 6px 0;
  border-top: 1px solid var(--line); break-inside: avoid;
}
.list dt, .list dd { font-size: 15px; }
.list dd { font-weight: 500; }
.command { margin-top: 16px; }
.command p { margin: 0; font-size: 15px; }
.command pre { margin-top: 6px; }

@media (min-width: 860px) {
  .hero { grid-template-columns: minmax(0, 1.35fr) minmax(280px, 1fr); }
  .tank { min-height: 320px; }
}
@media screen and (max-width: 760px) {
  .optional { display: none; }
  .brief { display: block; margin-top: 2px; color: var(--muted); font-size: 13px; font-variant-numeric: tabular-nums; }
  .records th, .records td { padding: 8px 6px; }
  .share li { grid-template-columns: minmax(0, 1fr) 16ch; }
  .share li .bar { grid-column: 1; }
  .records td.drawn { width: auto; min-width: 64px; }
}
`;

/** On paper. */
export const printedPieces = `
  .hero { grid-template-columns: minmax(0, 1.35fr) minmax(200px, 1fr); }
  .hero h2 strong { font-size: 60pt; }
  .tank { min-height: 150pt; }
  .records { font-size: 8.5pt; }
  .records th, .records td { padding: 3pt 4pt; }
  .url, .sure, .records thead th { font-size: 7.5pt; }
  .share ol, .share li .note, .note { font-size: 8.5pt; }
  .records td.drawn { width: 14%; min-width: 50pt; }
  .list dt, .list dd, .command p { font-size: 9.5pt; }
  pre { font-size: 8.5pt; }
  main { margin-top: 18pt; }
  a { color: inherit; }
`;
