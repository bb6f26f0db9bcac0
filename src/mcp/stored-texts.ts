/** Whether a crawl has the text of its pages: crawls of clients do, others that lie in the folder may not. */
import { UsageError } from "../base/index.ts";
import { hasTexts } from "../content/index.ts";
import { reading } from "../store/index.ts";

/** Throws a `UsageError` that says what a client can do where there is no text. */
export function expectTexts(dir: string): Promise<void> {
  return reading(dir, (store) => {
    if (!hasTexts(dir, store)) throw noTexts(store);
  });
}

/** A crawl that goes on stores the text of its new pages only, which a finished one does not have. */
function noTexts({ hasPages }: { readonly hasPages: boolean }): UsageError {
  if (!hasPages) return new UsageError("this crawl has no pages yet: see status, or call crawl with its name");
  return new UsageError(
    "this crawl was made elsewhere and has stored no text of its pages: call crawl with its URLs and another name, " +
      "which fetches them again and stores their text",
  );
}
