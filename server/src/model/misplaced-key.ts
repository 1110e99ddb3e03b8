import { graphKeys } from './format-keys.ts';

/** Whether a line may be the key of an entry as well as one of the file: it is none of those that the file has. */
export function mayBeMisplaced(line: string): boolean {
  const key = /^([A-Za-z][\w-]*):/.exec(line)?.[1];
  return key !== undefined && !key.startsWith('x-') && !fileKeys.has(key);
}

/**
 * Whether a line that begins like a key of the file is one of the entry above it whose indentation is lost. It is only said
 * to be where the lines below make it a mistake for certain, whatever comes behind them: no text that is right is read
 * differently for it.
 * @param line the line that begins at `start`.
 */
export function isMisplacedKey(text: string, start: number, line: string): boolean {
  if (!mayBeMisplaced(line)) return false;
  const written = line.slice(line.indexOf(':') + 1).trimEnd();
  const value = written.replace(/(?:^|\s)#.*$/, '').trim();
  const kind = kindOfValue(value);
  if (kind === undefined) return false;
  // How far the value is indented, when it stands below its key.
  let indent: number | undefined;
  for (const [below, content] of linesBelow(text, start + line.length)) {
    if (kind === 'said') {
      if (beginsEntry.test(content)) return true;
    } else if (indent === undefined) {
      if (kind === 'below' && !beginsEntry.test(content) && !content.startsWith('- ')) return false;
      indent = below;
    } else if (below < indent && (beginsEntry.test(content) || content.startsWith('- '))) return true;
    // What is open may go on with any indentation.
    if (kind === 'below' && mayStayOpen(content)) return false;
  }
  return false;
}

/** Keys of the file itself, which a list above may well be followed by. */
const fileKeys = new Set(graphKeys);

/** What can be said of a value by the line of its key; undefined when it may go on below in other ways. */
export function kindOfValue(value: string): 'said' | 'block' | 'below' | undefined {
  if (value === '') return 'below';
  if (/^[|>][-+]?$/.test(value)) return 'block';
  if (/^\w/.test(value) || /^"[^"\\]*"$|^'[^']*'$/.test(value)) return 'said';
  return /^(?:\[.*\]|\{.*\})$/.test(value) && !mayStayOpen(value) ? 'said' : undefined;
}

/** A key, perhaps the first one of an entry. */
export const beginsEntry = /^(?:- +)*[A-Za-z][\w-]*:(?:[\t\r\n ]|$)/;

/** Whether a line may open brackets or quotes that it does not close, or a block of text, anchors or tags. */
export function mayStayOpen(content: string): boolean {
  const bare = content.replace(/"[^"\\]*"|'[^']*'/g, '');
  const count = (signs: RegExp): number => bare.match(signs)?.length ?? 0;
  return /["']/.test(bare) || count(/[[{]/g) > count(/[\]}]/g);
}

/** The indented lines below an offset with their indentation, comments and blank lines left out. */
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
