/**
 * Filters above a list. They are stored in the address, so a view can be shared, and the back button undoes a choice.
 */
import type { ComponentChildren, VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { HostList } from "../../protocol/http.ts";
import { fetchJson } from "../client/server.ts";
import { pathOf } from "../client/router.ts";

const TYPING_MS = 250;
const HOSTS_OFFERED = 10;

interface SearchProps {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  /** Called when typing pauses. */
  readonly change: (value: string) => void;
}

export function SearchField({ label, placeholder, value, change }: SearchProps): VNode {
  const [text, setText] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const sent = useRef(value);
  useEffect(() => {
    // It was changed by other means than typing: the back button, or a removed chip.
    if (value !== sent.current) setText(value);
    sent.current = value;
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const submit = (next: string): void => {
    clearTimeout(timer.current);
    if (next.trim() === sent.current) return;
    sent.current = next.trim();
    change(sent.current);
  };
  return (
    <label class="list-field field-search">
      <span class="field-name">{label}</span>
      <input
        type="search"
        placeholder={placeholder}
        value={text}
        maxLength={200}
        spellcheck={false}
        autocomplete="off"
        onInput={(event) => {
          const next = event.currentTarget.value;
          setText(next);
          clearTimeout(timer.current);
          timer.current = setTimeout(() => submit(next), TYPING_MS);
        }}
        onKeyDown={(event) => event.key === "Enter" && submit(event.currentTarget.value)}
      />
    </label>
  );
}

interface SelectProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly name: string }[];
  readonly change: (value: string) => void;
}

export function SelectField({ label, value, options, change }: SelectProps): VNode {
  // A value that was typed into the address is shown as it is.
  const isKnown = options.some((option) => option.value === value);
  return (
    <label class="list-field">
      <span class="field-name">{label}</span>
      <select value={value} onChange={(event) => change(event.currentTarget.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.name}
          </option>
        ))}
        {!isKnown && <option value={value}>{value}</option>}
      </select>
    </label>
  );
}

/** A host name, with suggestions that contain the typed text. */
export function HostField({ value, change }: Pick<SearchProps, "value" | "change">): VNode {
  const [text, setText] = useState(value);
  const [offered, setOffered] = useState<readonly string[]>([]);
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text === "" || text === value) return;
    const request = new AbortController();
    const timer = setTimeout(() => {
      const path = pathOf("/api/hosts", { q: text, sort: "pages", count: HOSTS_OFFERED });
      fetchJson<HostList>(path, request.signal).then(
        (answer) => answer.state === "there" && setOffered(answer.value.rows.map(({ host }) => host)),
        () => undefined,
      );
    }, TYPING_MS);
    return () => {
      clearTimeout(timer);
      request.abort();
    };
  }, [text]);
  const submit = (next: string): void => {
    if (next.trim() !== value) change(next.trim());
  };
  return (
    <label class="list-field field-host">
      <span class="field-name">Host</span>
      <input
        type="search"
        placeholder="any"
        value={text}
        list="hosts-offered"
        maxLength={253}
        spellcheck={false}
        autocomplete="off"
        onInput={(event) => {
          const next = event.currentTarget.value;
          setText(next);
          if (next === "" || offered.includes(next)) submit(next);
        }}
        onChange={(event) => submit(event.currentTarget.value)}
        onKeyDown={(event) => event.key === "Enter" && submit(event.currentTarget.value)}
      />
      <datalist id="hosts-offered">
        {offered.map((host) => (
          <option key={host} value={host} />
        ))}
      </datalist>
    </label>
  );
}

/** Filters that a phone hides behind a button. */
export function MoreFilters({ children }: { readonly children: ComponentChildren }): VNode {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        class="more-button"
        aria-expanded={isOpen}
        aria-controls="more-filters"
        onClick={() => setIsOpen(!isOpen)}
      >
        {isOpen ? "Fewer filters" : "More filters"}
      </button>
      <div id="more-filters" class={isOpen ? "more-filters is-open" : "more-filters"}>
        {children}
      </div>
    </>
  );
}

interface Chip {
  readonly name: string;
  readonly value: string;
  readonly remove: () => void;
}

/** The active filters, each with a button that removes it. */
export function Chips({ chips, clear }: { readonly chips: readonly Chip[]; readonly clear: () => void }): VNode | null {
  if (chips.length === 0) return null;
  return (
    <ul class="chips" aria-label="Active filters">
      {chips.map(({ name, value, remove }) => (
        <li key={name}>
          <button type="button" class="chip" onClick={remove} aria-label={`Remove: ${name} ${value}`}>
            <span class="chip-name">{name}</span>
            <bdi>{value}</bdi>
            <span class="cross" aria-hidden="true" />
          </button>
        </li>
      ))}
      {chips.length > 1 && (
        <li>
          <button type="button" class="plain" onClick={clear}>
            Clear all
          </button>
        </li>
      )}
    </ul>
  );
}
