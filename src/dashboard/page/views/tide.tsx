/** The tide: how much is certainly covered, how it rose, and what is left. */
import type { VNode } from "preact";

export function TideView(): VNode {
  return <h1>The tide</h1>;
}
