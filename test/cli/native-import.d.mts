export function nativeImport(url: string): Promise<unknown>;
