export { ContentDigests } from "./content-groups.ts";
export { PageLookup } from "./page-lookup.ts";
export {
  type FindingsFormat,
  type FindingsSource,
  findingsTable,
  tableAsCsv,
  tableAsJsonLines,
} from "./tables.ts";
