/**
 * Property tests draw the same cases in every run, so that a run says something about the change and not about luck. Other
 * cases: `TIDEMARK_SEED=12345 npx vitest run`, or `npm run test:explore`, which draws a seed and prints it.
 */
import fc from "fast-check";

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env["TIDEMARK_SEED"] ?? 2007) });
