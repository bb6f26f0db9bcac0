/**
 * The settings that a directory stores. They may be damaged. An older version may have written them, or a program that
 * used the library of 0.1.0, which stored nothing about the network.
 */
import { quoted, UsageError, VERSION } from "../../base/index.ts";
import { isPlain, type Plain, place, valueAt } from "./paths.ts";
import type { SettingsTable } from "./setting.ts";
import type { StoredSettings } from "./settings.ts";
import { settingsTable } from "./table.ts";

/** Parts that every version has written. */
const PARTS = ["web", "web.scope", "web.urlRules", "web.traps", "politeness", "limits"];

/** A setting that is missing has its default; what this version does not know is kept. */
export function parseSettings(json: string, table: SettingsTable = settingsTable): StoredSettings {
  const document = parsed(json);
  const problem = problemOf(document, table);
  if (problem !== undefined || !isPlain(document)) {
    throw new UsageError(
      `the settings of this crawl are damaged (${problem}); restore them, or begin another directory`,
    );
  }
  for (const { stored, default: usual } of Object.values(table)) {
    if (stored !== undefined && usual !== undefined && valueAt(document, stored) === undefined)
      place(document, stored, usual);
  }
  if (valueAt(document, "network.userAgent") === undefined) place(document, "network.userAgent", defaultUserAgent());
  return document as unknown as StoredSettings;
}

export function defaultUserAgent(contact?: string): string {
  return `tidemark/${VERSION}${contact === undefined ? "" : ` (+${contact})`}`;
}

/** Undefined for what is no JSON. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** What is missing or has another type, in words. Ranges are not checked: they may have been different. */
function problemOf(document: unknown, table: SettingsTable): string | undefined {
  if (document === undefined) return "they are no JSON";
  if (!isPlain(document)) return `they are ${quoted(JSON.stringify(document))}, expected an object`;
  const { seeds, network = {} } = document;
  for (const part of [...PARTS, ...("network" in document ? ["network"] : [])]) {
    if (!isPlain(valueAt(document, part))) return wrong(part, valueAt(document, part), "an object");
  }
  if (!isPlain(network)) return wrong("network", network, "an object");
  for (const path of new Set(Object.values(table).map(({ stored }) => stored))) {
    const problem = path === undefined ? undefined : problemAt(document, path, table);
    if (problem !== undefined) return problem;
  }
  return Array.isArray(seeds) && seeds.every(isSeed) ? undefined : wrong("seeds", seeds, "URLs with weights");
}

/** Several rows may share a place, each with a type of its own. */
function problemAt(document: Plain, path: string, table: SettingsTable): string | undefined {
  const value = valueAt(document, path);
  const rows = Object.values(table).filter(({ stored }) => stored === path);
  const isRequired = rows.some(({ givenBy, default: usual }) => givenBy === "nobody" && usual === undefined);
  if (value === undefined && !isRequired) return undefined;
  const fits = rows.some(({ kind, default: usual }) => {
    return (value === null && usual === null) || typeName(value) === kind.type;
  });
  return fits ? undefined : wrong(path, value, rows.map(({ kind }) => `a ${kind.type}`).join(" or "));
}

function wrong(path: string, value: unknown, expected: string): string {
  if (value === undefined) return `${path} is missing`;
  return `${path} is ${quoted(JSON.stringify(value))}, expected ${expected}`;
}

function typeName(value: unknown): string {
  const isList = Array.isArray(value) && value.every((each) => typeof each === "string");
  return isList ? "list" : typeof value;
}

function isSeed(value: unknown): boolean {
  return isPlain(value) && typeof value["url"] === "string" && typeof value["weight"] === "number";
}
