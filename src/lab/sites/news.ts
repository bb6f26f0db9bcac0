/** A newspaper: sections, articles with popular and related ones, and a calendar with a page for every day. */
import { Random } from "../../base/index.ts";
import { type Site, SiteBuilder } from "./site.ts";
import { grouped, neighbours, paginated, range, someOf } from "./templates.ts";

const SECTIONS = 12;
const DAYS = 1080;
const DAYS_PER_MONTH = 30;
const ARTICLES_PER_DAY = 6;

export function newsSite(seed: number): Site {
  const random = new Random(seed);
  const site = new SiteBuilder();
  const sections = range(SECTIONS).map((k) => `/section/${k}`);
  const days = range(DAYS).map((day) => `/calendar/${Math.floor(day / DAYS_PER_MONTH)}/${day % DAYS_PER_MONTH}`);
  const months = range(DAYS / DAYS_PER_MONTH).map((month) => `/calendar/${month}`);
  const articles = range(DAYS * ARTICLES_PER_DAY).map((k) => `/article/${k}`);
  const dayOf = (article: number): number => Math.floor(article / ARTICLES_PER_DAY);
  const sectionOf = articles.map(() => sections[random.below(SECTIONS)]);
  const bySection = grouped(articles, (_, place) => [sectionOf[place]]);
  const popular = someOf(random, articles.slice(0, 300), 10);
  const frame = ["/", ...sections, "/calendar", "/subscribe", "/account", ...popular];
  site.page("/", [...frame, ...articles.slice(0, 30)]);
  site.page("/subscribe", frame);
  site.page("/calendar", [...frame, ...months]);
  for (const section of sections) {
    // Sections show their latest articles only; what is older is in the calendar.
    for (const list of paginated(section, (bySection.get(section) ?? []).slice(0, 200), 20)) {
      site.page(list.url, [...frame, ...list.items, ...list.pager]);
    }
  }
  for (const [month, url] of months.entries()) {
    const inMonth = days.slice(month * DAYS_PER_MONTH, (month + 1) * DAYS_PER_MONTH);
    site.page(url, [...frame, ...inMonth, ...neighbours(months, month)]);
  }
  for (const [day, url] of days.entries()) {
    const ofDay = articles.slice(day * ARTICLES_PER_DAY, (day + 1) * ARTICLES_PER_DAY);
    site.page(url, [...frame, ...ofDay, ...neighbours(days, day), months[Math.floor(day / DAYS_PER_MONTH)]]);
  }
  for (const [place, article] of articles.entries()) {
    // Of the old articles some are gone.
    if (place > 600 && random.float() < 0.04) {
      site.all("dead", [article]);
      continue;
    }
    const recent = articles.slice(Math.max(0, place - 200), place + 40);
    const links = [...frame, sectionOf[place], days[dayOf(place)], ...someOf(random, recent, 5)];
    site.page(article, [...links, "https://agency.example/"], [`${article}/print`, `${article}/comment`]);
  }
  site.all("forbidden", ["/account"]);
  return site.finish();
}
