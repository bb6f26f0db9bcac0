/** The importance of pages, as a search counts it (content/search.ts). */
import type { Importance } from "../content/index.ts";
import type { Survey } from "./survey.ts";

export function searchImportance(survey: Survey): Importance {
  const { facts, byImportance } = survey;
  // Nothing is certain about a URL that is newer than the survey.
  const of = (id: number): number => (id < facts.urls ? survey.interval(id).low : 0);
  return { of, greatest: byImportance.length === 0 ? 0 : of(byImportance[0]), pages: facts.status.pages };
}
