export type { ImportFormat } from "./contract.ts";
export { reversedHost } from "./cc-graph.ts";
export { importableFormat } from "./detect.ts";
export { type ChosenSeeds, importCrawl, type ImportOptions, type ImportResult } from "./import-crawl.ts";
export { startAround } from "./around-community.ts";
