export function nativeImport(url: string): Promise<typeof import("../../src/cli/command-line.ts")>;
