import { openBrackets } from '../../model/open-brackets.ts';

/**
 * A text in which brackets and braces that are never closed are closed where they should have been; where very many are
 * open, something else is wrong, and the text stays as it is.
 */
export function closeBrackets(text: string): string {
  const open = openBrackets(text);
  if (open.length > mostOpen) return text;
  const parts: string[] = [];
  let from = 0;
  for (const { end, closer } of open.toSorted((one, other) => one.end - other.end)) {
    parts.push(text.slice(from, end), closer);
    from = end;
  }
  return parts.length === 0 ? text : parts.join('') + text.slice(from);
}

const mostOpen = 100;

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
