import { jsonPairs } from '../../model/json-pairs.ts';
import type { SourceRange } from '../../model/source-range.ts';
import { hasAliases } from '../../model/yaml-chunks.ts';
import type { Focus } from './focus.ts';

/** As `focusAt`, of a text of JSON: the entry that the cursor is in. Undefined where it is in none, or the text is not whole. */
export function jsonFocusAt(text: string, offset: number): Focus | undefined {
  for (const { start, list } of jsonPairs(text) ?? []) {
    const item = list?.items.find((each) => each.start < offset && offset < each.end);
    if (!list || !item) continue;
    const own = text.slice(item.start, item.end);
    if (!own.startsWith('{') || hasAliases(own)) return undefined;
    const name = text.startsWith('"elements"', start) ? 'elements' : 'relationships';
    const head = `{"${name}": [${blanksBefore(text, item)}`;
    const distance = item.start - head.length;
    return {
      ...{ text: `${head}${own}]}`, offset: offset - distance, distance, hasRest: false },
      entries: { [name]: item },
    };
  }
  return undefined;
}

/** The line break and the indentation that the entry has before it: what is inserted in it may go on with them. */
function blanksBefore(text: string, { start }: SourceRange): string {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const before = text.slice(lineStart, start);
  return before.trim() === '' ? `\n${before}` : '';
}
