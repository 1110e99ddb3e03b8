import { survivesAsDouble } from '../survives-as-double.ts';

/** Shorter numbers equal their doubles. */
const longest = 16;

/**
 * The JSON text with numbers in quotes that DuckDB's reader would change: those with a fraction or exponent that are
 * not their doubles. It keeps all digits of whole numbers.
 */
export async function* withLongNumbersAsTexts(pieces: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  let rest = '';
  let isInText = false;
  for await (const piece of pieces) {
    const text = rest + piece;
    const changed: string[] = [];
    let taken = 0;
    rest = '';
    for (const { 0: token, index } of text.matchAll(/\\(?:[^]|$)|"|-?\d[\d.eE+-]*|-$/g)) {
      const isCut = index + token.length === text.length && token !== '"';
      if (isCut) {
        changed.push(text.slice(taken, index));
        rest = token;
        taken = text.length;
      } else if (token === '"') isInText = !isInText;
      else if (!isInText && token.length > longest && /[.eE]/.test(token) && !survivesAsDouble(token)) {
        changed.push(text.slice(taken, index), '"', token, '"');
        taken = index + token.length;
      }
    }
    yield changed.join('') + text.slice(taken);
  }
  // Of a file that is cut, or that holds a number only.
  yield rest;
}
