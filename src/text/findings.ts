/** What came at the end of a link, in a narrow column. */
import type { PageStateName } from "../coverage/index.ts";
import type { Visit } from "../log/index.ts";
import { shortReason } from "./events.ts";
import { stateTexts } from "./states.ts";

interface LinkEnd extends Pick<Visit, "reason" | "detail"> {
  readonly state: PageStateName;
  readonly status: number | null;
}

/** "404", "redirect loop", "leaves the scope", "connect timeout", "waiting". */
export function linkEndInWords({ state, status, reason, detail }: LinkEnd): string {
  if (status !== null && status >= 300 && status < 400) {
    if (reason === "out-of-scope") return "leaves the scope";
    return shortReason({ reason, detail }) || "redirect loop";
  }
  if (status !== null) return String(status);
  return shortReason({ reason, detail }) || stateTexts[state].name.toLowerCase();
}
