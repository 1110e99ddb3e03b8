/** A part of a value: plain text, or invisible characters with their symbol. */
type ShownPart =
  | { readonly kind: 'text'; readonly text: string }
  /** `isCode`: the symbol is the character code. */
  | { readonly kind: 'mark'; readonly text: string; readonly mark: string; readonly isCode: boolean };

/** Maximum number of displayed characters of a cell; values may have millions. */
export const shownCharacters = 1000;

/**
 * Leading and trailing blanks, line breaks, control characters, and characters that are invisible or look like a blank;
 * not the joiners of emoji and of some scripts.
 */
const unseen =
  // eslint-disable-next-line no-control-regex -- the pattern matches control characters
  /^ +| +$|\r\n|[\u0000-\u001f\u007f-\u00a0\u00ad\u061c\u180e\u2000-\u200b\u200e\u200f\u2028-\u202f\u205f-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb]/gu;

/** The displayed part of a text, and the number of omitted characters. */
export function shownText(text: string): { readonly parts: readonly ShownPart[]; readonly left: number } {
  const shown = text.length > shownCharacters ? beginning(text) : text;
  const parts: ShownPart[] = [];
  let from = 0;
  for (const { 0: found, index } of shown.matchAll(unseen)) {
    // Blanks at a cut are not trailing.
    if (shown !== text && found.startsWith(' ') && index > 0) continue;
    if (index > from) parts.push({ kind: 'text', text: shown.slice(from, index) });
    parts.push({ kind: 'mark', text: found, ...markOf(found) });
    from = index + found.length;
  }
  if (from < shown.length) parts.push({ kind: 'text', text: shown.slice(from) });
  return { parts, left: text.length - shown.length };
}

/** The displayed text, for measuring. */
export function displayedText(text: string): string {
  return shownText(text)
    .parts.map((part) => (part.kind === 'text' ? part.text : part.mark))
    .join('');
}

/** Does not split a surrogate pair. */
function beginning(text: string): string {
  const code = text.charCodeAt(shownCharacters - 1);
  return text.slice(0, shownCharacters - Number(code >= 0xd800 && code <= 0xdbff));
}

function markOf(found: string): { readonly mark: string; readonly isCode: boolean } {
  if (found.startsWith(' ')) return { mark: '·'.repeat(found.length), isCode: false };
  if (found === '\n' || found === '\r\n') return { mark: '↵', isCode: false };
  if (found === '\t') return { mark: '→', isCode: false };
  const code = found.charCodeAt(0);
  // Unicode symbols of the first control characters.
  if (code < 0x20) return { mark: String.fromCharCode(0x2400 + code), isCode: false };
  if (code === 0x7f) return { mark: '␡', isCode: false };
  return { mark: `U+${code.toString(16).toUpperCase().padStart(4, '0')}`, isCode: true };
}
