/** Paths with parameters, of views and of questions to the server. */

/** Parameters; those that are undefined, null or empty are left out. */
export type Query = Readonly<Record<string, string | number | null | undefined>>;

export function pathOf(path: string, query: Query = {}): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== "") given.set(name, String(value));
  }
  return given.size === 0 ? path : `${path}?${given}`;
}
