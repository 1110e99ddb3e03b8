import { type Node, type YAMLSeq, isMap, isScalar, isSeq } from 'yaml';
import { type YamlText, rangeOf } from '../yaml-text.ts';
import { type TextEdit, writtenLike } from './text-edit.ts';

/** The list that is the value of a top-level key; undefined when there is none. */
export function topLevelList(yaml: YamlText, key: string): YAMLSeq | undefined {
  const root: unknown = yaml.document.contents;
  if (!isMap(root)) return undefined;
  const pair = root.items.find((each) => isScalar(each.key) && each.key.value === key);
  return isSeq(pair?.value) ? pair.value : undefined;
}

/** Adds a text to a list, in the list's own style. */
export function appendToList(list: YAMLSeq, value: string, text: string): TextEdit {
  const items = list.items as Node[];
  const last = items.at(-1);
  const { start } = rangeOf(list);
  if (list.flow === true) {
    const at = last ? rangeOf(last).end : start + 1;
    return { range: { start: at, end: at }, newText: `${last ? ', ' : ''}${writtenLike(value, ',')}` };
  }
  const at = contentLineEnd(last ? rangeOf(last).end : start, text);
  return { range: { start: at, end: at }, newText: `\n${indentOf(start, text)}- ${writtenLike(value, '')}` };
}

/** Removes an item of a list with what separates it from its neighbours. */
export function removeFromList(list: YAMLSeq, index: number, text: string): TextEdit | undefined {
  const items = list.items as Node[];
  const [item, next, before] = [items[index], items[index + 1], items[index - 1]];
  if (!item) return undefined;
  const { start, end } = rangeOf(item);
  if (list.flow === true) {
    if (next) return { range: { start, end: rangeOf(next).start }, newText: '' };
    return { range: { start: before ? rangeOf(before).end : start, end }, newText: '' };
  }
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const lineEnd = text.indexOf('\n', end - 1);
  return { range: { start: lineStart, end: lineEnd < 0 ? text.length : lineEnd + 1 }, newText: '' };
}

/** Where the last sign before an offset ends: blank lines at the end of a node are not part of it. */
export function contentEnd(offset: number, text: string): number {
  return text.slice(0, offset).trimEnd().length;
}

/** The end of the line of the last sign before an offset, a comment on it included: it belongs to that line. */
export function contentLineEnd(offset: number, text: string): number {
  const lineEnd = /\r?\n|$/.exec(text.slice(contentEnd(offset, text)));
  return contentEnd(offset, text) + (lineEnd?.index ?? 0);
}

/** The white space before the dash or key that stands at an offset. */
export function indentOf(offset: number, text: string): string {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  return /^ */.exec(text.slice(lineStart))?.[0] ?? '';
}
