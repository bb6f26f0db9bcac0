/**
 * The style of reports, the part of it that a plot needs, and the part that the dashboard shares. Every colour of a
 * curve has a contrast of 3:1 with its background, and differs from the others for people who see no red or no green (a
 * test measures both). Every order also has its own marker, so that nothing depends on colour alone.
 */
import { REASONS } from "../../text/index.ts";
import { piecesStyle, printedPieces } from "./style-pieces.ts";

export const LIGHT = {
  page: "#f3f7f8",
  surface: "#ffffff",
  ink: "#10242e",
  muted: "#51656f",
  line: "#d9e3e7",
  sea: "#0b5f7d",
  foam: "#e3f0f3",
  agrees: "#0d6b4f",
  warns: "#7a5600",
  differs: "#a1410b",
  sampled: "#a3178f",
  curves: ["#095397", "#a82418", "#29a288", "#b37903", "#ac77fa", "#7d1453", "#1d7a93", "#511903"],
};

export const DARK: typeof LIGHT = {
  page: "#08141c",
  surface: "#0e1c26",
  ink: "#e6eff2",
  muted: "#9db2bc",
  line: "#243845",
  sea: "#6cc6e4",
  foam: "#132a37",
  agrees: "#6fdcb2",
  warns: "#f0cb62",
  differs: "#ffab7a",
  sampled: "#ff8df2",
  curves: ["#53a1e8", "#d6431c", "#97fbbb", "#f9bd01", "#4e69e5", "#ab5489", "#5cd4e8", "#ee857e"],
};

const FONT = `"Avenir Next", "Segoe UI", Roboto, "Helvetica Neue", "Liberation Sans", Arial, sans-serif`;

/** Colours of both themes, of which the reader's system chooses one. Reasons have one colour everywhere. */
const themes = `:root { color-scheme: light dark; ${properties(LIGHT)} }
@media (prefers-color-scheme: dark) { :root { ${properties(DARK)} } }
@media print { :root { color-scheme: light; ${properties(LIGHT)} } }
${LIGHT.curves.map((_, index) => `.c${index} { --curve: var(--curve-${index}); }`).join("\n")}
${Object.entries(REASONS)
  .map(([reason, { colour }]) => `.fill-${reason} { --curve: var(--${colour}); }`)
  .join("\n")}`;

/** What a report and the dashboard have in common. */
export const sharedStyle = `${themes}
:root {
  --font: ${FONT};
  --mono: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--page) linear-gradient(var(--foam), var(--page)) no-repeat 0 0 / 100% 360px;
  color: var(--ink); font: 16px/1.5 var(--font); -webkit-text-size-adjust: 100%;
}
h1 {
  margin: 0; font-size: clamp(26px, 3vw, 40px); line-height: 1.15; font-weight: 650; letter-spacing: -.015em;
  text-wrap: balance; overflow-wrap: anywhere;
}
h2 { line-height: 1.3; font-weight: 650; letter-spacing: -.005em; overflow-wrap: anywhere; }
p { text-wrap: pretty; }
:focus-visible { outline: 2px solid var(--sea); outline-offset: 2px; border-radius: 6px; }
.brand {
  display: flex; flex: none; align-items: center; gap: 9px; color: var(--sea); font-size: 14px; font-weight: 600;
  letter-spacing: .08em; text-transform: uppercase; text-decoration: none;
}
.waves { width: 34px; height: 16px; fill: none; stroke: currentColor; stroke-width: 2.2; stroke-linecap: round; }
.waves .ebb { opacity: .45; }

/* A choice of a few: radio buttons that look like one strip. */
.choice { display: flex; align-items: center; margin: 0; padding: 0; border: 0; min-width: 0; }
.choice legend { float: left; padding: 0 10px 0 0; color: var(--muted); font-size: 14px; }
.choice label { position: relative; }
.choice input { position: absolute; inset: 0; margin: 0; padding: 0; min-height: 0; opacity: 0; cursor: pointer; }
.choice span { display: block; padding: 4px 12px; border: 1px solid var(--line); font-size: 14px; line-height: 20px; }
.choice label + label span { margin-left: -1px; }
.choice label:first-of-type span { border-radius: 8px 0 0 8px; }
.choice label:last-of-type span { border-radius: 0 8px 8px 0; }
.choice input:checked + span {
  position: relative; background: var(--foam); border-color: var(--sea); color: var(--sea); font-weight: 600;
}
.choice input:focus-visible + span { outline: 2px solid var(--sea); outline-offset: 2px; }
`;

