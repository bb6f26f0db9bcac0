/** Controls of a crawl that runs in the server's process: pause, resume, stop, change its limits. */
import type { RefObject, VNode } from "preact";
import { useRef, useState } from "preact/hooks";
import type { Control, Overview } from "../../protocol/http.ts";
import { control } from "../client/api.ts";
import { LimitsForm } from "./limits-form.tsx";
import { ProblemBox } from "./parts.tsx";

export function Controls({ overview }: { readonly overview: Overview }): VNode {
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const stopping = useRef<HTMLDialogElement>(null);
  const limits = useRef<HTMLDialogElement>(null);
  const [isEditing, setIsEditing] = useState(false);
  const isPaused = overview.state === "paused";
  const isStopping = overview.state === "stopping";
  // A button that is disabled or replaced would lose the focus.
  const isLocked = isBusy || isStopping;

  /** Resolves to the problem, or to null. */
  async function send(change: Control): Promise<string | null> {
    setIsBusy(true);
    const answer = await control(change);
    setIsBusy(false);
    return answer.state === "problem" ? answer.problem : null;
  }
  const act = (change: Control): void => void send(change).then(setProblem);

  return (
    <div class="controls" role="group" aria-label="Controls of the crawl">
      <div class="buttons">
        <button
          type="button"
          class={isPaused ? "primary" : ""}
          aria-disabled={isLocked}
          onClick={() => !isLocked && act({ action: isPaused ? "resume" : "pause" })}
        >
          {isPaused ? "Resume" : "Pause"}
        </button>
        <button
          type="button"
          aria-disabled={isStopping}
          onClick={() => {
            if (isStopping) return;
            setIsEditing(true);
            limits.current?.showModal();
          }}
        >
          Limits…
        </button>
        <button
          type="button"
          class="grave"
          aria-disabled={isLocked}
          onClick={() => !isLocked && stopping.current?.showModal()}
        >
          Stop…
        </button>
      </div>
      {problem !== null && <ProblemBox problem={problem} />}
      <StopDialog dialog={stopping} stop={() => act({ action: "stop" })} />
      <dialog ref={limits} aria-labelledby="limits-title" onClose={() => setIsEditing(false)}>
        <h2 id="limits-title">Target and limits</h2>
        {isEditing && (
          <LimitsForm
            limits={overview.limits}
            status={overview.status}
            send={(changes) => send({ action: "limits", limits: changes })}
            close={() => limits.current?.close()}
          />
        )}
      </dialog>
    </div>
  );
}

interface StopDialogProps {
  readonly dialog: RefObject<HTMLDialogElement | null>;
  readonly stop: () => void;
}

function StopDialog({ dialog, stop }: StopDialogProps): VNode {
  return (
    <dialog ref={dialog} aria-labelledby="stop-title">
      <h2 id="stop-title">Stop this crawl?</h2>
      <p>
        Requests in progress are completed and everything is stored. The same command resumes the crawl later. This
        dashboard cannot start it again.
      </p>
      <form method="dialog" class="buttons" onSubmit={(event) => event.submitter?.dataset["stop"] === "yes" && stop()}>
        <button type="submit" autofocus>
          Keep crawling
        </button>
        <button type="submit" class="grave" data-stop="yes">
          Stop the crawl
        </button>
      </form>
    </dialog>
  );
}
