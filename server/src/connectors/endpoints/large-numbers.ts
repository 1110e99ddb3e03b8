import { endOfEscaped } from '../../model/quoted-text.ts';

/** Integers beyond 2^53 would lose digits, also in keys. */
export function withLargeIntegersAsTexts(text: string): string {
  return /(?:^|[:[,])\s*-?\d{16}/.test(text) ? quotedNumbers(text, /"|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g) : text;
}

/** Numbers with more digits than a double, for values with types known from elsewhere. */
export function withLargeNumbersAsTexts(text: string): string {
  return /(?:^|[:[,])\s*-?\d[\d.]{15}/.test(text)
    ? quotedNumbers(text, /"|(?<![\d.eE+-])-?\d[\d.]{15,}(?:[eE][+-]?\d+)?/g)
    : text;
}

/** @param token a string, or a number that becomes a string */
function quotedNumbers(text: string, token: RegExp): string {
  const parts: string[] = [];
  let taken = 0;
  for (let found = token.exec(text); found; found = token.exec(text)) {
    const { 0: number, index } = found;
    if (number === '"') {
      token.lastIndex = endOfEscaped(text, index) ?? text.length;
      continue;
    }
    parts.push(text.slice(taken, index), '"', number, '"');
    taken = token.lastIndex;
  }
  return parts.join('') + text.slice(taken);
}
