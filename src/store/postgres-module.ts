/**
 * The package `pg`, an optional peer. It has a file of its own, so that types which programs see do not name it: where
 * it is not installed, they would not compile.
 */
import { UsageError } from "../base/index.ts";

type PgModule = typeof import("pg").default;

/** `load` is replaced by tests. */
export async function loadPg(load: () => Promise<{ default: PgModule }> = () => import("pg")): Promise<PgModule> {
  try {
    return (await load()).default;
  } catch (error) {
    throw new UsageError(
      "a job in PostgreSQL needs the package pg, which is not installed: npm install pg " +
        "(with -g if tidemark was installed with -g)",
      { cause: error },
    );
  }
}
