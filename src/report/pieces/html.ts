/**
 * A report: one HTML file that needs no network, no fonts and no script (the script only shows values at the cursor).
 * Its content security policy allows the style and the script below, by their hashes. So even markup smuggled into a
 * title could neither run nor load anything.
 */
import { createHash } from "node:crypto";
import { Markup, markup, nothing } from "./markup.ts";
import { markerDefinitions } from "./plot.ts";
import type { ReportSection } from "./sections.ts";
import { pageStyle } from "./style.ts";

interface Report {
  readonly title: string;
  readonly subtitle: string;
  readonly sections: readonly ReportSection[];
  /** Whether the top has links to the sections: for long reports. */
  readonly hasContents?: boolean;
}

export function renderReport({ title, subtitle, sections, hasContents = false }: Report): string {
  const body = sections.map((section, index) => section.render(`section-${index + 1}`));
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy()}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Tidemark</title>
<link rel="icon" href="data:,">
<style>${new Markup(pageStyle)}</style>
</head>
<body>
<svg width="0" height="0" aria-hidden="true">${markerDefinitions()}</svg>
<header>
<p class="brand">${WAVES}Tidemark</p>
<h1>${title}</h1>
<p class="subtitle">${subtitle}</p>
${hasContents ? drawContents(sections) : nothing}
</header>
<main>
${body}
</main>
<footer><p>Coverage is always rounded down.</p></footer>
<script>${new Markup(script)}</script>
</body>
</html>
`.source;
}

function drawContents(sections: readonly ReportSection[]): Markup {
  const links = sections.map(({ heading }, index) => markup`<li><a href="#section-${index + 1}">${heading}</a></li>`);
  return markup`<nav aria-label="Sections"><ol>${links}</ol></nav>`;
}

function policy(): string {
  const own = `script-src '${integrity(script)}'; style-src '${integrity(pageStyle)}'`;
  return `default-src 'none'; ${own}; img-src data:; base-uri 'none'; form-action 'none'`;
}

const WAVES = markup`<svg class="waves" viewBox="0 0 34 16" aria-hidden="true">
<path d="M2 5q5-5 10 0t10 0t10 0"/><path class="ebb" d="M2 12q5-5 10 0t10 0t10 0"/></svg>`;

function integrity(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}

/**
 * The only script of a report, as text, because it runs in the reader's browser. It shows values at the cursor (mouse,
 * touch, or keyboard through a range input) and hides curves. It reads its data from the tables of the page, so nothing
 * is sent twice. A value holds until the next point of its curve, so a bound is never shown higher than it was proven.
 * The dot is at the point that was read, hence on the curve, whether that is drawn in steps or in straight lines.
 */
const script = String.raw`"use strict";
const SVG = "http://www.w3.org/2000/svg";
const numberOf = (cell) => Number(cell.textContent.replaceAll(",", ""));
const clamp = (value, low, high) => Math.min(high, Math.max(low, value));
const straighten = { linear: (v) => v, log: (v) => Math.log10(v), nines: (v) => -Math.log10(1 - v) };

function scaleOf(text) {
  const [kind, min, max] = text.split(" ");
  const straight = straighten[kind];
  const start = straight(+min);
  const length = straight(+max) - start;
  return (value) => (straight(clamp(value, +min, +max)) - start) / length;
}

function readSeries(figure) {
  const all = [];
  for (const table of figure.querySelectorAll(".data table")) {
    const rows = [...table.tBodies[0].rows];
    [...table.tHead.rows[0].cells].slice(1).forEach((head, column) => {
      const points = rows
        .filter((row) => row.cells[column + 1].textContent !== "")
        .map((row) => ({ x: numberOf(row.cells[0]), y: numberOf(row.cells[column + 1]) }));
      if (points.length > 0) all.push({ g: table.dataset.g, m: head.dataset.m, points });
    });
  }
  return all;
}

/** The last of the points whose x is at most the given one. */
function pointAt(points, x) {
  let low = 0;
  let high = points.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (points[middle].x <= x) low = middle + 1;
    else high = middle;
  }
  return points[low - 1];
}

function formatValue(value, kind) {
  const cut = value.toFixed(6);
  if (kind === "coverage") return cut.slice(0, 6);
  if (kind === "percent") return Number(cut.slice(0, 1) + cut.slice(2, 4)) + "." + cut.slice(4, 6) + "%";
  if (kind === "count") return value.toLocaleString("en-US", { maximumFractionDigits: 2 });
  if (kind === "number") return String(Number(value.toPrecision(4)));
  const digits = (number) => String(Number(number.toPrecision(3)));
  if (value === 0) return "0 s";
  if (value < 0.9995e-3) return digits(value * 1e6) + " µs";
  if (value < 0.9995) return digits(value * 1e3) + " ms";
  if (value < 59.95) return digits(value) + " s";
  const minutes = Math.floor(Math.round(value) / 60);
  if (minutes < 60) return minutes + " min " + String(Math.round(value) % 60).padStart(2, "0") + " s";
  return Math.floor(minutes / 60).toLocaleString("en-US") + " h " + String(minutes % 60).padStart(2, "0") + " min";
}

