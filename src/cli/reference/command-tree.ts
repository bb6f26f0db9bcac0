/** All commands with their options and arguments, as data: completion and the manual page are made from it. */
import type { Command, Option } from "commander";
import { SettingOption } from "../options/settings.ts";

export interface CommandShape {
  /** The words that call it, such as "graph info". */
  readonly name: string;
  readonly summary: string;
  readonly usage: string;
  readonly options: readonly OptionShape[];
  readonly arguments: readonly ArgumentShape[];
}

export interface OptionShape {
  /** "--json", or "-k" and "--count". */
  readonly names: readonly string[];
  /** As the help has it: "--coverage <share>". */
  readonly flags: string;
  readonly description: string;
  readonly takesValue: boolean;
  readonly choices: readonly string[];
}

interface ArgumentShape {
  readonly description: string;
  readonly choices: readonly string[];
}

/** The commands that do something, in the order of the help. A command with commands of its own stands for these. */
export function commandsOf(program: Command): CommandShape[] {
  return program.commands.flatMap((command) => shapesOf(command, ""));
}

function shapesOf(command: Command, before: string): CommandShape[] {
  const name = `${before}${command.name()}`;
  if (command.commands.length > 0) return command.commands.flatMap((each) => shapesOf(each, `${name} `));
  return [
    {
      name,
      summary: command.summary(),
      usage: command.usage(),
      options: command.options.filter(({ hidden }) => !hidden).map(optionOf),
      arguments: command.registeredArguments.map(({ description, argChoices = [] }) => ({
        description,
        choices: argChoices,
      })),
    },
  ];
}

function optionOf(option: Option): OptionShape {
  const { short, long, flags, description, required, optional, argChoices = [] } = option;
  return {
    names: [short, long].filter((name) => name !== undefined),
    flags,
    description,
    takesValue: required || optional,
    choices: option instanceof SettingOption ? option.choicesOfSetting : argChoices,
  };
}
