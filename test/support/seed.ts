/**
 * Property tests draw the same cases in every run, so that a run says something about the change and not about luck.
 * Other cases: `TIDEMARK_SEED=12345 npx vitest run`, or `npm run test:explore`, which draws a seed and prints it.
 *
 * A property draws as many cases as its test says; `TIDEMARK_PROPERTY_MS` ends it sooner, after the case at that time.
 *
 * Lists are as long as tests say: at its own default size fast-check draws none of more than ten, whatever the maximum.
 */
import fc from "fast-check";

const limitMs = process.env["TIDEMARK_PROPERTY_MS"];

fc.configureGlobal({
  ...fc.readConfigureGlobal(),
  baseSize: "medium",
  seed: Number(process.env["TIDEMARK_SEED"] ?? 2007),
  ...(limitMs === undefined ? {} : { interruptAfterTimeLimit: Number(limitMs) }),
});
