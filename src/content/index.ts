export { type MainPart, mainPart } from "./main-part.ts";
export { pageMarkdown, pageText } from "./page-text.ts";
