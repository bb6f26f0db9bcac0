/**
 * Scripts of ours in a page, in a world of their own: they see its document, but nothing that its scripts have put in
 * the place of functions of the browser. The content security policy of the page does not hold for them.
 */
import type { CDPSession, Page } from "playwright-core";

export class IsolatedWorld {
  readonly #session: CDPSession;

  private constructor(session: CDPSession) {
    this.#session = session;
  }

  static async build(page: Page): Promise<IsolatedWorld> {
    return new IsolatedWorld(await page.context().newCDPSession(page));
  }

  /** Gives each document a function of this name, before its scripts, and calls back when it is called. */
  async expose(name: string, onCall: () => void): Promise<void> {
    this.#session.on("Runtime.bindingCalled", (call) => {
      if (call.name === name) onCall();
    });
    // Without this, documents that are opened later do not get it.
    await this.#session.send("Runtime.enable");
    await this.#session.send("Runtime.addBinding", { name });
  }

  /** The value of an expression, awaited if it is a promise. Throws if it throws, or if the page is gone. */
  async evaluate(expression: string): Promise<unknown> {
    const session = this.#session;
    // Made anew each time: it ends with its document.
    const { frameTree } = await session.send("Page.getFrameTree");
    const { executionContextId } = await session.send("Page.createIsolatedWorld", { frameId: frameTree.frame.id });
    const { result, exceptionDetails } = await session.send("Runtime.evaluate", {
      expression,
      contextId: executionContextId,
      returnByValue: true,
      awaitPromise: true,
    });
    if (exceptionDetails !== undefined) throw new Error(`the page cannot be read: ${exceptionDetails.text}`);
    return result.value;
  }
}
