/** The Containerfile: a linter reads it, and what it names is what the repository has. No image is built here. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path/posix";
import { validate } from "dockerfile-utils";
import { describe, expect, it } from "vitest";
import { settingsTable } from "../src/crawl/settings/index.ts";
import { containerfile, root, type Stage, stagesOf } from "./support/containerfile.ts";
import { NODES } from "./support/nodes.ts";

const stages = stagesOf(containerfile);
const image = stages.at(-1)!;
const { bin, engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  bin: Readonly<Record<string, string>>;
  engines: { readonly node: string };
};

function linesOf({ steps }: Stage, keyword: string): string[] {
  return steps.filter((step) => step.keyword === keyword).map(({ line }) => line);
}

/** What a stage takes from the repository. */
function sourcesOf({ steps }: Stage): string[] {
  return steps
    .filter(({ keyword, from }) => keyword === "COPY" && from === undefined)
    .flatMap(({ args }) => args.slice(0, -1));
}

describe("the Containerfile", () => {
  it("passes the linter, which finds mistakes", () => {
    expect(validate(containerfile)).toEqual([]);
    expect(validate(containerfile.replace("STOPSIGNAL SIGTERM", "STOPSIGNAL"))).not.toEqual([]);
    expect(validate(containerfile.replace("COPY --from", "COPY --form"))).not.toEqual([]);
  });

  it("takes from the repository what is there, and .dockerignore lets just that through", () => {
    const sources = new Set(stages.flatMap(sourcesOf));
    for (const source of sources) expect(existsSync(join(root, source)), source).toBe(true);
    const lines = readFileSync(join(root, ".dockerignore"), "utf8")
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"));
    expect(lines[0]).toBe("*");
    expect(lines.slice(1).toSorted()).toEqual([...sources].map((source) => `!${source}`).toSorted());
  });

  it("builds from everything that the build reads", () => {
    const build = readFileSync(join(root, "scripts/build.mjs"), "utf8");
    const [, settings = ""] = /const settings = \[(.*)\];/.exec(build) ?? [];
    const read = [...settings.matchAll(/"([^"]+)"/g)].map(([, name]) => name);
    expect(read.length).toBeGreaterThan(3);
    expect(sourcesOf(stages[0]).toSorted()).toEqual([...read, "src"].toSorted());
  });

  it("copies between stages what an earlier stage has in its folder", () => {
    const copies = image.steps.filter(({ from }) => from !== undefined);
    expect(copies.map(({ from }) => from)).toEqual(["dependencies", "build"]);
    for (const { from, args } of copies) {
      const stage = stages.slice(0, -1).find(({ name }) => name === from)!;
      expect(args[0].startsWith(`${linesOf(stage, "WORKDIR").at(-1)}/`)).toBe(true);
      // Programs find their modules beside them.
      expect(args[1]).toBe(args[0]);
    }
  });

  it("uses one Node, which the package allows and the tests run on", () => {
    const [base, ...others] = new Set(stages.map((stage) => stage.base));
    const major = Number(/^node:(\d+)-slim$/.exec(base)?.[1]);
    expect(others).toEqual([]);
    expect(NODES).toContain(major);
    expect(major).toBeGreaterThanOrEqual(Number(/^>=(\d+)$/.exec(engines.node)?.[1]));
  });

  it("starts the command of the package, as a user who owns the folder of crawls and nothing else", () => {
    const [[name, file]] = Object.entries(bin);
    const [run] = linesOf(image, "RUN");
    expect(run).toContain(`ln -s ${join("/opt/tidemark", file)} /usr/local/bin/${name} `);
    expect(linesOf(image, "ENTRYPOINT")).toEqual([JSON.stringify([name])]);
    expect(linesOf(image, "USER")).toEqual(["node"]);
    const [folder] = linesOf(image, "WORKDIR");
    expect(run).toContain(`install -d -o node -g node ${folder}`);
    expect(linesOf(image, "VOLUME")).toEqual([JSON.stringify([folder])]);
  });

  it("names the port of the dashboard and the signal that stops a crawl", () => {
    const { port } = settingsTable.listen.default as { port: number };
    expect(linesOf(image, "EXPOSE")).toEqual([`${port}`]);
    expect(linesOf(image, "STOPSIGNAL")).toEqual(["SIGTERM"]);
  });
});
