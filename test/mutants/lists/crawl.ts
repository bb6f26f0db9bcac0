/** Bugs in the crawler: what it remembers, what it believes, whom it requests, when it stops. */
import type { Mutant } from "../mutant.ts";

const persistence = "test/crawl/persistence.test.ts";
const doubt = "test/crawl/doubt.test.ts";
const robots = "test/crawl/robots.test.ts";
const limits = "test/crawl/limits.test.ts";
const controls = "test/crawl/controls.test.ts";
const hosts = "test/crawl/host-schedule.test.ts";
const traps = "test/crawl/traps.test.ts";
const resume = "test/crawl/resume.test.ts";
const refresh = "test/crawl/refresh.test.ts";
const remote = "test/crawl/remote.test.ts";
const order = "test/crawl/order.test.ts";
const certificates = "test/crawl/certificates.test.ts";
const feed = "test/log/log-feed.test.ts";
const simulation = "test/crawl/simulation.test.ts";

export const crawl: readonly Mutant[] = [
  {
    file: "src/crawl/url-index.ts",
    find: "if (status !== null) host.hasAnswered = true;",
    replace: "",
    plants: "A resumed crawl forgets that a host has answered, and takes its pages for dead.",
    killedBy: [persistence],
  },
  {
    file: "src/crawl/politeness/robots-policy.ts",
    find: "      host.hasAnswered = true;\n",
    replace: "",
    plants: "A resumed crawl forgets that a host has answered with its robots.txt.",
    killedBy: [persistence],
  },
  {
    file: "src/crawl/politeness/host-schedule.ts",
    find: "host.pausedUntilMs = Math.max(host.pausedUntilMs, untilMs);",
    replace: "host.pausedUntilMs = untilMs;",
    plants: "A later, shorter pause cuts a longer one short.",
    killedBy: [persistence],
  },
  {
    file: "src/crawl/stop-reasons.ts",
    find: 'tally.bytes >= bytes) return "byte-limit"',
    replace: 'tally.bytes > bytes) return "byte-limit"',
    plants: "The limit of bytes is met one page late.",
    killedBy: [persistence],
  },
  {
    file: "src/log/views.ts",
    find: "this.bytes += wireBytes;",
    replace: "this.bytes = wireBytes;",
    plants: "Only the last page counts towards the limit of bytes.",
    killedBy: [persistence],
  },
  {
    file: "src/log/views.ts",
    find: 'if (reason === "failed") this.failed++;',
    replace: "if (reason !== null) this.failed++;",
    plants: "Forbidden URLs count as failed.",
    killedBy: [persistence],
  },
  {
    file: "src/log/log-feed.ts",
    find: 'return path !== null && source !== "link" && source !== "redirect";',
    replace: 'return path !== null && source === "sitemap";',
    plants: "URLs named as canonical, seeds without trust and remote URLs never enter the order.",
    killedBy: [persistence, feed],
  },
  {
    file: "src/log/log-feed.ts",
    find: "if (discoveredAt > this.visits) return;",
    replace: "",
    plants: "A URL that no page links to is known before the visit that brought it.",
    killedBy: [feed],
  },
  {
    file: "src/log/log-feed.ts",
    find: "      for (const received of log.received()) this.received(received);\n",
    replace: "",
    plants: "A resumed crawl forgets what it received from other processes.",
    killedBy: [feed],
  },
  {
    file: "src/log/log-feed.ts",
    find: "log.visits(this.visits + 1)",
    replace: "log.visits(this.visits + 2)",
    plants: "A log that is read in pieces loses a visit at each piece.",
    killedBy: [feed, resume],
  },
  {
    file: "src/log/views.ts",
    find: "this.#redirects.add(url, target) ? PageState.Redirected : PageState.Dead",
    replace: "this.#redirects.add(url, target) ? PageState.Redirected : PageState.Redirected",
    plants: "A loop of redirects is not shown as dead.",
    killedBy: ["test/log/url-view.test.ts"],
  },
  {
    file: "src/crawl/model.ts",
    find: 'if (outcome === "try-again") this.attempts.set(url, (this.attempts.get(url) ?? 0) + 1);',
    replace: 'if (outcome === "try-again") this.attempts.set(url, 1);',
    plants: "Attempts are not counted up: a page that fails is requested for ever.",
    killedBy: [persistence, robots],
  },
  {
    file: "src/crawl/fact-writer.ts",
    find: "const discoveredAt = this.#options.feed.visits + (onVisit ? 1 : 0);",
    replace: "const discoveredAt = this.#options.feed.visits;",
    plants: "What stands on a page is numbered as discovered before it was visited.",
    killedBy: [persistence],
  },
  {
    file: "src/crawl/frontier.ts",
    find: "    if (!isFull) this.awake(host);\n",
    replace: "",
    plants: "A host that was full for a moment is never woken.",
    killedBy: [limits],
  },
  {
    file: "src/crawl/frontier.ts",
    find: "host.pages < pagesPerHost && host.pages + host.fetching >= pagesPerHost",
    replace: "host.pages < pagesPerHost && host.pages + host.fetching > pagesPerHost",
    plants: "A host gives one page more than it may.",
    killedBy: [limits],
  },
  {
    file: "src/crawl/politeness/sitemaps.ts",
    find: "progress.followed >= SITEMAPS_MAX",
    replace: "progress.followed > SITEMAPS_MAX",
    plants: "One sitemap too many is read.",
    killedBy: [persistence],
  },
  {
    file: "src/crawl/politeness/auxiliary-requests.ts",
    find: "request.hops >= ROBOTS_REDIRECTS_MAX",
    replace: "request.hops > ROBOTS_REDIRECTS_MAX",
    plants: "A robots.txt is followed through one redirect too many.",
    killedBy: [persistence, refresh],
  },
  {
    file: "src/crawl/politeness/robots-policy.ts",
    find: "if (!isFailure || isMoved) cache",
    replace: "if (!isFailure) cache",
    plants: "Where a robots.txt has moved to a dead host, the pages of its own host count as dead.",
    killedBy: [robots],
  },
  {
    file: "src/crawl/politeness/robots-policy.ts",
    find: "if (!verdict.pausesHost) failures.pause(",
    replace: "if (verdict.pausesHost) failures.pause(",
    plants: "A robots.txt that answers with an error is requested again at once.",
    killedBy: [persistence],
  },
  {
    file: "src/crawl/politeness/host-failures.ts",
    find: 'reply.failure === "host-not-found" && host.hasAnswered',
    replace: 'reply.failure === "host-not-found" && !host.hasAnswered',
    plants: "A resolver that forgets a host makes its pages dead.",
    killedBy: [doubt, persistence],
  },
  {
    file: "src/crawl/politeness/host-failures.ts",
    find: "if (host.pausedUntilMs === 0) host.failures++;",
    replace: "host.failures++;",
    plants: "Requests that meet the same failure together count several times, and the host is given up too early.",
    killedBy: [controls, robots, simulation],
  },
  {
    file: "src/crawl/politeness/host-schedule.ts",
    find: "this.#rests.push(nowMs + host.delayMs, host);",
    replace: "this.#rests.push(nowMs, host);",
    plants: "Hosts do not rest between two requests.",
    killedBy: [refresh, controls],
  },
  {
    file: "src/crawl/politeness/host-schedule.ts",
    find: "      host.connections = 1;\n",
    replace: "",
    plants: "A host with a crawl-delay is requested on several connections at once.",
    killedBy: [hosts, simulation],
  },
  {
    file: "src/crawl/politeness/politeness.ts",
    find: "    this.#failures.note(host, reply, now);\n",
    replace: "",
    plants: "Failures never pause a host.",
    killedBy: [robots, controls],
  },
  {
    file: "src/crawl/page-outcomes.ts",
    find: "index.hopsTo(url) >= REDIRECTS_MAX",
    replace: "index.hopsTo(url) > REDIRECTS_MAX",
    plants: "A chain of redirects is followed one time too many.",
    killedBy: [traps],
  },
  {
    file: "src/crawl/page-outcomes.ts",
    find: "this.#model.copies.count(url, digest) >= this.#web.sameContentMax",
    replace: "this.#model.copies.count(url, digest) > this.#web.sameContentMax",
    plants: "One copy too many of the same content is followed.",
    killedBy: [persistence],
  },
  {
    file: "src/crawl/page-outcomes.ts",
    find: "if (this.#web.honourCanonical || isRewritten) return false;",
    replace: "",
    plants: "A loop that only our canonical form closes counts as dead.",
    killedBy: [doubt],
  },
  {
    file: "src/crawl/page-outcomes.ts",
    find: "if (attempt >= verdict.attemptsMax)",
    replace: "if (attempt > verdict.attemptsMax)",
    plants: "A page that fails is requested once too often.",
    killedBy: [persistence, robots],
  },
  {
    file: "src/crawl/reader/inline-reader.ts",
    find: "linksUnknown: truncated || page.truncatedLinks,",
    replace: "linksUnknown: page.truncatedLinks,",
    plants: "A page that was cut off counts as one whose links are all known.",
    killedBy: [certificates, doubt, simulation],
  },
  {
    file: "src/crawl/reader/inline-reader.ts",
    find: "const linksUnknown = truncated && isVague(contentType);",
    replace: "const linksUnknown = false;",
    plants: "A body without a type that was cut off counts as a page without links.",
    killedBy: [doubt],
  },
  {
    file: "src/crawl/engine.ts",
    find: 'if (this.#hasStarted) this.#advance(input.kind === "timer", now);',
    replace: "if (this.#hasStarted) this.#advance(true, now);",
    plants: "The next page is chosen before the links of the page that just came are known.",
    killedBy: [order],
  },
  {
    file: "src/crawl/engine.ts",
    find: "this.mayStart = this.#stopping === undefined && !this.#isPaused;",
    replace: "this.mayStart = this.#stopping === undefined;",
    plants: "A paused crawl goes on.",
    killedBy: [controls],
  },
  {
    file: "src/crawl/engine.ts",
    find: "    this.#model.watch.aim(limits.coverage ?? 1);\n",
    replace: "",
    plants: "A new target is not aimed at.",
    killedBy: [controls],
  },
  {
    file: "src/crawl/engine.ts",
    find: "if (!keepsSettings) store.replaceSettings(",
    replace: "if (keepsSettings) store.replaceSettings(",
    plants: "Limits that were changed are not stored.",
    killedBy: [controls],
  },
  {
    file: "src/crawl/runner.ts",
    find: "    this.#cancel();\n    void fetcher.close();\n",
    replace: "    void fetcher.close();\n    this.#cancel();\n",
    plants: "After a failure of the disk, replies that the fetcher aborts are still taken in.",
    killedBy: ["test/crawl/disk.test.ts"],
  },
  {
    file: "src/crawl/runner.ts",
    find: "this.#inputs.shift() ?? ",
    replace: "this.#inputs.pop() ?? ",
    plants: "Inputs are taken in the wrong order.",
    killedBy: ["test/crawl/runner.test.ts"],
  },
  {
    file: "src/crawl/refresh/refresh-work.ts",
    find: 'outcome: isSame(digest, page.digest) ? "unchanged" : "changed",',
    replace: 'outcome: isSame(digest, page.digest) ? "changed" : "unchanged",',
    plants: "Changed pages count as unchanged.",
    killedBy: [refresh],
  },
  {
    file: "src/crawl/refresh/refresh-work.ts",
    find: "const LASTING_REDIRECTS: ReadonlySet<number> = new Set([301, 308]);",
    replace: "const LASTING_REDIRECTS: ReadonlySet<number> = new Set([301, 302, 308]);",
    plants: "A page behind a temporary redirect is forgotten as moved.",
    killedBy: [refresh],
  },
  {
    file: "src/crawl/refresh/refresh-work.ts",
    find: "if (wantsTime(reply, wallMs)) this.#patience.add(host.name);",
    replace: "",
    plants: "A host whose robots.txt asks for time is not left alone afterwards.",
    killedBy: [refresh],
  },
  {
    file: "src/crawl/engine.ts",
    find: 'if (record.kind === "received") facts.received(',
    replace: 'if (record.kind !== "received") return;\n    if (record.total < 0) facts.received(',
    plants: "What arrives from other processes is lost.",
    killedBy: [remote],
  },
  {
    file: "src/crawl/certify-log.ts",
    find: "pages[hostOf[url]] >= pagesPerHost) state[url]",
    replace: "pages[hostOf[url]] > pagesPerHost) state[url]",
    plants: "Pages beyond the limit of their host count as pages still to be fetched.",
    killedBy: [certificates],
  },
];
