export { mainPart } from "./main-part.ts";
export { inflated, makePlainTexts, makeTexts } from "./texts.ts";
export { pageMarkdown, pageText } from "./page-text.ts";
export { TextReader } from "./text-reader.ts";
