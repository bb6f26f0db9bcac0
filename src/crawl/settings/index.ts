/** The table of settings alone, for whoever describes it without crawling: `--help` must not load an engine. */
export { type KeepVisits, timeOf } from "./kept-visits-kind.ts";
export { decimal, type Kind, positive, properFraction, share, wholeNumber } from "./kinds.ts";
export * from "./setting.ts";
export { settingsTable } from "./table.ts";
