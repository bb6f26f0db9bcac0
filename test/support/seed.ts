/**
 * Property tests draw the same cases in every run, so that a run says something about the change and not about luck.
 * Other cases: `TIDEMARK_SEED=12345 npx vitest run`, or `npm run test:explore`, which draws a seed and prints it.
 *
 * Lists are as long as tests say: at its own default size fast-check draws none of more than ten, whatever the maximum.
 */
import fc from "fast-check";
import { cases } from "./cases.ts";

fc.configureGlobal({
  ...fc.readConfigureGlobal(),
  baseSize: "medium",
  seed: Number(process.env["TIDEMARK_SEED"] ?? 2007),
  numRuns: cases(100),
});
