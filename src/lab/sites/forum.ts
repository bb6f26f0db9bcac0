/** A forum: boards and threads in pages; every page offers a login of its own, members are shown to members only. */
import { Random } from "../../base/index.ts";
import { type Site, SiteBuilder } from "./site.ts";
import { grouped, paginated, popularOf, popularPlace, range } from "./templates.ts";

const BOARDS = 24;
const THREADS = 3500;
const MEMBERS = 900;
const POSTS_PER_PAGE = 15;

export function forumSite(seed: number): Site {
  const random = new Random(seed);
  const site = new SiteBuilder();
  const boards = range(BOARDS).map((k) => `/board/${k}`);
  const members = range(MEMBERS).map((k) => `/member/${k}`);
  const threads = range(THREADS).map((k) => `/thread/${k}`);
  const boardOf = threads.map(() => boards[popularPlace(random, BOARDS)]);
  const byBoard = grouped(threads, (_, place) => [boardOf[place]]);
  const logins = new Set<string>(["/register"]);
  const add = (url: string, links: readonly string[], nofollow: readonly string[] = []): void => {
    const login = `/login?back=${url}`;
    logins.add(login);
    site.page(url, ["/", "/rules", "/active", "/register", login, ...links], nofollow);
  };
  add("/", [...boards, ...threads.slice(0, 10)]);
  add("/rules", boards);
  for (const list of paginated("/active", threads.slice(0, 300), 30)) add(list.url, [...list.items, ...list.pager]);
  for (const board of boards) {
    for (const list of paginated(board, byBoard.get(board) ?? [], 30)) {
      add(list.url, [...list.items, ...list.pager, ...popularOf(random, members, 12)]);
    }
  }
  for (const [place, thread] of threads.entries()) {
    const posts = range(1 + Math.floor(POSTS_PER_PAGE * 0.2 * 60 ** (random.float() ** 2)));
    const authors = posts.map(() => members[popularPlace(random, MEMBERS)]);
    for (const list of paginated(thread, authors, POSTS_PER_PAGE)) {
      const similar = range(5).map(() => threads[random.below(THREADS)]);
      add(
        list.url,
        [boardOf[place], ...list.items, ...list.pager, ...similar],
        [`${thread}/reply`, `${thread}/report`],
      );
    }
  }
  site.all("forbidden", [...logins, ...members]);
  return site.finish();
}
