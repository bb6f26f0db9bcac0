export * from "./changes.ts";
export {
  certainDirection,
  type Comparison,
  compareCrawls,
  type CrawlColumns,
  type PagePair,
} from "./compare-crawls.ts";
export { FingerprintColumn } from "./fingerprint-column.ts";
export { matchUrls } from "./match-urls.ts";
export { type ComparedAspect, type SettingDifference, settingsDifferences } from "./settings-differences.ts";
