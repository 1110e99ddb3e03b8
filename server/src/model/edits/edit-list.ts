import { type Node, type YAMLSeq, isMap } from 'yaml';
import { flowInsertion, flowRemoval } from './edit-flow.ts';
import { type EditableYaml, columnOf, dashOf, endOf, lineEndOf } from './editable-yaml.ts';
import type { JsonValue } from './json-value.ts';
import type { TextEdit } from './text-edit.ts';
import { withOwnComments } from './own-comments.ts';
import { Unwritable } from './unwritable.ts';
import { writeFlow, writeItem, writeJsonLines } from './write-value.ts';

/** Inserts items before `index`, or at the end, of the non-empty list of `key`. */
export function insertItems(
  yaml: EditableYaml,
  list: YAMLSeq,
  index: number,
  values: readonly JsonValue[],
  key: string,
): TextEdit {
  const { text, style } = yaml;
  if (list.flow === true) {
    return flowInsertion(yaml, list, index, (indent) =>
      values
        .map((value) =>
          style.json && indent !== undefined ? writeJsonLines(value, indent, style.eol) : writeFlow(value, style.json),
        )
        .join(indent === undefined ? ', ' : `,${style.eol}${indent}`),
    );
  }
  const dash = dashOf(list, 0);
  if (dash === undefined) throw new Unwritable('a list without dashes');
  const column = columnOf(dash, text);
  const items = values.map((value) => `- ${writeItem(value, column + 2, style, key)}`);
  const gap = `${style.eol.repeat(isSpaced(yaml, list) && values.every(isLong) ? 2 : 1)}${' '.repeat(column)}`;
  const before = list.items[index - 1] as Node | undefined;
  if (!before) return { range: { start: dash, end: dash }, newText: items.map((item) => `${item}${gap}`).join('') };
  const end = lineEndOf(endOf(before), text);
  return { range: { start: end, end }, newText: items.map((item) => `${gap}${item}`).join('') };
}

/** Removes an item, but not the only one of a list, with its lines and the comments that belong to it. */
export function removeItems(yaml: EditableYaml, list: YAMLSeq, index: number): TextEdit[] {
  const { text, style } = yaml;
  if (list.flow === true) return flowRemoval(yaml, list, index);
  const dash = dashOf(list, index);
  const item = list.items[index] as Node | undefined;
  if (dash === undefined || !item) throw new Unwritable('an item without a place');
  const dashLine = text.lastIndexOf('\n', dash - 1) + 1;
  if (text.slice(dashLine, dash).trim() !== '') throw new Unwritable('a list within a line');
  const lines = { start: dashLine, end: lineEndOf(Math.max(endOf(item), dash + 1), text) };
  const { start: lineStart, end: lineEnd } = withOwnComments(text, lines, columnOf(dash, text));
  if (lineEnd >= text.length) {
    return [{ range: { start: Math.max(0, lineStart - style.eol.length), end: text.length }, newText: '' }];
  }
  const after = lineEnd + style.eol.length;
  // One of two surrounding blank lines is removed, too.
  const blank = new RegExp(`^[ \\t]*${style.eol}`).exec(text.slice(after));
  const blankBefore = /\n[ \t]*\r?\n$/.test(text.slice(Math.max(0, lineStart - 200), lineStart));
  return [{ range: { start: lineStart, end: after + (blank && blankBefore ? blank[0].length : 0) }, newText: '' }];
}

/** Whether entries are separated by blank lines. */
function isSpaced({ text }: EditableYaml, list: YAMLSeq): boolean {
  const [first, second] = list.items as Node[];
  if (!first || !second) return false;
  const dash = dashOf(list, 1) ?? second.range?.[0] ?? 0;
  return /\n[ \t]*\r?\n/.test(text.slice(lineEndOf(endOf(first), text), dash)) && isMap(first);
}

function isLong(value: JsonValue): boolean {
  return typeof value === 'object';
}
