export { ContentDigests } from "./content-groups.ts";
export { FindingsFacts } from "./log-facts.ts";
export { PageLookup } from "./page-lookup.ts";
export {
  brokenLinkTexts,
  COPIES_MAX,
  FINDINGS_MAX,
  type FindingsSummary,
  summariseFindings,
  urlsOfFindings,
} from "./summary.ts";
export {
  type FindingsFormat,
  type FindingsSource,
  findingsTable,
  tableAsCsv,
  tableAsJsonLines,
} from "./tables.ts";
