import { type Node, type Pair, type YAMLMap, isScalar } from 'yaml';
import { type EditableYaml, columnOf, endOfPair, lineEndOf, pairOf } from './editable-yaml.ts';
import type { JsonValue } from './json-value.ts';
import { keysBefore } from './key-order.ts';
import { flowInsertion, flowRemoval } from './edit-flow.ts';
import type { TextEdit } from './text-edit.ts';
import { withOwnComments } from './own-comments.ts';
import { Unwritable } from './unwritable.ts';
import { writeAfterKey, writeFlow, writeJsonLines } from './write-value.ts';

/**
 * Adds a new key to a mapping at its position in schema order.
 * @param value undefined for a placeholder.
 * @param gone keys removed at the same time.
 */
export function insertKey(
  yaml: EditableYaml,
  map: YAMLMap,
  key: string,
  value: JsonValue | undefined,
  gone: readonly string[],
): TextEdit {
  const { text, style } = yaml;
  const names = map.items.map((pair) => (isScalar(pair.key) ? String(pair.key.value) : ''));
  const before = keysBefore(key, names);
  const at = names.findLastIndex((name) => before.includes(name) && !gone.includes(name));
  if (map.flow === true) {
    if (gone.length > 0) throw new Unwritable('keys in brackets that come and go');
    return flowInsertion(yaml, map, at + 1, (indent) => {
      const name = style.json ? JSON.stringify(key) : key;
      if (value === undefined) return style.json ? `${name}: ""` : `${name}:`;
      return `${name}: ${style.json && indent !== undefined ? writeJsonLines(value, indent, style.eol) : writeFlow(value, style.json)}`;
    });
  }
  const first = map.items[names.findIndex((name) => !gone.includes(name))] as Pair<Node, Node | null> | undefined;
  const start = first && keyStart(first);
  if (start === undefined) throw new Unwritable('an empty mapping');
  const column = columnOf(start, text);
  const written = `${key}:${value === undefined ? '' : writeAfterKey(key, value, column, style)}`;
  const indent = ' '.repeat(column);
  const neighbour = map.items[at] as Pair<Node, Node | null> | undefined;
  if (!neighbour) return { range: { start, end: start }, newText: `${written}${style.eol}${indent}` };
  const end = lineEndOf(endOfPair(neighbour), text);
  return { range: { start: end, end }, newText: `${style.eol}${indent}${written}` };
}

/** Removes a key and its value with their lines and the comments that belong to them. */
export function removeKey(yaml: EditableYaml, map: YAMLMap, key: string): TextEdit[] {
  const { text, style } = yaml;
  const pair = pairOf(map, key);
  const start = pair && keyStart(pair);
  if (!pair || start === undefined) throw new Unwritable('a key without a place');
  if (map.flow === true) return flowRemoval(yaml, map, map.items.indexOf(pair));
  const keyLine = text.lastIndexOf('\n', start - 1) + 1;
  const lines = { start: keyLine, end: lineEndOf(endOfPair(pair), text) };
  const { start: lineStart, end: lineEnd } = withOwnComments(text, lines, columnOf(start, text));
  if (map.items.length === 1) throw new Unwritable('the only key of a mapping');
  if (text.slice(keyLine, start).trim() !== '') {
    // It follows the dash of its entry: the next key moves there.
    const rest = /^\s*/.exec(text.slice(lineEnd))?.[0].length ?? 0;
    return [{ range: { start, end: lineEnd + rest }, newText: '' }];
  }
  const atEnd = lineEnd >= text.length;
  const from = atEnd ? Math.max(0, lineStart - style.eol.length) : lineStart;
  return [{ range: { start: from, end: atEnd ? text.length : lineEnd + style.eol.length }, newText: '' }];
}

/** Position of a key; undefined for unusual notations. */
export function keyStart({ key }: Pair<Node, Node | null>): number | undefined {
  return isScalar(key) ? key.range?.[0] : undefined;
}
