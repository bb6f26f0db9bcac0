/**
 * Real pages for the benchmark of crawlers: the HTML of the documentation packages of Debian 12. All of them together
 * have 254,000 pages of 30 KB and 110 links on average.
 *
 * Packages are downloaded and unpacked, not installed, so this needs no root and does not change the system. It
 * downloads 400 MB and keeps 7.5 GB in TIDEMARK_BENCH_DOCS (default: the folder for temporary files) for the next run.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";

export interface DocumentationSite {
  readonly name: string;
  /** The folder that is the root of the site. */
  readonly root: string;
  /** Relative to the root. */
  readonly pages: readonly string[];
}

/**
 * Of a quarter million pages, a thousand long indexes are larger. A crawl by importance starts with them, so they would
 * be half of all bytes.
 */
const PAGE_KILOBYTES_MAX = 512;

/** Packages that are unavailable are reported on standard error and left out. */
export function documentationSites(names: readonly string[] = packages): DocumentationSite[] {
  const sites = names.flatMap((name) => {
    const dir = unpackedPackage(name, ["*.html", "*.htm"]);
    const site = dir === undefined ? undefined : siteIn(name, dir);
    return site !== undefined && site.pages.length > 0 ? [site] : [];
  });
  if (sites.length === 0) {
    throw new Error("no documentation package could be had; expected Debian with `apt-get update` done before");
  }
  return sites;
}

/** The folder with the files of a package whose names fit, kept as `key`; undefined if the package is unavailable. */
export function unpackedPackage(name: string, wildcards: readonly string[], key = name): string | undefined {
  const cache = process.env["TIDEMARK_BENCH_DOCS"] ?? join(tmpdir(), "tidemark-bench-docs");
  mkdirSync(cache, { recursive: true });
  const dir = join(cache, key);
  return existsSync(dir) || unpack(name, dir, wildcards) ? dir : undefined;
}

function unpack(name: string, dir: string, wildcards: readonly string[]): boolean {
  const work = mkdtempSync(`${dir}.new-`);
  try {
    // The archive is the only file here; its name contains the version.
    execFileSync("apt-get", ["download", "-q", name], { cwd: work, stdio: ["ignore", "ignore", "pipe"] });
    const [archive] = readdirSync(work);
    const only = `--wildcards ${wildcards.map((wildcard) => `"${wildcard}"`).join(" ")}`;
    const tree = `mkdir html && dpkg-deb --fsys-tarfile "$1" | tar -x -C html --no-same-owner ${only} 2>tar.log`;
    const script = `${tree}; find html -type f -size +${PAGE_KILOBYTES_MAX}k -delete`;
    execFileSync("sh", ["-c", script, "unpack", archive], { cwd: work, stdio: "ignore" });
    renameSync(join(work, "html"), dir);
    return true;
  } catch (error) {
    process.stderr.write(`no documentation of ${name}: ${String(error).split("\n")[0]}\n`);
    return false;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** The root is the deepest folder that contains all pages, so that links within a package stay within its site. */
function siteIn(name: string, dir: string): DocumentationSite {
  const files = readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.html?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const folders = (files[0] ?? dir).split("/").slice(0, -1);
  while (!files.every((file) => file.startsWith(`${folders.join("/")}/`))) folders.pop();
  const root = folders.join("/");
  return { name, root, pages: files.map((file) => relative(root, file)) };
}

const packages = `
  agda-stdlib-doc ant-doc antlr4-doc cargo-doc cargo-web-doc checkstyle-doc cinder-doc clhep-doc cmake-doc
  coinor-libipopt-doc cppreference-doc-en-html crystal-doc dbus-1-doc dpdk-doc ffmpeg-doc fop-doc fwupd-doc
  ghc-doc glbinding-doc gnuradio-doc gradle-doc groonga-doc groovy-doc guitarix-doc gyoto-doc
  halide14-api-doc heat-doc hibiscus-doc icu-doc ironic-doc janus-doc jython-doc keystone-doc lava-server-doc
  libapache-poi-java-doc libaxis-java-doc libbatteries-ocaml-doc libbiojava-java-doc libbiojava4-java-doc
  libboost1.81-doc libcastor-java-doc libcoap3-doc libcommons-collections4-java-doc libcommons-lang3-java-doc
  libcommons-math-java-doc libcommons-math3-java-doc libdune-common-doc libdune-istl-doc libeliom-ocaml-doc
  libexiv2-doc libfastrtps-doc libfrobby-doc libgeos-doc libghc-basement-doc libghc-clash-lib-doc
  libghc-clash-prelude-doc libghc-diagrams-lib-doc libghc-gi-gdk-doc libghc-gi-gio-doc libghc-github-doc
  libghc-gtk-doc libghc-gtk3-doc libghc-lambdahack-doc libghc-openglraw-doc libghc-pandoc-doc libghc-rio-doc
  libghc-sbv-doc libghc-sdl2-doc libghc-what4-doc libghc-xmonad-contrib-doc libglib2.0-doc libgloox-doc
  libgrokj2k1-doc libgstreamermm-1.0-doc libgtk-3-doc libgtk-4-doc libhbci4j-core-java-doc libhtsjdk-java-doc
  libimglib2-java-doc libitpp-doc libjackson-json-java-doc libjaxb-java-doc libjcsp-java-doc
  libjfreechart-java-doc libjide-oss-java-doc libjmol-java-doc libjnr-constants-java-doc libjogl2-java-doc
  libjs-of-ocaml-doc libjts-java-doc libjung-free-java-doc liblablgtk2-ocaml-doc liblapack-doc liblemon-doc
  liblucene++-doc liblwjgl-java-doc libmwaw-doc libocamlnet-ocaml-doc libopenjfx-java-doc
  libopenshot-audio-doc libopenshot-doc libopm-common-doc libopm-material-doc libosl-doc libosmogsm-doc
  libpappsomspp-doc libpixelmed-java-doc libpwiz-doc libqmi-glib-doc libsaxonb-java-doc libsc-doc
  libsnpeff-java-doc libspandsp-doc libstaroffice-doc libstatgen-doc libstdc++-12-doc libsvn-doc
  libswingx-java-doc libtrove3-java-doc libviennacl-doc libwebsocketpp-doc libxalan-c-doc libxalan2-java-doc
  libxerces-c-doc libxerces2-java-doc libzookeeper-java-doc nim-doc numba-doc octavia-doc opendnssec-doc
  openjdk-17-doc openscap-doc phosh-doc pipewire-doc postgresql-doc-15 pylint-doc python-django-doc
  python-fonttools-doc python-mdanalysis-doc python-pandas-doc python-pymatgen-doc python-sqlalchemy-doc
  python3.11-doc rust-doc speech-tools-doc starlink-topcat-java-doc starlink-ttools-java-doc twisted-doc
  uima-doc waylandpp-doc wx3.2-doc
`
  .trim()
  .split(/\s+/);
