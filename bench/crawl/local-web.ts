/**
 * A web on this machine for the benchmark of crawlers: one host name per site below docs.test, all served by one nginx
 * over TLS on one loopback port, HTTP/1.1 and HTTP/2, uncompressed.
 *
 * Pages are served unchanged. One page per host is generated, its hub at "/". It links to the hubs of all hosts, which
 * are the only links between hosts, and to a hundred evenly spaced pages of its site. So a crawl, by importance or
 * breadth first, starts with ordinary pages and not with the longest indexes of every site.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DocumentationSite } from "./documentation.ts";

export interface LocalWeb {
  /** The hub of the first site. */
  readonly seed: string;
  readonly hosts: number;
  readonly pages: number;
  readonly certificateFile: string;
  /** Removed by `stop`. */
  readonly dir: string;
  stop(): Promise<void>;
}

const DOMAIN = "docs.test";
const HUB_PAGES_MAX = 100;
const START_MS_MAX = 10_000;

export async function startLocalWeb(sites: readonly DocumentationSite[]): Promise<LocalWeb> {
  const dir = mkdtempSync(join(tmpdir(), "tidemark-bench-web-"));
  const port = await freePort();
  const hosts = sites.map(({ name }) => `${name.replaceAll(/[^a-z0-9-]/g, "-")}.${DOMAIN}`);
  const origins = hosts.map((host) => `https://${host}:${port}`);
  mkdirSync(join(dir, "hubs"));
  for (const [k, site] of sites.entries()) writeFileSync(join(dir, "hubs", `${hosts[k]}.html`), hub(site, origins));
  writeFileSync(join(dir, "robots.txt"), "User-agent: *\nDisallow: /private/\nDisallow: /*.cgi$\n");
  const certificateFile = join(dir, "certificate.pem");
  makeCertificate(certificateFile, join(dir, "key.pem"));
  writeFileSync(join(dir, "nginx.conf"), configuration(dir, port, sites, hosts));
  // Debian installs it where only root looks.
  const env = { ...process.env, PATH: `${process.env["PATH"]}:/usr/sbin` };
  const nginx = spawn("nginx", ["-p", dir, "-e", join(dir, "error.log"), "-c", join(dir, "nginx.conf")], {
    env,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const stop = (): Promise<void> => stopped(nginx).then(() => rmSync(dir, { recursive: true, force: true }));
  try {
    await listening(port, nginx);
  } catch (error) {
    const log = readFileSync(join(dir, "error.log"), "utf8");
    await stop();
    throw new Error(`nginx did not start: ${String(error)}\n${log}`, { cause: error });
  }
  const pages = sites.reduce((sum, site) => sum + site.pages.length, sites.length);
  return { seed: `${origins[0]}/`, hosts: hosts.length, pages, certificateFile, dir, stop };
}

/** The page at "/" of a site, in a web of these origins. */
export function hub(site: DocumentationSite, origins: readonly string[]): string {
  const step = Math.max(1, site.pages.length / HUB_PAGES_MAX);
  const count = Math.min(HUB_PAGES_MAX, site.pages.length);
  const pages = Array.from({ length: count }, (_, k) => site.pages[Math.floor(k * step)]);
  const links = [...origins.map((origin) => `${origin}/`), ...pages.map((page) => `/${encodeURI(page)}`)];
  const items = links.map((link) => `<li><a href="${link.replaceAll("&", "&amp;")}">${link}</a></li>`);
  const head = `<!doctype html><html lang="en"><meta charset="utf-8"><title>${site.name}</title>`;
  return `${head}<ul>\n${items.join("\n")}\n</ul></html>\n`;
}

function makeCertificate(certificateFile: string, keyFile: string): void {
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", keyFile];
  const names = ["-subj", `/CN=${DOMAIN}`, "-addext", `subjectAltName=DNS:${DOMAIN},DNS:*.${DOMAIN}`];
  const command = ["req", "-x509", "-days", "7", "-out", certificateFile, ...key, ...names];
  execFileSync("openssl", command, { stdio: ["ignore", "ignore", "pipe"] });
}

function configuration(
  dir: string,
  port: number,
  sites: readonly DocumentationSite[],
  hosts: readonly string[],
): string {
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const servers = sites.map(
    ({ root }, k) => `server {
    listen 127.0.0.1:${port} ssl http2;
    server_name ${hosts[k]};
    root "${root}";
    location = / { root "${dir}/hubs"; try_files /${hosts[k]}.html =404; }
    location = /robots.txt { root "${dir}"; }
  }`,
  );
  return `${process.getuid?.() === 0 ? "user root;" : ""}
daemon off;
pid "${dir}/nginx.pid";
worker_processes 1;
events { worker_connections 8192; }
http {
  ${temporary.map((name) => `${name}_temp_path "${dir}/${name}";`).join("\n  ")}
  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_timeout 300s;
  keepalive_requests 1000000;
  server_names_hash_bucket_size 128;
  types { text/html html htm; text/plain txt; }
  default_type application/octet-stream;
  charset utf-8;
  charset_types text/plain;
  ssl_certificate "${dir}/certificate.pem";
  ssl_certificate_key "${dir}/key.pem";
  ssl_session_cache shared:tls:8m;
  ${servers.join("\n  ")}
}
`;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}

async function listening(port: number, nginx: ChildProcess): Promise<void> {
  const deadline = performance.now() + START_MS_MAX;
  let failure: unknown = new Error("no answer");
  nginx.once("error", (error) => {
    failure = error;
  });
  while (performance.now() < deadline && nginx.exitCode === null && nginx.pid !== undefined) {
    const open = await new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1", () => resolve(true));
      socket.once("error", () => resolve(false)).once("connect", () => socket.destroy());
    });
    if (open) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw failure;
}

function stopped(nginx: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (nginx.exitCode !== null || nginx.pid === undefined) return resolve();
    nginx.once("exit", () => resolve());
    nginx.kill("SIGTERM");
  });
}
