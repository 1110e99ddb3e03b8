/**
 * The place behind the closing quote of a text that begins with one at `start` and writes a quote twice to mean it; undefined
 * where it is not closed. Expressions for a whole quoted text run out of stack on one of some mebibytes.
 */
export function endOfDoubled(text: string, start: number): number | undefined {
  const quote = text.charAt(start);
  for (let at = text.indexOf(quote, start + 1); at >= 0; at = text.indexOf(quote, at + 2)) {
    if (text[at + 1] !== quote) return at + 1;
  }
  return undefined;
}

/** As `endOfDoubled`, of a text in which a quote behind a backslash is meant, and one that is written twice is not. */
export function endOfEscaped(text: string, start: number): number | undefined {
  const quote = text.charAt(start);
  for (let at = text.indexOf(quote, start + 1); at >= 0; at = text.indexOf(quote, at + 1)) {
    let backslashes = 0;
    while (at - 1 - backslashes > start && text[at - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return at + 1;
  }
  return undefined;
}
