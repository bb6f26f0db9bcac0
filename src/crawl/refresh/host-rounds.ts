/**
 * When it is decided whether pages of a host are gone or have moved: once all of its pages that were planned when the
 * round began have answered, since only then is it known whether the host looks healthy (absence.ts). Pages that come
 * later wait for nobody: they are never believed to be gone at once.
 */
import type { Reply, Verdict } from "../../fetch/index.ts";
import type { PageTask } from "../dispatcher.ts";
import type { Host } from "../politeness/host.ts";
import { type Absence, HostAnswers } from "./absence.ts";

/** A known page that was not found. */
export interface AbsentPage<Page> {
  readonly page: Page;
  readonly task: PageTask;
  readonly absence: Absence;
  readonly reply: Reply;
  readonly verdict: Verdict;
}

/** What is known of a host in this round. */
interface HostRound<Page> {
  readonly answers: HostAnswers;
  /** Planned pages of which nothing is known yet. */
  left: number;
  readonly absent: AbsentPage<Page>[];
}

const NO_BODY = new Uint8Array(0);

export class HostRounds<Page> {
  readonly #rounds = new Map<Host, HostRound<Page>>();

  /** One more page of the host must answer before any is judged. */
  planned(host: Host): void {
    this.#roundOf(host).left++;
  }

  /** What the host has answered so far. */
  answersOf(host: Host): HostAnswers {
    return this.#roundOf(host).answers;
  }

  /** A page was not found: it waits for the verdict. */
  absent(absent: AbsentPage<Page>): void {
    const { answers, absent: all } = this.#roundOf(absent.task.host);
    answers.absent(absent.absence);
    const { reply } = absent;
    // Bodies are not kept until the host is done.
    all.push({ ...absent, reply: reply.kind === "answer" ? { ...reply, body: NO_BODY } : reply });
  }

  /** So many pages have answered, or will not. Returns the pages to judge, unless planned ones are left. */
  settled(host: Host, pages: number): AbsentPage<Page>[] {
    const round = this.#roundOf(host);
    round.left = Math.max(0, round.left - pages);
    return round.left > 0 ? [] : round.absent.splice(0);
  }

  #roundOf(host: Host): HostRound<Page> {
    let round = this.#rounds.get(host);
    if (round === undefined) this.#rounds.set(host, (round = { answers: new HostAnswers(), left: 0, absent: [] }));
    return round;
  }
}
