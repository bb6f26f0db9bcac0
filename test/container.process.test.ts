/**
 * What the Containerfile puts into an image runs: its production dependencies are installed by its own line, and files
 * are put where it puts them, in a temporary folder. No image is built.
 */
import { cpSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { Folder, outcomeOf } from "./cli/run.ts";
import { containerfile, root, type Stage, stagesOf } from "./support/containerfile.ts";
import { nodeOf } from "./support/nodes.ts";

const [, dependencies, image] = stagesOf(containerfile);

it("a crawl and a search run with what is in the image, without optional dependencies", async () => {
  const folder = new Folder();
  // Of the build stage only its result matters, which is that of this repository.
  mkdirSync(folder.at("build/opt"), { recursive: true });
  symlinkSync(root, folder.at("build/opt/tidemark"));
  copyInto(folder, dependencies);
  const install = dependencies.steps.find(({ keyword }) => keyword === "RUN")!.line;
  expect(await folder.shell(`cd dependencies/opt/tidemark && ${install}`)).toMatchObject({ code: 0 });
  copyInto(folder, image);

  const { bin } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { bin: { tidemark: string } };
  const program = folder.at(join("image/opt/tidemark", bin.tidemark));
  const run = (args: readonly string[]) => outcomeOf(folder.start(nodeOf(24), [program, ...args]));
  const demo = await run(["demo", "--coverage", "0.5", "--dir", "demo", "--no-serve"]);
  expect(demo).toMatchObject({ code: 0, stdout: expect.stringContaining("certainly covered") });
  const search = await run(["search", "demo", "harbour"]);
  expect(search).toMatchObject({ code: 0, stdout: expect.stringContaining("1. ") });
});

/** Carries out the COPY lines of a stage, with a folder for the root of each stage. */
function copyInto(folder: Folder, { name, steps }: Stage): void {
  let work = "/";
  for (const { keyword, args, from } of steps) {
    if (keyword === "WORKDIR") work = args[0];
    if (keyword !== "COPY") continue;
    const target = args.at(-1)!;
    for (const source of args.slice(0, -1)) {
      const origin = from === undefined ? join(root, source) : folder.at(join(from, source));
      const place = folder.at(join(name, target.startsWith("/") ? target : join(work, target)));
      const path = target.endsWith("/") ? join(place, source) : place;
      mkdirSync(dirname(path), { recursive: true });
      cpSync(origin, path, { recursive: true });
    }
  }
}
