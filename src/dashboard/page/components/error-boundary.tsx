/** Keeps a mistake of ours in one view from taking the whole page with it. */
import { Component, type ComponentChildren } from "preact";
import { Empty } from "./parts.tsx";

interface MishapProps {
  readonly children: ComponentChildren;
}

interface MishapState {
  readonly message: string | null;
}

export class ErrorBoundary extends Component<MishapProps, MishapState> {
  override state: MishapState = { message: null };

  static override getDerivedStateFromError(error: unknown): MishapState {
    return { message: error instanceof Error ? error.message : String(error) };
  }

  override render(): ComponentChildren {
    const { message } = this.state;
    if (message === null) return this.props.children;
    return (
      <Empty title="This view could not be shown">
        <p>
          It is a mistake of the dashboard, not of the crawl, which is not touched by it: {message}. Load the
          page again; if it stays, please report it.
        </p>
      </Empty>
    );
  }
}
