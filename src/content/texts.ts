/**
 * What a crawl stores of the text of a page (`--store`). Each form is deflated: the Markdown of a page of 40 KB takes
 * about 4 KB.
 */
import { deflateRawSync, inflateRawSync } from "node:zlib";
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
    return text === null ? null : deflated(text);
  };
  return { text: made("text"), markdown: made("markdown"), html: made("html") };
}

/** In a buffer of its own, which can be handed to another thread. */
function deflated(text: string): Uint8Array {
  return new Uint8Array(deflateRawSync(text));
}
