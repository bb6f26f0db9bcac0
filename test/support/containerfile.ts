/** The Containerfile by its stages, as a builder reads it. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Copy, DockerfileParser, From, type Instruction } from "dockerfile-ast";

export const root = fileURLToPath(new URL("../../", import.meta.url));
export const containerfile = readFileSync(`${root}Containerfile`, "utf8");

interface Step {
  readonly keyword: string;
  readonly args: readonly string[];
  /** As it stands there. */
  readonly line: string;
  /** COPY: the stage from which files come; undefined if they come from the repository. */
  readonly from: string | undefined;
}

export interface Stage {
  /** The last stage, which becomes the image, is called "image". */
  readonly name: string;
  readonly base: string;
  readonly steps: readonly Step[];
}

export function stagesOf(text: string): Stage[] {
  const file = DockerfileParser.parse(text);
  const initial = new Map(
    file.getInitialARGs().map((arg) => [arg.getProperty()?.getName(), arg.getProperty()?.getValue()]),
  );
  const stages: { name: string; base: string; steps: Step[] }[] = [];
  for (const instruction of file.getInstructions()) {
    if (instruction instanceof From) {
      const base = (instruction.getImage() ?? "").replace(/\$\{(\w+)\}/g, (_, name: string) => initial.get(name) ?? "");
      stages.push({ name: instruction.getBuildStage() ?? "image", base, steps: [] });
    } else stages.at(-1)?.steps.push(stepOf(instruction));
  }
  return stages;
}

function stepOf(instruction: Instruction): Step {
  return {
    keyword: instruction.getKeyword(),
    args: instruction.getArguments().map((argument) => argument.getValue()),
    line: instruction.getArgumentsContent() ?? "",
    from: instruction instanceof Copy ? (instruction.getFromFlag()?.getValue() ?? undefined) : undefined,
  };
}
