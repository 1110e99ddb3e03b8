/**
 * A block-style text in which brackets and braces that are never closed are closed where their lines end: before a line
 * that is indented no deeper than the key they belong to, which could not be inside them. The parser reads everything to
 * the end of the file into an open bracket, and the cursor's surroundings would be lost.
 */
export function closeBrackets(text: string): string {
  let open = '';
  let base = 0;
  let lastEnd = 0;
  let position = 0;
  const closers: { readonly at: number; readonly text: string }[] = [];
  for (const line of text.split('\n')) {
    const start = position;
    position += line.length + 1;
    const content = line.replace(/(^|\s)#.*$/, '').trimEnd();
    if (content.trim() === '') continue;
    const indent = content.search(/\S/);
    if (open !== '' && indent <= base && !/^\s*[\]}]/.test(content)) {
      closers.push({ at: lastEnd, text: open });
      open = '';
    }
    if (open === '') base = content.search(/[^\s-]/);
    open = unclosed(content, open).closers;
    lastEnd = start + content.length;
  }
  if (open !== '') closers.push({ at: lastEnd, text: open });
  return closers.reduceRight((closed, { at, text: signs }) => closed.slice(0, at) + signs + closed.slice(at), text);
}

/** The signs that would close what a piece of YAML leaves open, and the quote that it is inside of, if any. */
export function unclosed(piece: string, openBefore = ''): { readonly closers: string; readonly quote: string } {
  let closers = openBefore;
  let quote = '';
  for (let at = 0; at < piece.length; at += 1) {
    const character = piece.charAt(at);
    const before = piece.charAt(at - 1);
    if (quote !== '') {
      if (character === quote && before !== '\\') quote = '';
    } else if (character === '"' || character === "'") {
      // An apostrophe inside a word opens nothing.
      if (at === 0 || /[\s,[{:]/.test(before)) quote = character;
    } else if (character === '[' || character === '{') {
      // Inside a plain text a bracket is a letter like any other.
      if (closers !== '' || at === 0 || /[\s[{]/.test(before)) closers = (character === '[' ? ']' : '}') + closers;
    } else if (character === ']' || character === '}') {
      closers = closers.slice(1);
    }
  }
  return { closers, quote };
}
