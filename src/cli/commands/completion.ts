/** `tidemark completion` */
import { Argument, type Command } from "commander";
import { examples, notes } from "../options/command.ts";
import { commandsOf } from "../reference/command-tree.ts";
import { completionScript, type Shell, shells } from "../reference/completion.ts";
import { writeOut } from "../terminal/terminal.ts";

export function declare(command: Command, wholeProgram: () => Promise<Command>): void {
  command
    .addArgument(new Argument("<shell>", "the shell to complete in").choices(shells))
    .action(async (shell: Shell) => writeOut(completionScript(shell, commandsOf(await wholeProgram()))));
  notes(command, [
    {
      title: "To have it in every shell, add this line to its file",
      lines: [
        ["~/.bashrc", 'eval "$(tidemark completion bash)"'],
        ["~/.zshrc", 'eval "$(tidemark completion zsh)" (after compinit)'],
        ["~/.config/fish/config.fish", "tidemark completion fish | source"],
      ],
    },
  ]);
  examples(command, ["tidemark completion bash > tidemark.bash"]);
}