const plotRules = `
svg { overflow: visible; }
text { font: 12px ${FONT}; fill: var(--muted); font-variant-numeric: tabular-nums; }
text.axis { font-weight: 600; fill: var(--ink); }
.grid line { stroke: var(--line); shape-rendering: crispEdges; }
.curves path, .swatch path {
  fill: none; stroke: var(--curve); stroke-width: 2; stroke-linejoin: round; vector-effect: non-scaling-stroke;
}
path.dashed { stroke-dasharray: 8 4; }
path.dotted { stroke-dasharray: 0.1 4.5; stroke-width: 2.5; stroke-linecap: round; }
path.points { stroke-width: 4; stroke-linecap: round; }
.curves path.bars { stroke-width: 1; opacity: .6; }
path.sampled, .marks .sampled { --curve: var(--sampled); }
path.sampled { stroke-dasharray: 10 3 2 3; }
.marks use, .swatch use { fill: var(--curve); stroke: var(--surface); stroke-width: 1.2; }
.plain { --curve: var(--ink); }
.curves path.area { fill: var(--curve); stroke: none; opacity: .13; }
.target line { stroke: var(--warns); stroke-width: 1.5; stroke-dasharray: 7 5; }
.ceiling line { stroke: var(--differs); stroke-width: 1.5; stroke-dasharray: 2 4; }
.target text, .ceiling text {
  fill: var(--warns); font-weight: 600; paint-order: stroke; stroke: var(--surface); stroke-width: 4px;
  stroke-linejoin: round;
}
.ceiling text { fill: var(--differs); }
`;

/** For a plot in an SVG file. */
export const plotStyle = themes + plotRules;

