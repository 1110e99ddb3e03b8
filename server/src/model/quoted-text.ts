/**
 * Position after the closing quote of the string at `start`, with doubled quotes as escapes; undefined if unclosed. A
 * regular expression for a whole string would overflow the stack for some mebibytes.
 */
export function endOfDoubled(text: string, start: number): number | undefined {
  const quote = text.charAt(start);
  for (let at = text.indexOf(quote, start + 1); at >= 0; at = text.indexOf(quote, at + 2)) {
    if (text[at + 1] !== quote) return at + 1;
  }
  return undefined;
}

/** Like `endOfDoubled`, with backslash escapes instead of doubled quotes. */
export function endOfEscaped(text: string, start: number): number | undefined {
  const quote = text.charAt(start);
  for (let at = text.indexOf(quote, start + 1); at >= 0; at = text.indexOf(quote, at + 1)) {
    let backslashes = 0;
    while (at - 1 - backslashes > start && text[at - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return at + 1;
  }
  return undefined;
}
