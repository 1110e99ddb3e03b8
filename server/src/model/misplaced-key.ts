import { graphKeys } from './format-keys.ts';

/**
 * Whether a line may be a field of an entry as well as a top-level one: it is not among the existing top-level fields.
 */
export function mayBeMisplaced(line: string): boolean {
  const key = /^([A-Za-z][\w-]*):/.exec(line)?.[1];
  return key !== undefined && !key.startsWith('x-') && !fileKeys.has(key);
}

/**
 * Whether a top-level key is a field of the entry above that lost its indentation. Returned only if the following lines
 * are certainly an error otherwise, so that valid text is never parsed differently.
 * @param line the line that starts at `start`.
 */
export function isMisplacedKey(text: string, start: number, line: string): boolean {
  if (!mayBeMisplaced(line)) return false;
  const written = line.slice(line.indexOf(':') + 1).trimEnd();
  const value = written.replace(/(?:^|\s)#.*$/, '').trim();
  const kind = kindOfValue(value);
  if (kind === undefined) return false;
  // Indentation of the value below its key.
  let indent: number | undefined;
  for (const [below, content] of linesBelow(text, start + line.length)) {
    if (kind === 'said') {
      if (beginsEntry.test(content)) return true;
    } else if (indent === undefined) {
      if (kind === 'below' && !beginsEntry.test(content) && !content.startsWith('- ')) return false;
      indent = below;
    } else if (below < indent && (beginsEntry.test(content) || content.startsWith('- '))) return true;
    // Open brackets and quotes may continue with any indentation.
    if (kind === 'below' && mayStayOpen(content)) return false;
  }
  return false;
}

/** Top-level keys, which may follow a list. */
const fileKeys = new Set(graphKeys);

/** The type of a value by the line of its key; undefined if it may continue below. */
export function kindOfValue(value: string): 'said' | 'block' | 'below' | undefined {
  if (value === '') return 'below';
  if (/^[|>][-+]?$/.test(value)) return 'block';
  if (/^\w/.test(value) || /^"[^"\\]*"$|^'[^']*'$/.test(value)) return 'said';
  return /^(?:\[.*\]|\{.*\})$/.test(value) && !mayStayOpen(value) ? 'said' : undefined;
}

/** A key, possibly the first one of an entry. */
export const beginsEntry = /^(?:- +)*[A-Za-z][\w-]*:(?:[\t\r\n ]|$)/;

/** Whether a line may leave brackets or quotes open, or start a block scalar, anchor or tag. */
export function mayStayOpen(content: string): boolean {
  const bare = content.replace(/"[^"\\]*"|'[^']*'/g, '');
  const count = (signs: RegExp): number => bare.match(signs)?.length ?? 0;
  return /["']/.test(bare) || count(/[[{]/g) > count(/[\]}]/g);
}

/** The indented lines after an offset with their indentation, without comments and blank lines. */
function* linesBelow(text: string, offset: number): Generator<readonly [number, string]> {
  for (let start = offset; start < text.length;) {
    const lineBreak = text.indexOf('\n', start);
    const end = lineBreak < 0 ? text.length : lineBreak + 1;
    const content = text.slice(start, end).trimEnd();
    const indent = content.search(/[^ ]/);
    if (indent === 0 && !content.startsWith('#')) return;
    if (indent > 0 && content.charAt(indent) !== '#') yield [indent, content.slice(indent)];
    start = end;
  }
}
