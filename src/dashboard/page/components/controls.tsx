/**
 * Controls of a crawl that runs in the server's process: pause, resume, stop, change its limits. The form for the
 * limits asks before it sets limits that would end the crawl.
 */
import type { RefObject, VNode } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Limits } from "../../../crawl/index.ts";
import type { Control, LimitChanges, Overview } from "../../protocol/http.ts";
import { control } from "../client/server.ts";
import { changesOf, type LimitField, limitFields, reachedBy, readLimit, writtenLimit } from "./limits.ts";
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
        <button type="submit">Keep crawling</button>
        <button type="submit" class="grave" data-stop="yes">
          Stop the crawl
        </button>
      </form>
    </dialog>
  );
}

interface LimitsFormProps {
  readonly limits: Limits;
  /** The current status of the crawl. */
  readonly status: Overview["status"];
  /** Resolves to the server's objection, or to null. */
  readonly send: (changes: LimitChanges) => Promise<string | null>;
  readonly close: () => void;
}

/** Changes to confirm, and why they would end the crawl. */
interface Question {
  readonly changes: LimitChanges;
  readonly reached: readonly string[];
}

function LimitsForm({ limits, status, send, close }: LimitsFormProps): VNode {
  // The limits when the form was opened: the crawl continues meanwhile.
  const [texts, setTexts] = useState(
    () => new Map(limitFields.map((field) => [field.name, writtenLimit(field, limits)])),
  );
  const [isTried, setIsTried] = useState(false);
  const [question, setQuestion] = useState<Question | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const read = limitFields.map((field) => ({ field, value: readLimit(field, texts.get(field.name) ?? "") }));

  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    setIsTried(true);
    const wanted: Partial<Record<keyof Limits, number | null>> = {};
    for (const { field, value } of read) {
      if (typeof value === "object" && value !== null) {
        document.getElementById(idOf(field))?.focus();
        return;
      }
      wanted[field.name] = value;
    }
    const changes = changesOf(limits, wanted);
    const reached = reachedBy(changes, status);
    if (reached.length > 0) setQuestion({ changes, reached });
    else await change(changes);
  }

  async function change(changes: LimitChanges): Promise<void> {
    const objection = Object.keys(changes).length === 0 ? null : await send(changes);
    setQuestion(null);
    if (objection === null) close();
    else setProblem(objection);
  }

  if (question !== null) {
    return (
      <EndsAtOnce reached={question.reached} back={() => setQuestion(null)} end={() => void change(question.changes)} />
    );
  }
  return (
    <form class="limits" noValidate onSubmit={(event) => void submit(event)}>
      <p class="muted small">The crawl ends at the first limit that it reaches. Leave a field empty for no limit.</p>
      {read.map(({ field, value }, index) => (
        <LimitInput
          key={field.name}
          field={field}
          isFirst={index === 0}
          text={texts.get(field.name) ?? ""}
          problem={isTried && typeof value === "object" && value !== null ? value.problem : null}
          onInput={(text) => setTexts(new Map(texts).set(field.name, text))}
        />
      ))}
      {problem !== null && <ProblemBox problem={problem} />}
      <div class="buttons">
        <button type="button" onClick={close}>
          Cancel
        </button>
        <button type="submit" class="primary">
          Change limits
        </button>
      </div>
    </form>
  );
}

interface EndsAtOnceProps {
  readonly reached: readonly string[];
  readonly back: () => void;
  readonly end: () => void;
}

/** The focus is on the way back from the first moment, so a second Enter, however quick, does not end the crawl. */
function EndsAtOnce({ reached, back, end }: EndsAtOnceProps): VNode {
  const way = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => way.current?.focus(), []);
  return (
    <div class="limits">
      <div role="alert">
        <p>
          <b>The crawl has reached this already. It would end at once.</b>
        </p>
        <ul class="reached">
          {reached.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      </div>
      <div class="buttons">
        <button type="button" ref={way} onClick={back}>
          Back to the limits
        </button>
        <button type="button" class="grave" onClick={end}>
          End the crawl
        </button>
      </div>
    </div>
  );
}

interface LimitInputProps {
  readonly field: LimitField;
  readonly isFirst: boolean;
  readonly text: string;
  readonly problem: string | null;
  readonly onInput: (text: string) => void;
}

function LimitInput({ field, isFirst, text, problem, onInput }: LimitInputProps): VNode {
  const id = idOf(field);
  const input = useRef<HTMLInputElement>(null);
  // The dialog opens before its form is drawn, so it cannot set the focus itself.
  useLayoutEffect(() => {
    if (isFirst) input.current?.select();
  }, [isFirst]);
  return (
    <div class="field">
      <label for={id}>
        {field.label} <span class="muted small">{field.hint}</span>
      </label>
      <span class="with-unit">
        <input
          id={id}
          ref={input}
          inputMode={field.isWhole ? "numeric" : "decimal"}
          autocomplete="off"
          value={text}
          aria-invalid={problem !== null}
          aria-describedby={`${id}-unit${problem === null ? "" : ` ${id}-problem`}`}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
        <span id={`${id}-unit`} class="muted">
          {field.unit}
        </span>
      </span>
      {problem !== null && (
        <p id={`${id}-problem`} class="field-problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

function idOf({ name }: LimitField): string {
  return `limit-${name}`;
}
