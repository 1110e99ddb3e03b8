import type { Node, YAMLSeq } from 'yaml';
import { type EditableYaml, dashOf, endOf, lineEndOf, startOf } from './editable-yaml.ts';
import { type JsonValue, sameValue } from './json-value.ts';
import type { TextEdit } from './text-edit.ts';
import { Unwritable } from './unwritable.ts';

/** Original index of each item of a reordered list; undefined if the items differ. */
export function newOrder(values: readonly unknown[], desired: readonly JsonValue[]): readonly number[] | undefined {
  if (values.length !== desired.length || values.length > maxItems) return undefined;
  const left = new Set(values.keys());
  const order = desired.map((value, index) => {
    // Unmoved items are matched first, in case of equal ones.
    const from =
      sameValue(values[index], value) && left.has(index) ? index : [...left].find((at) => sameValue(values[at], value));
    if (from !== undefined) left.delete(from);
    return from;
  });
  return order.includes(undefined) ? undefined : (order as readonly number[]);
}

/** Limit, because all pairs are compared. */
const maxItems = 500;

/**
 * Reorders the items of a list as written, with their lines and comments.
 * @throws Unwritable
 */
export function reorderItems(yaml: EditableYaml, list: YAMLSeq, order: readonly number[]): readonly TextEdit[] {
  return list.flow === true ? reorderFlow(yaml, list, order) : reorderLines(yaml, list, order);
}

function reorderFlow({ text }: EditableYaml, list: YAMLSeq, order: readonly number[]): readonly TextEdit[] {
  const places = (list.items as Node[]).map((item, index) => ({
    start: startOf(item, { list, index }),
    end: endOf(item),
  }));
  return order.flatMap((from, to) => {
    const [source, range] = [places[from], places[to]];
    if (!source || !range) throw new Unwritable('an item without a place');
    return from === to ? [] : [{ range, newText: text.slice(source.start, source.end) }];
  });
}

function reorderLines({ text, style }: EditableYaml, list: YAMLSeq, order: readonly number[]): readonly TextEdit[] {
  const firstDash = dashOf(list, 0);
  if (firstDash === undefined) throw new Unwritable('a list without dashes');
  const ends = (list.items as Node[]).map((item, index) => {
    const dash = dashOf(list, index) ?? 0;
    const lineStart = text.lastIndexOf('\n', dash - 1) + 1;
    if (text.slice(lineStart, dash).trim() !== '') throw new Unwritable('a list within a line');
    return lineEndOf(Math.max(endOf(item), dash + 1), text);
  });
  const start = startOfLines(text, text.lastIndexOf('\n', firstDash - 1) + 1);
  const pieces = ends.map((end, index) => {
    const from = index === 0 ? start : (ends[index - 1] ?? 0) + style.eol.length;
    return text.slice(from, end);
  });
  const newText = order.map((from) => pieces[from] ?? '').join(style.eol);
  return [{ range: { start, end: ends.at(-1) ?? start }, newText }];
}

/** The first of the comment lines directly above a line. */
function startOfLines(text: string, lineStart: number): number {
  const above = text.lastIndexOf('\n', lineStart - 2) + 1;
  return lineStart > 0 && /^[ \t]*#/.test(text.slice(above, lineStart)) ? startOfLines(text, above) : lineStart;
}
