import fc from "fast-check";
import { parse } from "parse5";
import { describe, expect, it } from "vitest";
import { type Answer, type FetchRequest, GraphFetcher, type Reply, fetcherOfGraph } from "../../src/fetch/index.ts";
import { type Graph, GraphBuilder, successors } from "../../src/graph/index.ts";
import { cases } from "../support/cases.ts";

const urlOf = (page: number): string => `http://twin.example/page?a=1&number=${page}`;

describe("a twin of a graph", () => {
  it("serves a page with its links in the order of the row", async () => {
    const twin = fetcherOfGraph(graphOf([[1, 2], [], [0]]), urlOf);
    const page = await answerOf(twin, { url: urlOf(0), purpose: "page" });
    expect(page.status).toBe(200);
    expect(page.headers).toEqual({ "content-type": "text/html; charset=utf-8" });
    expect(linksIn(page)).toEqual([urlOf(1), urlOf(2)]);
    expect(page.wireBytes).toBe(page.body.length);
  });

  it("answers 404 for what is no page, and for robots.txt where none is given", async () => {
    const twin = fetcherOfGraph(graphOf([[]]), urlOf);
    expect((await answerOf(twin, { url: urlOf(1), purpose: "page" })).status).toBe(404);
    expect((await answerOf(twin, { url: "http://twin.example/robots.txt", purpose: "robots" })).status).toBe(404);
  });

  it("serves the robots.txt it was given", async () => {
    const twin = fetcherOfGraph(graphOf([[]]), urlOf, {
      robotsOf: (url) => (url === "http://twin.example/robots.txt" ? "User-agent: *\nDisallow: /x" : null),
    });
    const robots = await answerOf(twin, { url: "http://twin.example/robots.txt", purpose: "robots" });
    expect(new TextDecoder().decode(robots.body)).toBe("User-agent: *\nDisallow: /x");
    expect((await answerOf(twin, { url: "http://other.example/robots.txt", purpose: "robots" })).status).toBe(404);
  });

  it("shows every row of any graph, read by an HTML parser", async () => {
    const rows = fc.array(fc.uniqueArray(fc.nat(9), { maxLength: 10 }), { minLength: 10, maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(rows, async (rows) => {
        const graph = graphOf(rows);
        const twin = fetcherOfGraph(graph, urlOf);
        for (let page = 0; page < graph.pages; page++) {
          const answer = await answerOf(twin, { url: urlOf(page), purpose: "page" });
          expect(linksIn(answer)).toEqual(Array.from(successors(graph, page), urlOf));
        }
      }),
      { numRuns: cases(20) },
    );
  });
});

describe("replies of a twin", () => {
  it("come later, by the given schedule, in the order of the requests", () => {
    const tasks: (() => void)[] = [];
    const twin = new GraphFetcher({
      urlOf,
      rowOf: () => [],
      pageOf: (url) => Number(url.slice(url.lastIndexOf("=") + 1)),
      schedule: (task) => void tasks.push(task),
    });
    const came: number[] = [];
    for (const page of [3, 1, 2]) twin.fetch({ url: urlOf(page), purpose: "page" }, () => came.push(page));
    expect(came).toEqual([]);
    for (const task of tasks) task();
    expect(came).toEqual([3, 1, 2]);
    for (const task of tasks) task();
    expect(came).toEqual([3, 1, 2]);
  });

  it("are failures by the name of aborted once the twin is closed, each exactly once", async () => {
    const tasks: (() => void)[] = [];
    const twin = fetcherOfGraph(graphOf([[]]), urlOf, { schedule: (task) => void tasks.push(task) });
    const replies: Reply[] = [];
    twin.fetch({ url: urlOf(0), purpose: "page" }, (reply) => replies.push(reply));
    await twin.close();
    twin.fetch({ url: urlOf(0), purpose: "page" }, (reply) => replies.push(reply));
    for (const task of tasks) task();
    expect(replies.map((reply) => reply.kind === "failure" && reply.failure)).toEqual(["aborted", "aborted"]);
  });
});

function graphOf(rows: readonly (readonly number[])[]): Graph {
  const builder = new GraphBuilder();
  rows.forEach((row, page) => row.forEach((target) => builder.add(page, target)));
  return builder.finish({ pages: rows.length });
}

async function answerOf(twin: GraphFetcher, request: FetchRequest): Promise<Answer> {
  const reply = await new Promise<Reply>((done) => twin.fetch(request, done));
  if (reply.kind !== "answer") throw new Error(reply.message);
  return reply;
}

interface Node {
  readonly nodeName: string;
  readonly attrs?: readonly { name: string; value: string }[];
  readonly childNodes?: readonly Node[];
}

function linksIn(answer: Answer): string[] {
  const links: string[] = [];
  const visit = (node: Node): void => {
    if (node.nodeName === "a") links.push(...(node.attrs ?? []).map(({ value }) => value));
    node.childNodes?.forEach(visit);
  };
  visit(parse(new TextDecoder().decode(answer.body)) as Node);
  return links;
}
