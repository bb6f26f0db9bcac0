/** Settings as one would type them in a shell. */
import { type StoredSettings, type TypedSetting, typedSettings } from "../../crawl/index.ts";
import { shellWord } from "../terminal/words.ts";

export function typedOptions(
  settings: Partial<StoredSettings>,
  isWanted: (setting: TypedSetting) => boolean = () => true,
): string[] {
  return typedSettings(settings)
    .filter(isWanted)
    .map(({ flag, value }) => (value === undefined ? flag : `${flag} ${shellWord(value)}`));
}