function element(name, attributes, parent) {
  const made = parent.appendChild(document.createElementNS(SVG, name));
  for (const key in attributes) made.setAttribute(key, attributes[key]);
  return made;
}

function activate(figure) {
  const series = readSeries(figure);
  const xs = [...new Set(series.flatMap((one) => one.points.map((point) => point.x)))].sort((a, b) => a - b);
  if (xs.length === 0) return;
  const legend = figure.querySelector(".legend");
  const caption = legend.querySelector("caption");
  const plots = figure.querySelector(".plots");
  const hidden = new Set();
  const isHidden = (one) => hidden.has("g" + one.g) || hidden.has("m" + one.m);
  const resting = [caption, ...legend.querySelectorAll("td")].map((node) => [node, node.textContent]);
  const views = [...plots.children].map((plot) => {
    const svg = plot.querySelector("svg");
    const cursor = element("g", { class: "cursor", visibility: "hidden" }, svg);
    return {
      plot,
      svg,
      cursor,
      placeX: scaleOf(plot.dataset.x),
      placeY: scaleOf(plot.dataset.y),
      rule: element("line", { y2: "100%" }, cursor),
      dots: series.map((one) => element("circle", { r: 4.5, class: "c" + (one.g % 8) }, cursor)),
    };
  });
  const shown = () => views.find((view) => view.plot.offsetParent !== null);

  const range = document.createElement("input");
  Object.assign(range, { type: "range", min: 0, max: xs.length - 1, value: xs.length - 1, className: "reader" });
  range.setAttribute("aria-label", "Read values at " + legend.dataset.xLabel);
  plots.append(range);
  let reading = false;

  function paint() {
    const x = xs[range.value];
    for (const view of views) view.cursor.setAttribute("visibility", reading ? "visible" : "hidden");
    const title = legend.dataset.xLabel + ": " + x.toLocaleString("en-US");
    range.setAttribute("aria-valuetext", title);
    if (!reading) {
      for (const [node, text] of resting) node.textContent = text;
      return;
    }
    caption.textContent = title;
    const view = shown();
    const left = 100 * view.placeX(x) + "%";
    view.rule.setAttribute("x1", left);
    view.rule.setAttribute("x2", left);
    series.forEach((one, index) => {
      const point = pointAt(one.points, x);
      const cell = legend.querySelector('td[data-g="' + one.g + '"][data-m="' + one.m + '"]');
      cell.textContent = point ? formatValue(point.y, legend.dataset.kind) : "–";
      const dot = view.dots[index];
      dot.classList.toggle("off", !point || isHidden(one));
      if (!point) return;
      dot.setAttribute("cx", 100 * view.placeX(point.x) + "%");
      dot.setAttribute("cy", 100 - 100 * view.placeY(point.y) + "%");
    });
  }

  function read(on) {
    reading = on;
    paint();
  }

  function follow(event) {
    const { placeX, svg } = shown();
    const box = svg.getBoundingClientRect();
    const share = (event.clientX - box.left) / box.width;
    let best = 0;
    for (let i = 1; i < xs.length; i++) {
      if (Math.abs(placeX(xs[i]) - share) <= Math.abs(placeX(xs[best]) - share)) best = i;
    }
    range.value = best;
    read(true);
  }

  plots.addEventListener("pointermove", follow);
  plots.addEventListener("pointerdown", follow);
  plots.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && read(false));
  range.addEventListener("input", () => read(true));
  range.addEventListener("focus", () => range.matches(":focus-visible") && read(true));
  range.addEventListener("blur", () => read(false));
  figure.querySelector(".controls").addEventListener("change", paint);

  for (const button of legend.querySelectorAll("button")) {
    const { toggle, index } = button.dataset;
    const key = toggle + index;
    button.addEventListener("click", () => {
      if (!hidden.delete(key)) hidden.add(key);
      button.setAttribute("aria-pressed", String(!hidden.has(key)));
      for (const node of figure.querySelectorAll(".plot [data-g], .legend td")) {
        node.classList.toggle("off", isHidden(node.dataset));
      }
      paint();
    });
    const light = (on) => () => {
      figure.classList.toggle("dimmed", on);
      for (const node of figure.querySelectorAll(".plot [data-" + toggle + '="' + index + '"]')) {
        node.classList.toggle("lit", on);
      }
    };
    button.addEventListener("pointerenter", light(true));
    button.addEventListener("pointerleave", light(false));
    button.addEventListener("focus", light(true));
    button.addEventListener("blur", light(false));
  }
}

for (const figure of document.querySelectorAll("figure.chart")) activate(figure);
`;
