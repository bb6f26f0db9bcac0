/**
 * Scripts that complete commands, options and their values in a shell. They are text made from the tree of commands:
 * a library that asks the program at every key would start Node each time.
 */
import type { CommandShape, OptionShape } from "./command-tree.ts";

export const shells = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof shells)[number];

export function completionScript(shell: Shell, commands: readonly CommandShape[]): string {
  return { bash, zsh, fish }[shell](commands);
}

/** Commands that have commands of their own, with these. */
function families(commands: readonly CommandShape[]): Map<string, CommandShape[]> {
  const all = new Map<string, CommandShape[]>();
  for (const command of commands) {
    const [family] = command.name.split(" ");
    all.set(family, [...(all.get(family) ?? []), command]);
  }
  return all;
}

function isFamily(members: readonly CommandShape[]): boolean {
  return members.some(({ name }) => name.includes(" "));
}

const lastWord = ({ name }: CommandShape): string => name.replace(/.* /, "");

/** What can stand at any place that is no option: files, or one of a few words. */
const choicesOf = ({ arguments: given }: CommandShape): readonly string[] => given.flatMap(({ choices }) => choices);

function bash(commands: readonly CommandShape[]): string {
  const groups = families(commands);
  const nested = [...groups].filter(([, members]) => isFamily(members));
  const values = commands.flatMap(({ name, options }) => {
    const valued = options.filter(({ takesValue }) => takesValue);
    const places = ({ names }: OptionShape): string => names.map((option) => `"${name} ${option}"`).join("|");
    const chosen = valued.filter(({ choices }) => choices.length > 0);
    const free = valued.filter(({ choices }) => choices.length === 0);
    return [
      ...chosen.map((option) => `    ${places(option)}) words="${option.choices.join(" ")}" ;;`),
      ...(free.length === 0 ? [] : [`    ${free.map(places).join("|")}) ;;`]),
    ];
  });
  const words = commands.map((command) => {
    const options = command.options.flatMap(({ names }) => names).join(" ");
    return `    "${command.name}") options="${options}" words="${choicesOf(command).join(" ")}" ;;`;
  });
  return `# Completion of tidemark for bash: eval "$(tidemark completion bash)"
_tidemark() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}"
  local command="\${COMP_WORDS[1]}" options="" words="" at=1
  case "$command" in
    ${nested.map(([family]) => family).join("|")}) command="$command \${COMP_WORDS[2]}" at=2 ;;
  esac
  if (( COMP_CWORD == 1 )); then
    words="${[...groups.keys(), "help"].join(" ")}"
  elif (( COMP_CWORD == at )); then
    case "\${COMP_WORDS[1]}" in
${nested.map(([family, members]) => `      ${family}) words="${members.map(lastWord).join(" ")}" ;;`).join("\n")}
    esac
  else
    case "$command $before" in
${values.join("\n")}
    *)
      case "$command" in
${words.join("\n")}
      esac
      [[ "$current" == -* ]] && words="$options --help"
      ;;
    esac
  fi
  # Without words of ours the shell completes names of files.
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _tidemark tidemark
`;
}

function zsh(commands: readonly CommandShape[]): string {
  const groups = families(commands);
  const described = (name: string, summary: string): string => `'${escaped(`${name}:${summary}`)}'`;
  const list = [...groups].map(([family, members]) =>
    described(family, isFamily(members) ? `${members.map(lastWord).join(", ")}` : members[0].summary),
  );
  const cases = [...groups].map(([family, members]) =>
    isFamily(members)
      ? `    ${family})
      if (( CURRENT == 2 )); then
        _values command ${members.map((each) => `'${lastWord(each)}[${escaped(each.summary)}]'`).join(" ")}
      else
        shift words; (( CURRENT-- ))
        case $words[1] in
${members.map((each) => `        ${lastWord(each)}) ${zshArguments(each)} ;;`).join("\n")}
        esac
      fi ;;`
      : `    ${family}) ${zshArguments(members[0])} ;;`,
  );
  return `#compdef tidemark
# Completion of tidemark for zsh: eval "$(tidemark completion zsh)"
_tidemark() {
  local -a commands=(${list.join(" ")})
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  shift words; (( CURRENT-- ))
  case $words[1] in
${cases.join("\n")}
  esac
}
compdef _tidemark tidemark
`;
}

function zshArguments(command: CommandShape): string {
  const specs = command.options.flatMap((option) => option.names.map((name) => zshOption(name, option)));
  const choices = choicesOf(command);
  const rest = choices.length === 0 ? "'*:file:_files'" : `'*:word:(${choices.join(" ")})'`;
  return `_arguments ${[...specs, "'--help[show its help]'", rest].join(" ")}`;
}

function zshOption(name: string, { description, takesValue, choices }: OptionShape): string {
  const what = choices.length === 0 ? "_files" : `(${choices.join(" ")})`;
  const value = takesValue ? `:value:${what}` : "";
  return `'*${name}[${escaped(description).replaceAll(/[[\]]/g, "\\$&")}]${value}'`;
}

function fish(commands: readonly CommandShape[]): string {
  const groups = families(commands);
  const lines = [...groups].flatMap(([family, members]) => {
    const summary = isFamily(members) ? members.map(lastWord).join(", ") : members[0].summary;
    const top = `complete -c tidemark -n __fish_use_subcommand -f -a ${family} -d '${escaped(summary)}'`;
    return [top, ...members.flatMap((command) => fishCommand(command, isFamily(members)))];
  });
  return `# Completion of tidemark for fish: tidemark completion fish | source\n${lines.join("\n")}\n`;
}

function fishCommand(command: CommandShape, isNested: boolean): string[] {
  const [family] = command.name.split(" ");
  const member = lastWord(command);
  const isChosen = `__fish_seen_subcommand_from ${family}`;
  const condition = isNested ? `${isChosen}; and __fish_seen_subcommand_from ${member}` : isChosen;
  const own = isNested
    ? [
        `complete -c tidemark -n '${isChosen}; and not __fish_seen_subcommand_from ${member}' -f -a ${member} ` +
          `-d '${escaped(command.summary)}'`,
      ]
    : [];
  const choices = choicesOf(command);
  const words = choices.length === 0 ? [] : [`complete -c tidemark -n '${condition}' -f -a '${choices.join(" ")}'`];
  return [...own, ...words, ...command.options.map((option) => fishOption(condition, option))];
}

function fishOption(condition: string, { names, description, takesValue, choices }: OptionShape): string {
  const flags = names.map((name) => (name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
  const value = choices.length > 0 ? ` -x -a '${choices.join(" ")}'` : takesValue ? " -r" : "";
  return `complete -c tidemark -n '${condition}' ${flags.join(" ")}${value} -d '${escaped(description)}'`;
}

/** For single quotes, which end where a quotation mark is needed: these shells all join what stands side by side. */
function escaped(text: string): string {
  return text.replaceAll("'", `'"'"'`);
}
