/**
 * A report: one HTML file that needs no network, no fonts and no script (the script only shows values at the cursor).
 * Its content security policy allows the style and the script below, by their hashes. So even markup smuggled into a
 * title could neither run nor load anything.
 */
import { createHash } from "node:crypto";
import type { Section } from "./sections.ts";
import { Markup, markup, nothing } from "./markup.ts";
import { markerDefinitions } from "./plot.ts";
import { script } from "./script.ts";
import { pageStyle } from "./style.ts";

export interface Report {
  readonly title: string;
  readonly subtitle: string;
  readonly sections: readonly Section[];
  /** Whether the top has links to the sections: for long reports. */
  readonly hasContents?: boolean;
}

export function renderReport({ title, subtitle, sections, hasContents = false }: Report): string {
  const body = sections.map((section, index) => section.render(`section-${index + 1}`));
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
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

function drawContents(sections: readonly Section[]): Markup {
  const links = sections.map(({ heading }, index) => markup`<li><a href="#section-${index + 1}">${heading}</a></li>`);
  return markup`<nav aria-label="Sections"><ol>${links}</ol></nav>`;
}

const POLICY = [
  "default-src 'none'",
  `script-src '${integrity(script)}'`,
  `style-src '${integrity(pageStyle)}'`,
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

const WAVES = markup`<svg viewBox="0 0 34 16" aria-hidden="true">
<path d="M2 5q5-5 10 0t10 0t10 0"/><path class="ebb" d="M2 12q5-5 10 0t10 0t10 0"/></svg>`;

function integrity(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
