/**
 * The files with which workers run in containers, in their guide: a linter reads the Containerfile, and what the compose
 * file names is there. No container is started here.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { validate } from "dockerfile-utils";
import { describe, expect, it } from "vitest";
import { parseDocument } from "yaml";
import { createWholeProgram } from "../src/cli/program.ts";
import { commandsOf } from "../src/cli/reference/command-tree.ts";
import { root } from "./support/containerfile.ts";

interface Service {
  readonly image?: string;
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly command: string;
  readonly secrets: readonly string[];
  readonly volumes?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly secrets: Readonly<Record<string, unknown>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

/** Of services, by the Compose specification; others that the guide may come to use belong here. */
const KEYS = (
  "build command depends_on environment healthcheck image init mem_limit profiles restart secrets shm_size " +
  "stop_grace_period volumes"
).split(" ");

const guide = readFileSync(join(root, "docs/workers.md"), "utf8");
const blocks = Array.from(guide.matchAll(/^```\w*\n(.*?)^```$/gms), ([, text]) => text);
const fileOf = (name: string): string => blocks.find((text) => text.startsWith(`# ${name}`)) ?? "";
const worker = fileOf("Containerfile.worker");
const compose = parseDocument(fileOf("compose.yaml"), { strict: true });
const { services, secrets, volumes } = compose.toJS() as Compose;
const ours = Object.values(services).filter(({ build }) => build !== undefined);

describe("workers in containers", () => {
  it("have a Containerfile that passes the linter, and YAML without a warning", () => {
    expect(worker).toContain("FROM tidemark\n");
    expect(validate(worker)).toEqual([]);
    expect([compose.errors, compose.warnings]).toEqual([[], []]);
  });

  it("have services with keys of Compose, secrets, volumes and services that are declared, and files that are shown", () => {
    for (const service of Object.values(services)) {
      expect(KEYS).toEqual(expect.arrayContaining(Object.keys(service)));
      expect(Object.keys(secrets)).toEqual(expect.arrayContaining([...service.secrets]));
      const mounted = (service.volumes ?? []).map((volume) => volume.split(":")[0]);
      expect(Object.keys(volumes)).toEqual(expect.arrayContaining(mounted));
      for (const [name, { condition }] of Object.entries(service.depends_on ?? {})) {
        expect(condition).toBe("service_healthy");
        expect(services[name]).toHaveProperty("healthcheck");
      }
    }
    expect(ours.map(({ build }) => fileOf(build?.dockerfile ?? ""))).toEqual([worker, worker]);
  });

  it("run commands that there are, with options that they have", async () => {
    const commands = commandsOf(await createWholeProgram());
    const status = /^docker compose run --rm worker ((?:.*\\\n)*.*)$/m.exec(guide)?.[1] ?? "";
    for (const line of [...ours.map(({ command }) => command), status.replaceAll("\\\n", " ")]) {
      const [group, name] = line.split(" ");
      const options = commands.find((each) => each.name === `${group} ${name}`)?.options.flatMap(({ names }) => names);
      const given = line.split(/\s+/).filter((word) => word.startsWith("--"));
      expect(given.length).toBeGreaterThan(1);
      expect(options).toEqual(expect.arrayContaining(given));
      // The password is the secret that the service has.
      const [, secret] = / --password-file \/run\/secrets\/(\S+)/.exec(line) ?? [];
      expect(Object.keys(secrets)).toContain(secret);
    }
  });
});
