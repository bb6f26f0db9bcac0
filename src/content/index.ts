export { mainPart } from "./main-part.ts";
export { type LlmsTxtSource, llmsTxt } from "./llms-txt.ts";
export { type MarkdownDocument, markdownDocuments } from "./markdown-documents.ts";
export { PageFiles } from "./page-files.ts";
export { inflated, makePlainTexts, makeTexts } from "./texts.ts";
export { pageMarkdown, pageText } from "./page-text.ts";
export { TextReader } from "./text-reader.ts";
export { type Pack, packPages, type PackTask } from "./pack-pages.ts";
export { loadTokenCounter } from "./tokens.ts";
