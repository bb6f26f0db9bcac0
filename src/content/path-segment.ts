/** A part of the path of a URL as people read it; as it is where it is no UTF-8. */
export function decodedSegment(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
