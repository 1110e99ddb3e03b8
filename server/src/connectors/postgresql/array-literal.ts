import { endOfEscaped } from '../../model/quoted-text.ts';

/**
 * Parses a one-dimensional array printed by PostgreSQL, such as `{a,"b, c"}`. The text may be truncated: an incomplete
 * value is dropped.
 */
export function* arrayLiteralValues(text: string): Generator<string> {
  for (let start = 1, end: number; start < text.length; start = end + 1) {
    const isQuoted = text[start] === '"';
    end = isQuoted ? (endOfEscaped(text, start) ?? text.length) : endOfPlain(text, start);
    const behind = text[end];
    if (behind !== ',' && behind !== '}') return;
    const value = text.slice(start, end);
    if (isQuoted) yield value.slice(1, -1).replaceAll(/\\([^])/g, '$1');
    else if (value !== 'NULL' && value !== '') yield value;
    if (behind === '}') return;
  }
}

function endOfPlain(text: string, start: number): number {
  const sign = /[",{}]/g;
  sign.lastIndex = start;
  return sign.exec(text)?.index ?? text.length;
}
