import { type YAMLMap, type YAMLSeq, isMap, isScalar, isSeq } from 'yaml';
import type { YamlText } from '../yaml-text.ts';
import { insertItems } from './edit-list.ts';
import { editableOf, pairOf } from './editable-yaml.ts';
import type { JsonValue } from './json-value.ts';
import { setKey } from './key-edits.ts';
import type { TextEdit } from './text-edit.ts';
import { Unwritable } from './unwritable.ts';

/** The top-level mapping. */
export function rootMap(yaml: YamlText): YAMLMap | undefined {
  const root: unknown = yaml.document.contents;
  return isMap(root) ? (root as YAMLMap) : undefined;
}

/** The list of a top-level key; undefined without one. */
export function topLevelList(yaml: YamlText, key: string): YAMLSeq | undefined {
  const value = rootMap(yaml)?.items.find((each) => isScalar(each.key) && each.key.value === key)?.value;
  return isSeq(value) ? value : undefined;
}

/**
 * Adds a value to the list of a key in its style, creating the list if necessary.
 * @throws Unwritable
 */
export function appendToList(yaml: YamlText, map: YAMLMap, key: string, value: JsonValue): TextEdit {
  const list = pairOf(map, key)?.value;
  // A value that is not a list would be lost.
  if (isMap(list) || (isScalar(list) && list.value !== null)) throw new Unwritable('a value that is no list');
  // Empty brackets do not show the style of entries.
  if (!isSeq(list) || list.items.length === 0) return setKey(yaml, map, key, [value]);
  return insertItems(editableOf(yaml), list as YAMLSeq, list.items.length, [value], key);
}
