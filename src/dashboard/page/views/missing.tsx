/** What is missing: the missing share by reason, then by host, then by page, as a treemap and as a list. */
import type { ComponentChildren, VNode } from "preact";
import { percentAtLeast } from "../../../base/index.ts";
import type { MissingReason } from "../../../coverage/index.ts";
import { atMostInWords, emptyInWords, headline, REASONS, wholeInWords } from "../../../text/index.ts";
import type { Missing, Overview } from "../../protocol/http.ts";
import { useFetch, useLive } from "../client/server.ts";
import { hrefOf, type Route } from "../client/router.ts";
import { Answered, AsOf, Empty, Panel } from "../components/parts.tsx";
import { viewTitles } from "../components/shell.tsx";
import { HostsOfReason, PagesOfHost } from "../missing/hosts.tsx";
import { Outside, Reasons, useReasonWords } from "../missing/reasons.tsx";

export function MissingView({ route }: { readonly route: Route }): VNode {
  const answer = useFetch<Missing>("/api/missing");
  const wanted = route.query.get("reason");
  const reason = wanted !== null && Object.hasOwn(REASONS, wanted) ? (wanted as MissingReason) : null;
  const host = reason === null ? null : route.query.get("host");
  return (
    <>
      {answer.state !== "there" && <h1>{viewTitles.missing}</h1>}
      <Answered answer={answer}>{(missing) => <Level missing={missing} reason={reason} host={host} />}</Answered>
    </>
  );
}

const TREEMAP_WORDS =
  "The area of a rectangle is its share of what is missing. Click a reason to see its hosts, and a host to see its " +
  "pages.";

interface LevelProps {
  readonly missing: Missing;
  readonly reason: MissingReason | null;
  readonly host: string | null;
}

function Level({ missing, reason, host }: LevelProps): VNode {
  const { overview } = useLive();
  if (reason !== null) return <OneReason missing={missing} reason={reason} host={host} />;
  const total = missing.reasons.reduce((sum, { mass }) => sum + mass, 0);
  if (total === 0) {
    return overview !== null && overview.status.pages === 0 ? (
      <>
        <NothingFetched overview={overview} missing={missing} />
        <Outside outside={missing.outside} />
      </>
    ) : (
      <>
        <Frame title="Nothing is missing">
          <Empty title={`${percentAtLeast(missing.coverage)} is covered`}>
            <p>Every reachable page was fetched, and all links are known.</p>
          </Empty>
        </Frame>
        <Outside outside={missing.outside} />
      </>
    );
  }
  const whole = wholeInWords(overview?.universe ?? "allowed");
  return (
    <>
      <Frame
        title={`At most ${complement(missing.coverage)} of ${whole} is missing`}
        lead={TREEMAP_WORDS}
        coverage={missing.coverage}
      >
        <Reasons missing={missing} />
      </Frame>
      <Outside outside={missing.outside} />
    </>
  );
}

interface OneReasonProps extends LevelProps {
  readonly reason: MissingReason;
}

function OneReason({ missing, reason, host }: OneReasonProps): VNode {
  const { overview } = useLive();
  const { name, meaning, advice } = useReasonWords()(reason);
  const path = <Path reason={reason} name={name} host={host} />;
  const leftOut = missing.outside.find((candidate) => candidate.reason === reason);
  const share = leftOut ?? missing.reasons.find((candidate) => candidate.reason === reason);
  if (share === undefined) {
    return (
      <Frame title={name} lead={meaning} path={path}>
        <Empty title="Nothing is missing for this reason" />
      </Frame>
    );
  }
  const whole = leftOut === undefined ? wholeInWords(overview?.universe ?? "allowed") : "everything";
  const note = leftOut === undefined ? "" : ` ${LEFT_OUT_WORDS}`;
  return (
    <Frame
      title={host === null ? `${name}: ${atMostInWords(share.mass)} of ${whole}` : `${name} on ${host}`}
      lead={`${meaning} ${advice}${note}`}
      path={path}
      coverage={missing.coverage}
    >
      {host !== null ? (
        <PagesOfHost reason={reason} host={host} />
      ) : share.hosts.length === 0 ? (
        <Empty title="This share belongs to no host" />
      ) : (
        <HostsOfReason key={reason} share={share} />
      )}
    </Frame>
  );
}

const LEFT_OUT_WORDS = "This is left out of what coverage is measured over.";

interface NothingFetchedProps {
  readonly overview: Overview;
  readonly missing: Missing;
}

function NothingFetched({ overview, missing }: NothingFetchedProps): VNode {
  const hasEnded = overview.state === "ended";
  const empty = hasEnded ? emptyInWords(missing.reasons, missing.outside) : undefined;
  return (
    <Frame title={headline(overview)}>
      <Empty title={hasEnded ? "Nothing is covered" : "The crawl has just started"}>
        <p>
          {hasEnded ? (
            <>
              {empty ?? "Nothing is known about this web."} The <a href={hrefOf("log")}>log</a> shows what happened to
              every request.
            </>
          ) : (
            "What is missing will be known when the first pages have been fetched."
          )}
        </p>
      </Empty>
    </Frame>
  );
}

/** The missing share, rounded up, so that it and the coverage, rounded down, sum to 100%. */
function complement(coverage: number): string {
  return `${(100 - Number.parseFloat(percentAtLeast(coverage))).toFixed(2)}%`;
}

interface FrameProps {
  readonly title: string;
  readonly lead?: string;
  readonly path?: VNode;
  /** Coverage in the survey that the numbers come from. */
  readonly coverage?: number;
  readonly children: ComponentChildren;
}

function Frame({ title, lead, path, coverage, children }: FrameProps): VNode {
  return (
    <>
      <div class="headline">
        <div>
          {path}
          <h1>{title}</h1>
          {lead !== undefined && <p class="lead">{lead}</p>}
          {coverage !== undefined && <AsOf coverage={coverage} />}
        </div>
      </div>
      <Panel>{children}</Panel>
    </>
  );
}

interface PathProps {
  readonly reason: MissingReason;
  readonly name: string;
  readonly host: string | null;
}

function Path({ reason, name, host }: PathProps): VNode {
  return (
    <nav class="path" aria-label="Path">
      <ol>
        <li>
          <a href={hrefOf("missing")}>All reasons</a>
        </li>
        <li>
          {host === null ? <span aria-current="page">{name}</span> : <a href={hrefOf("missing", { reason })}>{name}</a>}
        </li>
        {host !== null && (
          <li>
            <span aria-current="page">
              <bdi>{host}</bdi>
            </span>
          </li>
        )}
      </ol>
    </nav>
  );
}
