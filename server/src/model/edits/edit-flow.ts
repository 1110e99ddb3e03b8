import { type CST, type Node, type Pair, type YAMLMap, type YAMLSeq, isPair } from 'yaml';
import { type EditableYaml, endOf, endOfPair, startOf } from './editable-yaml.ts';
import type { TextEdit } from './text-edit.ts';
import { Unwritable } from './unwritable.ts';

type FlowCollection = YAMLMap | YAMLSeq;

/** Whether the entries of a flow collection are on separate lines. */
function isManyLines({ text }: EditableYaml, collection: FlowCollection): boolean {
  const first = placeOf(collection, 0);
  return first !== undefined && text.slice(collection.range?.[0], first.start).includes('\n');
}

/**
 * Inserts an entry into a flow collection before `index`.
 * @param write creates its text; gets the line indentation if entries are on separate lines.
 */
export function flowInsertion(
  yaml: EditableYaml,
  collection: FlowCollection,
  index: number,
  write: (indent: string | undefined) => string,
): TextEdit {
  const { text, style } = yaml;
  const [start = 0, end = 0] = collection.range ?? [];
  const [before, after] = [placeOf(collection, index - 1), placeOf(collection, index)];
  const first = placeOf(collection, 0);
  if (!first) {
    const padding = 'has' in collection && !style.json ? ' ' : '';
    return { range: { start: start + 1, end: end - 1 }, newText: `${padding}${write(undefined)}${padding}` };
  }
  const indent = isManyLines(yaml, collection) ? indentOfLine(first.start, text) : undefined;
  const separator = indent === undefined ? ' ' : `${style.eol}${indent}`;
  if (before) return { range: { start: before.end, end: before.end }, newText: `,${separator}${write(indent)}` };
  if (after) return { range: { start: after.start, end: after.start }, newText: `${write(indent)},${separator}` };
  throw new Unwritable('a place that is not there');
}

/** Removes an entry from a flow collection with one comma; comments stay. */
export function flowRemoval({ text }: EditableYaml, collection: FlowCollection, index: number): TextEdit[] {
  const [item, before, after] = [index, index - 1, index + 1].map((at) => placeOf(collection, at));
  if (!item) throw new Unwritable('an entry without a place');
  if (after) {
    const between = text.slice(item.end, after.start);
    const comma = between.indexOf(',');
    // A comment may belong to the next entry.
    const end = between.slice(comma + 1).trim() === '' ? after.start : item.end + comma + 1;
    return [{ range: { start: item.start, end }, newText: '' }];
  }
  if (!before) return [{ range: item, newText: '' }];
  const comma = commaBefore(collection, index);
  if (comma === undefined) throw new Unwritable('an entry without a comma');
  const kept = text.slice(comma + 1, item.start).trimEnd();
  return [
    { range: { start: comma, end: comma + 1 }, newText: '' },
    { range: { start: comma + 1 + kept.length, end: item.end }, newText: '' },
  ];
}

function commaBefore(collection: FlowCollection, index: number): number | undefined {
  const tokens = (collection.srcToken as CST.FlowCollection | undefined)?.items[index]?.start;
  return tokens?.find(({ type }) => type === 'comma')?.offset;
}

interface Place {
  readonly start: number;
  readonly end: number;
}

function placeOf(collection: FlowCollection, index: number): Place | undefined {
  const item = collection.items[index] as Node | Pair<Node, Node | null> | undefined;
  if (!item) return undefined;
  if (isPair(item)) {
    const { key } = item as Pair<Node, Node | null>;
    return { start: key.range?.[0] ?? 0, end: endOfPair(item as Pair<Node, Node | null>) };
  }
  return { start: startOf(item, { list: collection as YAMLSeq, index }), end: endOf(item) };
}

function indentOfLine(offset: number, text: string): string {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(lineStart))?.[0] ?? '';
}
