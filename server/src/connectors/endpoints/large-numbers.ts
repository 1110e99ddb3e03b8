import { endOfEscaped } from '../../model/quoted-text.ts';
import { survivesAsDouble } from '../survives-as-double.ts';

/** Integers beyond 2^53 would lose digits, also in keys, and so would fractions that are not their doubles. */
export function withInexactNumbersAsTexts(text: string): string {
  return mayHaveLongNumbers(text) ? quotedNumbers(text, isInexact) : text;
}

/** Numbers with more digits than a double, for values with types known from elsewhere. */
export function withLargeNumbersAsTexts(text: string): string {
  return mayHaveLongNumbers(text) ? quotedNumbers(text, () => true) : text;
}

function mayHaveLongNumbers(text: string): boolean {
  return /(?:^|[:[,])\s*-?\d[\d.]{15}/.test(text);
}

function isInexact(number: string): boolean {
  return /^-?\d+$/.test(number) || !survivesAsDouble(number);
}

/** @param isQuoted whether a number of sixteen characters or more becomes a text */
function quotedNumbers(text: string, isQuoted: (number: string) => boolean): string {
  const token = /"|(?<![\d.eE+-])-?\d[\d.]{15,}(?:[eE][+-]?\d+)?/g;
  const parts: string[] = [];
  let taken = 0;
  for (let found = token.exec(text); found; found = token.exec(text)) {
    const { 0: number, index } = found;
    if (number === '"') {
      token.lastIndex = endOfEscaped(text, index) ?? text.length;
      continue;
    }
    if (!isQuoted(number)) continue;
    parts.push(text.slice(taken, index), '"', number, '"');
    taken = token.lastIndex;
  }
  return parts.join('') + text.slice(taken);
}
