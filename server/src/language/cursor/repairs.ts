import { openBrackets } from '../../model/open-brackets.ts';

/** A private-use character that marks the cursor in a repaired text. */
export const cursorMark = '\uE000';

/** A text in which the cursor is in a complete key or value. */
export interface Repair {
  readonly text: string;
  /** Text that a completion must insert first, such as the blank after a colon. */
  readonly lead: string;
  /** Text that a completion must insert last, such as a closing quote. */
  readonly tail: string;
  /** Start of the replaced range, if it is only the typed character before the cursor. */
  readonly replaceFrom?: number;
}

/**
 * Candidate repairs of a half-typed text, the least intrusive first: unchanged, with a missing colon, closed brackets
 * or quotes, a list dash, or without a YAML indicator; then all of them with brackets of other lines closed.
 */
export function* repairs(text: string, offset: number): Generator<Repair> {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  const lineEnd = endOfLine(text, offset);
  const typed = text.slice(lineStart, offset);
  const lead = needsSpace(typed) ? ' ' : '';
  const before = `${text.slice(0, offset)}${lead}${cursorMark}`;
  const rest = text.slice(offset, lineEnd);
  const word = /^[\w.$-]*/.exec(rest)?.[0] ?? '';
  const afterWord = text.slice(offset + word.length);
  const afterLine = text.slice(lineEnd);
  const { closers, quote } = unclosed(typed);
  const sign = /[^\s,[\]{}"']*$/.exec(typed)?.[0] ?? '';

  const isJsonText = /^\s*\{/.test(text);
  const typedSign = /["\]}\w]\s*$/.test(text.slice(Math.max(0, offset - 200), offset)) ? typed.trim() : '';

  const candidates: (Repair | false)[] = [
    { text: before + text.slice(offset), lead, tail: '' },
    // In JSON a new item needs a comma after or before it.
    isJsonText && { text: `${before}${word},${afterWord}`, lead, tail: ',' },
    isJsonText &&
      typedSign !== '' && {
        text: `${text.slice(0, offset)}, ${cursorMark}${text.slice(offset)}`,
        lead: ', ',
        tail: '',
      },
    { text: `${before}${word}:${afterWord}`, lead, tail: '' },
    closers !== '' && quote === '' && { text: `${before}${rest}${closers}${afterLine}`, lead, tail: '' },
    quote !== '' && { text: `${before}${quote}${rest}${closers}${afterLine}`, lead, tail: quote },
    quote !== '' && { text: `${before}${quote}${text.slice(offset)}`, lead, tail: quote },
    typed.trim() === '' && {
      text: `${text.slice(0, offset)}- ${cursorMark}${text.slice(offset)}`,
      lead: '- ',
      tail: '',
    },
    // A word with the mark is equivalent to the mark alone, which was tried before.
    !/^\w*$/.test(sign) &&
      lead === '' && {
        text: `${text.slice(0, offset - sign.length)}${cursorMark}${rest}${closers}${afterLine}`,
        lead,
        tail: '',
        replaceFrom: offset - sign.length,
      },
  ];
  const whole = candidates.filter((candidate) => candidate !== false);
  yield* whole;
  for (const candidate of whole) yield { ...candidate, text: closeBrackets(candidate.text) };
}

/** After a colon or dash without a blank. */
function needsSpace(typed: string): boolean {
  return /^\s*(- +)*([\w-]+:|-)$/.test(typed) || /[{,]\s*[\w-]+:$/.test(typed);
}

function endOfLine(text: string, offset: number): number {
  const end = text.slice(offset).search(/\r?\n/);
  return end < 0 ? text.length : offset + end;
}

/** Closes unclosed brackets and braces at their probable ends; with very many of them the text stays unchanged. */
function closeBrackets(text: string): string {
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
function unclosed(piece: string, openBefore = ''): { readonly closers: string; readonly quote: string } {
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
