import { openBrackets } from '../../model/open-brackets.ts';

/** Closes unclosed brackets and braces at their probable ends; with very many of them the text stays unchanged. */
export function closeBrackets(text: string): string {
  const open = openBrackets(text);
  if (open.length > maxOpen) return text;
  const parts: string[] = [];
  let from = 0;
  for (const { end, closer } of open.toSorted((one, other) => one.end - other.end)) {
    parts.push(text.slice(from, end), closer);
    from = end;
  }
  return parts.length === 0 ? text : parts.join('') + text.slice(from);
}

const maxOpen = 100;

/** The missing closing brackets of a piece of YAML, and the quote that contains its end, if any. */
export function unclosed(piece: string, openBefore = ''): { readonly closers: string; readonly quote: string } {
  let closers = openBefore;
  let quote = '';
  for (let at = 0; at < piece.length; at += 1) {
    const character = piece.charAt(at);
    const before = piece.charAt(at - 1);
    if (quote !== '') {
      if (character === quote && before !== '\\') quote = '';
    } else if (character === '"' || character === "'") {
      // An apostrophe within a word opens no string.
      if (at === 0 || /[\s,[{:]/.test(before)) quote = character;
    } else if (character === '[' || character === '{') {
      // Within a plain scalar a bracket is an ordinary character.
      if (closers !== '' || at === 0 || /[\s[{]/.test(before)) closers = (character === '[' ? ']' : '}') + closers;
    } else if (character === ']' || character === '}') {
      closers = closers.slice(1);
    }
  }
  return { closers, quote };
}
