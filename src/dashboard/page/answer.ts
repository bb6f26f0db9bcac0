/** What a question to the server leads to; apart from how it is asked, so that what only holds answers needs no browser. */
import type { SurveyProgress } from "../../survey/index.ts";

export type Answer<T> =
  | { readonly state: "loading" }
  | { readonly state: "there"; readonly value: T }
  | { readonly state: "not-yet"; readonly progress: SurveyProgress }
  | { readonly state: "problem"; readonly problem: string };
