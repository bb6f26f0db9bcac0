/**
 * What a crawl stores of the text of a page (`--store`). Each form is deflated: the Markdown of a page of 40 KB takes
 * about 4 KB.
 */
import { constants, deflateRawSync, inflateRawSync } from "node:zlib";
import type { PageTexts, TextForm } from "../log/index.ts";
import { pageMarkdown, pageText } from "./page-text.ts";

/** The texts of an HTML page. `base` is the URL that its links are relative to. */
export function makeTexts(html: string, base: string, forms: readonly TextForm[]): PageTexts {
  return texts(forms, { text: () => pageText(html), markdown: () => pageMarkdown(html, base), html: () => html });
}

/** The texts of a page that is plain text: it has no HTML. */
export function makePlainTexts(text: string, forms: readonly TextForm[]): PageTexts {
  return texts(forms, { text: () => text, markdown: () => text, html: () => null });
}

export function inflated(stored: Uint8Array): string {
  return inflateRawSync(stored).toString();
}

function texts(forms: readonly TextForm[], make: Readonly<Record<TextForm, () => string | null>>): PageTexts {
  const made = (form: TextForm): Uint8Array | null => {
    const text = forms.includes(form) ? make[form]() : null;
    return text === null ? null : deflated(text, form === "html" ? HTML_LEVEL : undefined);
  };
  return { text: made("text"), markdown: made("markdown"), html: made("html") };
}

/** Of whole pages, which are long: half the time of the usual level for 8% more bytes. */
const HTML_LEVEL = 3;

/** In a buffer of its own, which can be handed to another thread. */
function deflated(text: string, level = constants.Z_DEFAULT_COMPRESSION): Uint8Array {
  return new Uint8Array(deflateRawSync(text, { level }));
}
