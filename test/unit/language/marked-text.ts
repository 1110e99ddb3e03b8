/** A text with `<|>` at a position, which is removed. */
export function withCursor(marked: string): { readonly text: string; readonly offset: number } {
  const offset = marked.indexOf('<|>');
  if (offset < 0) throw new Error('There is no <|> in the text.');
  return { text: marked.replace('<|>', ''), offset };
}

/** A text with the ranges of `‹|…|›` in it, which are taken out, in the order of the text; they may be nested. */
export function withRanges(marked: string): {
  readonly text: string;
  readonly ranges: readonly { readonly start: number; readonly end: number }[];
} {
  const ranges: { start: number; end: number }[] = [];
  let text = '';
  const starts: number[] = [];
  for (const part of marked.split(/(‹\||\|›)/)) {
    if (part === '‹|') starts.push(text.length);
    else if (part === '|›') ranges.push({ start: starts.pop() ?? -1, end: text.length });
    else text += part;
  }
  return { text, ranges: ranges.toSorted((one, other) => one.start - other.start) };
}
