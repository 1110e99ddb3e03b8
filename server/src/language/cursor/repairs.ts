import { closeBrackets, unclosed } from './close-brackets.ts';

/** A character of Unicode's private use, which stands for the cursor in a repaired text. */
export const cursorMark = '\uE000';

/** A text in which the cursor stands in a key or value of its own, whatever is half-typed there. */
export interface Repair {
  readonly text: string;
  /** What a completion must write before its own text, such as the space after a colon. */
  readonly lead: string;
  /** What a completion must write after its own text, such as a closing quote. */
  readonly tail: string;
  /** Where the text starts that a completion replaces, when only the typed sign before the cursor is it. */
  readonly replaceFrom?: number;
}

/**
 * Ways to make a half-typed text whole, the least intrusive first: as it is, with the colon that a new key still lacks,
 * with brackets or quotes closed, with the dash of a new list item, or without a sign that YAML reads as its own; then
 * all of them again with the brackets closed that other lines leave open.
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
    // JSON separates everything: what is new still lacks the comma behind it, or before it.
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
    // Letters and the mark are a text like the mark alone, which was tried first.
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

/** After the colon of a key, or the dash of a list item, that no space follows yet. */
function needsSpace(typed: string): boolean {
  return /^\s*(- +)*([\w-]+:|-)$/.test(typed) || /[{,]\s*[\w-]+:$/.test(typed);
}

function endOfLine(text: string, offset: number): number {
  const end = text.slice(offset).search(/\r?\n/);
  return end < 0 ? text.length : offset + end;
}
