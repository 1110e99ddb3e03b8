/** A text with `<|>` at a position, which is removed. */
export function withCursor(marked: string): { readonly text: string; readonly offset: number } {
  const offset = marked.indexOf('<|>');
  if (offset < 0) throw new Error('There is no <|> in the text.');
  return { text: marked.replace('<|>', ''), offset };
}

/** A text with ranges marked as `‹|…|›`; the marks are removed, ranges are in order. */
export function withRanges(marked: string): {
  readonly text: string;
  readonly ranges: readonly { readonly start: number; readonly end: number }[];
} {
  const ranges: { start: number; end: number }[] = [];
  let text = '';
  let start = -1;
  for (const part of marked.split(/(‹\||\|›)/)) {
    if (part === '‹|') start = text.length;
    else if (part === '|›') ranges.push({ start, end: text.length });
    else text += part;
  }
  return { text, ranges };
}
