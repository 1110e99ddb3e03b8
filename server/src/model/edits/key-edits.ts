import type { YAMLMap } from 'yaml';
import type { YamlText } from '../yaml-text.ts';
import { insertKey, keyStart } from './edit-map.ts';
import { columnOf, editableOf, endOfPair, pairOf } from './editable-yaml.ts';
import type { JsonValue } from './json-value.ts';
import { inKeyOrder } from './key-order.ts';
import { type TextEdit, withOneEditAPlace } from './text-edit.ts';
import { contentEnd } from './text-places.ts';
import { Unwritable } from './unwritable.ts';
import { writeAfterKey, writeFlow, writeJsonLines } from './write-value.ts';

/** A key with its value; undefined for a placeholder. */
export type NewKey = readonly [key: string, value: JsonValue | undefined];

/**
 * Sets keys of a mapping without parsing the text again, because it may have errors elsewhere. New keys are added in
 * schema order.
 * @throws Unwritable
 */
export function setKeys(yaml: YamlText, map: YAMLMap, keys: readonly NewKey[]): readonly TextEdit[] {
  const order = inKeyOrder(
    keys.map(([key]) => key),
    [...map.items.map(({ key }) => String(key)), ...keys.map(([key]) => key)],
  );
  const sorted = keys.toSorted(([one], [other]) => order.indexOf(one) - order.indexOf(other));
  if (map.items.length === 0 && map.flow === true) return [fillBraces(yaml, map, sorted)];
  return withOneEditAPlace(sorted.map(([key, value]) => setKey(yaml, map, key, value)));
}

/** @throws Unwritable */
export function setKey(yaml: YamlText, map: YAMLMap, key: string, value: JsonValue | undefined): TextEdit {
  const editable = editableOf(yaml);
  const pair = pairOf(map, key);
  if (!pair) return insertKey(editable, map, key, value, []);
  const { text, style } = editable;
  const start = keyStart(pair);
  const keyEnd = pair.key.range?.[1] ?? 0;
  const colon = /^\s*:/.exec(text.slice(keyEnd, keyEnd + 100))?.[0];
  if (start === undefined || colon === undefined) throw new Unwritable('a key without a colon');
  const from = keyEnd + colon.length;
  const range = { start: from, end: Math.max(from, contentEnd(endOfPair(pair), text)) };
  if (value === undefined) return { range, newText: '' };
  if (map.flow !== true) return { range, newText: writeAfterKey(key, value, columnOf(start, text), style) };
  const indent = /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', start - 1) + 1, start))?.[0] ?? '';
  const isLarge = style.json && typeof value === 'object';
  return { range, newText: ` ${isLarge ? writeJsonLines(value, indent, style.eol) : writeFlow(value, style.json)}` };
}

function fillBraces(yaml: YamlText, map: YAMLMap, keys: readonly NewKey[]): TextEdit {
  const { style } = editableOf(yaml);
  const [start = 0, end = 0] = map.range ?? [];
  const written = writeFlow(Object.fromEntries(keys.map(([key, value]) => [key, value ?? ''])), style.json);
  return { range: { start, end }, newText: written };
}
