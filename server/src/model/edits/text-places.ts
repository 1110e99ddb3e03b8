/** Where the last sign before an offset ends: blank lines at the end of a node are not part of it. */
export function contentEnd(offset: number, text: string): number {
  return text.slice(0, offset).trimEnd().length;
}

/** The end of the line of the last sign before an offset, a comment on it included: it belongs to that line. */
export function contentLineEnd(offset: number, text: string): number {
  const lineEnd = /\r?\n|$/.exec(text.slice(contentEnd(offset, text)));
  return contentEnd(offset, text) + (lineEnd?.index ?? 0);
}
