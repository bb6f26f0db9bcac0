/** The form for the target and limits of a running crawl. It asks before it sets limits that would end the crawl. */
import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Limits } from "../../../crawl/index.ts";
import type { Overview } from "../../protocol/http.ts";
import {
  changesOf,
  type LimitChanges,
  type LimitField,
  limitFields,
  reachedBy,
  readLimit,
  writtenLimit,
} from "./limits.ts";
import { ProblemBox } from "./parts.tsx";

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

export function LimitsForm({ limits, status, send, close }: LimitsFormProps): VNode {
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

/** The focus is on the way back, so a second Enter does not end the crawl. */
function EndsAtOnce({ reached, back, end }: EndsAtOnceProps): VNode {
  const way = useRef<HTMLButtonElement>(null);
  useEffect(() => way.current?.focus(), []);
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
  useEffect(() => {
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
