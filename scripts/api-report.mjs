/**
 * The API report: what each entry of the package exports, with its signatures, in `docs/api`. A change of the public
 * surface is a change of these files. `--check` fails if one of them is out of date; without it they are written.
 */
import { mkdirSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { CompilerState, Extractor, ExtractorConfig, ExtractorLogLevel } from "@microsoft/api-extractor";

const root = fileURLToPath(new URL("../", import.meta.url));
const isCheck = process.argv.includes("--check");
const entries = readdirSync(join(root, "src/public")).map((name) => basename(name, ".ts"));
const none = { logLevel: ExtractorLogLevel.None };

const typesOf = (entry) => join(root, "dist/public", `${entry}.d.ts`);
const configs = entries.map((entry) =>
  ExtractorConfig.prepare({
    configObjectFullPath: undefined,
    packageJsonFullPath: join(root, "package.json"),
    configObject: {
      projectFolder: root,
      mainEntryPointFilePath: typesOf(entry),
      compiler: {
        overrideTsconfig: {
          compilerOptions: { target: "es2023", lib: ["es2023"], module: "nodenext", types: ["node"], strict: true },
          files: entries.map(typesOf),
        },
      },
      apiReport: {
        enabled: true,
        reportFileName: `${entry}.api.md`,
        reportFolder: folder("docs/api"),
        reportTempFolder: folder("out/api-report"),
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: {
        extractorMessageReporting: { default: none },
        tsdocMessageReporting: { default: none },
      },
    },
  }),
);
// All entries are looked at in one program: most of the work is to read what they share.
const compilerState = CompilerState.create(configs[0], { additionalEntryPoints: entries.map(typesOf) });
const outdated = entries.filter((_, k) => {
  const options = { compilerState, localBuild: !isCheck, messageCallback: quietly };
  return Extractor.invoke(configs[k], options).apiReportChanged;
});
if (isCheck && outdated.length > 0) {
  const files = outdated.map((entry) => `docs/api/${entry}.api.md`).join(", ");
  console.error(`the public surface has changed: ${files}; run npm run docs:api and look at the difference`);
  process.exitCode = 1;
}

function folder(path) {
  const whole = join(root, path);
  mkdirSync(whole, { recursive: true });
  return whole;
}

/** That a report has changed is our own message to tell. */
function quietly(message) {
  message.handled = true;
}
