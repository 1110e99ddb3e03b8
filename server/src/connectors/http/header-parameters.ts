/** Parameters of an HTTP header, in order, with lower-case names; without a value: the empty text. */
type HeaderParameters = readonly (readonly [name: string, value: string])[];

/**
 * Reads parameters such as `; rel="next"; title=a` from a position (RFC 9110, section 5.6.6, as leniently as RFC 8288,
 * appendix B.3): values may be quoted, with escapes, or missing, and parameters may be empty.
 * @returns also the position behind them.
 */
export function readParameters(text: string, from: number): { readonly parameters: HeaderParameters; end: number } {
  const parameters: [string, string][] = [];
  let at = from;
  const skipBlanks = (): void => {
    while (text[at] === ' ' || text[at] === '\t') at += 1;
  };
  const takeUntil = (ends: string): string => {
    const start = at;
    while (at < text.length && !ends.includes(text.charAt(at))) at += 1;
    return text.slice(start, at).trim();
  };
  for (skipBlanks(); text[at] === ';'; skipBlanks()) {
    at += 1;
    const name = takeUntil('=;,').toLowerCase();
    let value = '';
    if (text[at] === '=') {
      at += 1;
      skipBlanks();
      if (text[at] === '"') {
        [value, at] = readQuoted(text, at + 1);
        // What stands between a quoted value and the next parameter means nothing.
        takeUntil(';,');
      } else value = takeUntil(';,');
    }
    if (name !== '') parameters.push([name, value]);
  }
  return { parameters, end: at };
}

/** A quoted text that begins before `from`, without its escapes, and the position behind it. */
function readQuoted(text: string, from: number): [value: string, end: number] {
  let value = '';
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '"') return [value, at + 1];
    if (text[at] === '\\') at += 1;
    value += text[at] ?? '';
  }
  return [value, text.length];
}

/** The parameter `charset` of a `Content-Type` header; undefined without one. */
export function charsetOf(contentType: string | null): string | undefined {
  const header = contentType ?? '';
  const { parameters } = readParameters(header, header.indexOf(';') < 0 ? header.length : header.indexOf(';'));
  const charset = parameters.find(([name]) => name === 'charset')?.[1];
  return charset === '' ? undefined : charset;
}
