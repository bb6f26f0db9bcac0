/** Where the rest is: the missing share by reason, host and page. */
import type { VNode } from "preact";
import type { Route } from "../router.ts";

export function RestView({ route }: { readonly route: Route }): VNode {
  return <h1>{route.view}</h1>;
}
