import { jsonPairs } from '../../model/json-pairs.ts';
import type { SourceRange } from '../../model/source-range.ts';
import { hasAliases } from '../../model/yaml-chunks.ts';
import type { Focus } from './focus.ts';

/** Like `focusAt`, for JSON: the entry at the cursor. Undefined outside of entries, and for incomplete texts. */
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

/** The line break and indentation before the entry, for multi-line insertions. */
function blanksBefore(text: string, { start }: SourceRange): string {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const before = text.slice(lineStart, start);
  return before.trim() === '' ? `\n${before}` : '';
}