export const pageStyle = `${sharedStyle}${plotRules}
header, main, footer { max-width: 1440px; margin: 0 auto; padding: 0 clamp(16px, 4vw, 56px); }
header { padding-top: clamp(24px, 4vw, 48px); }
.brand { margin: 0 0 18px; }
.subtitle {
  margin: 10px 0 0; max-width: 68ch; color: var(--muted); font-size: clamp(16px, 1.3vw, 18px); overflow-wrap: anywhere;
}
section {
  margin: 28px 0; padding: clamp(18px, 2.4vw, 32px); background: var(--surface); border: 1px solid var(--line);
  border-radius: 14px;
}
h2 { margin: 0 0 4px; font-size: 20px; }
section > p { margin: 6px 0 0; max-width: 76ch; color: var(--muted); overflow-wrap: anywhere; }
footer { padding-bottom: 40px; color: var(--muted); font-size: 14px; }

figure { margin: 18px 0 0; }
.controls { display: flex; flex-wrap: wrap; gap: 10px 28px; }
.plots:has(.reader:focus-visible) .plot { outline: 2px solid var(--sea); outline-offset: 2px; border-radius: 6px; }

.stage { display: grid; grid-template-columns: minmax(0, 1fr); gap: 20px clamp(20px, 3vw, 44px); margin-top: 18px; }
.plots {
  display: grid; position: relative; min-height: clamp(340px, 34vw, 540px); touch-action: pan-y; cursor: crosshair;
}
.plot { padding: 30px 18px 50px 46px; }
.plot svg { display: block; }
.chart:has(.x-log:checked) .on-x-linear, .chart:has(.x-linear:checked) .on-x-log,
.chart:has(.y-log:checked) .on-y-linear, .chart:has(.y-linear:checked) .on-y-log { display: none; }
.reader { position: absolute; inset: 0; width: 100%; height: 100%; margin: 0; opacity: 0; pointer-events: none; }
.cursor { pointer-events: none; }
.cursor line { stroke: var(--ink); stroke-width: 1; }
.cursor circle { fill: var(--curve); stroke: var(--surface); stroke-width: 2; }
.plot .off, .cursor .off { display: none; }
.plot [data-g] { transition: opacity .12s; }
.dimmed .plot [data-g]:not(.lit) { opacity: .12; }
.dimmed .curves .lit { stroke-width: 3; }

table { border-collapse: collapse; font-size: 15px; font-variant-numeric: tabular-nums; }
th { font-weight: 600; text-align: left; }
td { text-align: right; white-space: nowrap; }
td.text { text-align: left; white-space: normal; overflow-wrap: break-word; }
.scroll, .legend { overflow-x: auto; }
.legend { align-self: start; }
.legend table { width: 100%; }
.legend caption {
  padding: 0 8px 8px; color: var(--ink); font-size: 16px; font-weight: 600; text-align: left; white-space: nowrap;
  font-variant-numeric: tabular-nums;
}
.legend th, .legend td { padding: 2px 8px; border-top: 1px solid var(--line); }
.legend thead th { border: 0; color: var(--muted); font-size: 13px; vertical-align: bottom; }
.legend thead th:not(:first-child) { text-align: right; }
.legend tbody th { font-weight: 400; }
.legend td.off { visibility: hidden; }
.legend button {
  display: inline-flex; align-items: center; gap: 8px; padding: 4px; margin: 0 -4px; border: 0; border-radius: 6px;
  background: none; color: inherit; font: inherit; text-align: left; cursor: pointer;
}
.legend button span { max-width: 22ch; overflow-wrap: break-word; }
.legend thead button { flex-direction: column; align-items: flex-end; gap: 2px; color: var(--ink); }
.legend button:hover { background: var(--foam); }
.legend button[aria-pressed=false] span { color: var(--muted); text-decoration: line-through; }
.legend button[aria-pressed=false] .swatch { opacity: .25; }
.swatch { flex: none; }
@media (scripting: none) { .legend button { cursor: auto; pointer-events: none; } }

.data { margin-top: 14px; color: var(--muted); font-size: 14px; }
summary { width: fit-content; padding: 4px 0; cursor: pointer; }
.data .columns {
  display: flex; flex-wrap: wrap; align-items: start; gap: 20px 36px; max-height: 460px; margin-top: 10px;
  overflow: auto;
}
.data table { font-size: 13px; color: var(--ink); }
.data caption { padding-bottom: 4px; font-weight: 600; text-align: left; }
.data th, .data td { padding: 1px 14px 1px 0; text-align: right; font-weight: 400; }
.data thead th { color: var(--muted); }

.scroll { margin-top: 16px; }
.figures { width: 100%; }
.figures th, .figures td { padding: 7px 12px; border-top: 1px solid var(--line); }
.figures thead th {
  border: 0; padding-bottom: 5px; color: var(--muted); font-size: 13px; white-space: nowrap; text-align: right;
}
.figures thead th.text { text-align: left; }
.figures thead th[colspan] { color: var(--ink); text-align: center; border-bottom: 1px solid var(--line); }
.figures thead td { border: 0; }
.figures th:first-child { position: sticky; left: 0; padding-left: 0; background: var(--surface); }
.figures tbody tr:hover > * { background: var(--foam); }
.none { color: var(--muted); }

.verdicts { margin: 16px 0 0; padding: 0; list-style: none; }
.verdicts li {
  display: grid; grid-template-columns: 92px minmax(0, 1fr); gap: 2px 14px; padding: 12px 0;
  border-top: 1px solid var(--line); overflow-wrap: anywhere;
}
.verdicts p { margin: 0; }
.verdicts p + p { grid-column: 2; color: var(--muted); font-size: 15px; }
.badge {
  align-self: start; padding: 1px 0; border: 1px solid currentColor; border-radius: 99px; font-size: 13px;
  font-weight: 650; text-align: center;
}
.agrees { color: var(--agrees); }
.differs { color: var(--differs); }
.untested { color: var(--muted); }

.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(126px, 1fr)); gap: 16px 24px; margin: 14px 0 0; }
.facts div { min-width: 0; }
dt { color: var(--muted); font-size: 14px; }
dd { margin: 0; font-size: 18px; font-weight: 600; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
pre {
  margin: 18px 0 0; padding: 12px 16px; border-radius: 8px; background: var(--foam);
  font: 14px/1.5 var(--mono); white-space: pre-wrap; overflow-wrap: anywhere;
}

${piecesStyle}
@media (min-width: 1080px) {
  .stage:not(.alone) { grid-template-columns: minmax(0, 1fr) fit-content(560px); }
  .legend { min-width: 300px; }
}
.alone .legend table { width: auto; }
@media (max-width: 560px) {
  section { margin: 16px -8px; border-radius: 10px; }
  .plot { padding: 30px 12px 50px 40px; }
  .legend table { font-size: 14px; }
  .legend th, .legend td { padding: 2px 4px; }
  .legend caption { padding-left: 4px; }
  .legend .swatch { width: 20px; }
  .legend button { gap: 5px; }
  .verdicts li { grid-template-columns: minmax(0, 1fr); }
  .verdicts p + p { grid-column: 1; }
  .badge { justify-self: start; padding: 1px 12px; }
}
@media (prefers-reduced-motion: reduce) { * { transition: none; } }
@media print {
  body { background: none; font-size: 11pt; }
  header, main, footer { max-width: none; padding: 0; }
  section { break-inside: avoid; margin: 0 0 22pt; padding: 0; border: 0; }
  section.long { break-inside: auto; }
  h2, h3, section > p { break-after: avoid; }
  tr, li, .command, .share { break-inside: avoid; }
  .controls, .data, nav { display: none; }
  .plots { min-height: 300px; }
  .scroll { overflow: visible; }
  .figures { font-size: 8.5pt; }
  .figures th, .figures td, .figures thead th { padding: 3px 4px; font-size: inherit; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  ${printedPieces}
}
`;

function properties(theme: typeof LIGHT): string {
  const { curves, ...rest } = theme;
  const named = Object.entries(rest).map(([name, colour]) => `--${name}: ${colour};`);
  return [...named, ...curves.map((colour, index) => `--curve-${index}: ${colour};`)].join(" ");
}
