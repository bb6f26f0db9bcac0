/** The JSON schema of a config file, for editors and for programs that write one. */
import { givenNames, keyOf, type Setting, type SettingsTable } from "./setting.ts";
import { settingsTable } from "./table.ts";

export function configSchema(table: SettingsTable = settingsTable): object {
  const properties: Record<string, object> = {};
  for (const name of givenNames(table)) {
    if (name === "config") continue;
    properties[keyOf(name)] = described(table[name]);
    // Both spellings are accepted; one of them is described.
    if (keyOf(name) !== name) properties[name] = { $ref: `#/properties/${keyOf(name)}` };
  }
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Settings of a crawl (tidemark crawl --config FILE)",
    type: "object",
    minProperties: 1,
    properties,
    additionalProperties: false,
  };
}

function described({ kind, help, default: usual, defaultInWords: words }: Setting): object {
  const isPlain = usual !== undefined && usual !== null && words === undefined;
  // Times, sizes and addresses as people write them.
  const isWritten = kind.unit !== undefined || (typeof usual === "object" && !Array.isArray(usual));
  return {
    description: words === undefined ? help : `${help} (default: ${words})`,
    ...kind.schema,
    ...(isPlain ? { default: isWritten ? kind.write(usual) : usual } : {}),
  };
}
