/** The form in which target and limits of a running crawl are changed. */
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { Limits } from "../../protocol.ts";
import {
  changesOf,
  type LimitChanges,
  type LimitField,
  limitFields,
  readLimit,
  writtenLimit,
} from "./limits.ts";
import { ProblemBox } from "./parts.tsx";

interface LimitsFormProps {
  readonly limits: Limits;
  /** Resolves to what the server has against it, or to null. */
  readonly send: (changes: LimitChanges) => Promise<string | null>;
  readonly close: () => void;
}

export function LimitsForm({ limits, send, close }: LimitsFormProps): VNode {
  // What was there when the form was opened: the crawl goes on meanwhile.
  const [texts, setTexts] = useState(
    () => new Map(limitFields.map((field) => [field.name, writtenLimit(field, limits)])),
  );
  const [isTried, setIsTried] = useState(false);
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
    const objection = Object.keys(changes).length === 0 ? null : await send(changes);
    if (objection === null) close();
    else setProblem(objection);
  }

  return (
    <form class="limits" noValidate onSubmit={(event) => void submit(event)}>
      <p class="muted small">
        The crawl ends at whichever is reached first. Leave a field empty for no limit.
      </p>
      {read.map(({ field, value }) => (
        <LimitInput
          key={field.name}
          field={field}
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

interface LimitInputProps {
  readonly field: LimitField;
  readonly text: string;
  readonly problem: string | null;
  readonly onInput: (text: string) => void;
}

function LimitInput({ field, text, problem, onInput }: LimitInputProps): VNode {
  const id = idOf(field);
  return (
    <div class="field">
      <label for={id}>
        {field.label} <span class="muted small">{field.hint}</span>
      </label>
      <span class="with-unit">
        <input
          id={id}
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
