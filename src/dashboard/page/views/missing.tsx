/** Where the rest is: the missing share by reason, then host, then page, as a picture and as a list. */
import type { ComponentChildren, VNode } from "preact";
import { percentAtLeast } from "../../../base/index.ts";
import type { MissingReason } from "../../../coverage/index.ts";
import { REASONS, shareInWords } from "../../../text/index.ts";
import type { Missing, Overview } from "../../protocol/http.ts";
import { useAsk } from "../client/api.ts";
import { useLive } from "../client/live.ts";
import { hrefOf, type Route } from "../client/router.ts";
import { Answered, AsOf, Empty, Panel } from "../components/parts.tsx";
import { reasonWordsOf } from "../components/words.ts";
import { HostsOfReason, PagesOfHost } from "../missing/hosts.tsx";
import { Reasons } from "../missing/reasons.tsx";
import { headline } from "../tide/headline.ts";

export function RestView({ route }: { readonly route: Route }): VNode {
  const answer = useAsk<Missing>("/api/missing");
  const wanted = route.query.get("reason");
  const reason = wanted !== null && Object.hasOwn(REASONS, wanted) ? (wanted as MissingReason) : null;
  const host = reason === null ? null : route.query.get("host");
  return (
    <>
      {answer.state !== "there" && <h1>Where the rest is</h1>}
      <Answered answer={answer}>
        {(missing) => <Level missing={missing} reason={reason} host={host} />}
      </Answered>
    </>
  );
}

interface LevelProps {
  readonly missing: Missing;
  readonly reason: MissingReason | null;
  readonly host: string | null;
}

function Level({ missing, reason, host }: LevelProps): VNode {
  const { overview } = useLive();
  const rest = missing.reasons.reduce((sum, { mass }) => sum + mass, 0);
  if (rest === 0) {
    return overview !== null && overview.status.pages === 0 ? (
      <NothingRead overview={overview} />
    ) : (
      <Frame title="Nothing is missing">
        <Empty title={`${percentAtLeast(missing.coverage)} is covered`}>
          <p>Every page that can be reached was read, and all of its links are known.</p>
        </Empty>
      </Frame>
    );
  }
  if (reason === null) {
    return (
      <Frame
        title={`At most ${complement(missing.coverage)} of all importance is not covered`}
        lead="Each rectangle is as large as its share of what is missing. Look into a reason to see its hosts, and into a host to see its pages."
        coverage={missing.coverage}
      >
        <Reasons missing={missing} />
      </Frame>
    );
  }
  const share = missing.reasons.find((candidate) => candidate.reason === reason);
  const { name, meaning, advice } = reasonWordsOf(reason, overview);
  const path = <Path reason={reason} host={host} />;
  if (share === undefined) {
    return (
      <Frame title={name} lead={meaning} path={path}>
        <Empty title="Nothing is missing for this reason" />
      </Frame>
    );
  }
  return (
    <Frame
      title={host === null ? `${name}: ${shareInWords(share.mass)} of all importance` : `${name} on ${host}`}
      lead={`${meaning} ${advice}`}
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

function NothingRead({ overview }: { readonly overview: Overview }): VNode {
  const isOver = overview.state === "ended";
  return (
    <Frame title={headline(overview)}>
      <Empty title={isOver ? "Nothing is known of the rest" : "The crawl has just begun"}>
        <p>
          {isOver ? (
            <>
              The <a href={hrefOf("log")}>log</a> says what became of every request.
            </>
          ) : (
            "Where the rest is will be known once the first pages are read."
          )}
        </p>
      </Empty>
    </Frame>
  );
}

/** What is missing of a coverage that is cut: rounded up, so that both add up to 100%. */
function complement(coverage: number): string {
  return `${(100 - Number.parseFloat(percentAtLeast(coverage))).toFixed(2)}%`;
}

interface FrameProps {
  readonly title: string;
  readonly lead?: string;
  readonly path?: VNode;
  /** Of the survey from which the numbers are. */
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

function Path({ reason, host }: { readonly reason: MissingReason; readonly host: string | null }): VNode {
  const { overview } = useLive();
  const { name } = reasonWordsOf(reason, overview);
  return (
    <nav class="path" aria-label="Way into the rest">
      <ol>
        <li>
          <a href={hrefOf("rest")}>All reasons</a>
        </li>
        <li>
          {host === null ? (
            <span aria-current="page">{name}</span>
          ) : (
            <a href={hrefOf("rest", { reason })}>{name}</a>
          )}
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
