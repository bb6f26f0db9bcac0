const REDIRECTS: ReadonlySet<number | null> = new Set([301, 302, 303, 307, 308]);

/** Whether a status sends a client elsewhere. */
export function isRedirectStatus(status: number | null): boolean {
  return REDIRECTS.has(status);
}
