export { startRenderer } from "./chromium-renderer.ts";
export type {
  BrowserRenderer,
  Renderer,
  RenderedPage,
  RenderFailure,
  Rendering,
  RenderJob,
  RenderListener,
  ResourceUse,
  WantedResource,
} from "./contract.ts";
export { findChromium } from "./find-chromium.ts";
export { mayBeSeen, shownHeaders, useOfRequest } from "./request-rules.ts";
export { headersElsewhere } from "./script-headers.ts";
