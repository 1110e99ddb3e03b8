import { Document, type Node, Scalar, type YAMLMap, type YAMLSeq, isMap, isNode, isScalar, isSeq } from 'yaml';
import { documentWithErrors } from '../bounded-document.ts';
import { writtenSchema } from '../written-yaml.ts';
import { yamlOptions } from '../yaml-text.ts';
import type { JsonValue } from './json-value.ts';
import { type VerifiedEdits, verifyEdits } from './verified-edits.ts';
import type { TextEdit } from './text-edit.ts';

/** An entry of a list in the settings of a data source: a name, or an object. */
export type SourceEntry = string | Readonly<Record<string, unknown>>;

/**
 * Edits that add an entry to a list of a data source, such as a table to `tables`, in the style of the file; a missing
 * list is created with `others` first. Undefined if impossible, or if the entry exists.
 */
export function addSourceEntry(
  text: string,
  source: string,
  list: string,
  entry: SourceEntry,
  others: readonly SourceEntry[] = [],
): VerifiedEdits | undefined {
  const document = documentWithErrors(text, yamlOptions);
  const settings: unknown = document.getIn(['dataSources', source], true);
  if (document.errors.length > 0 || !isMap(settings)) return undefined;
  const write = isJson(settings) ? jsonText : flowText;
  const known: unknown = settings.get(list, true);
  const isEmpty = known === undefined || (isScalar(known) && known.value === null);
  const added = [...(isEmpty ? others : []), entry];
  const before = isEmpty ? [] : isSeq(known) ? (known.toJS(document) as readonly unknown[]) : [(known as Scalar).value];
  if (before.some((each) => JSON.stringify(each) === JSON.stringify(entry))) return undefined;
  const items = added.map(write);
  const edit = isSeq(known)
    ? addToList(text, known, items.join(', '))
    : isScalar(known) && known.value === null
      ? fillEmpty(text, settings, list, items.join(', '))
      : isScalar(known) && known.range
        ? oneToList(text, known.range, items.join(', '))
        : addList(text, settings, write(list), items);
  if (!edit) return undefined;
  const value = [...before, ...added] as readonly JsonValue[];
  const outcome = verifyEdits({ text }, [edit], [{ kind: 'set', path: ['dataSources', source, list], value }]);
  return 'edits' in outcome ? outcome.edits : undefined;
}

/** Whether settings are in JSON, which requires quotes. */
function isJson(settings: YAMLMap): boolean {
  const [first] = settings.items;
  return settings.flow === true && isScalar(first?.key) && first.key.type === Scalar.QUOTE_DOUBLE;
}

function addToList(text: string, list: YAMLSeq, item: string): TextEdit | undefined {
  const first = list.items[0];
  const last = list.items.at(-1);
  if (list.flow) {
    if (!isNode(last) || !last.range) return insert((list.range?.[1] ?? 0) - 1, item);
    return insert(last.range[1], `,${gapBefore(text, list, first)}${item}`);
  }
  if (!isNode(first) || !first.range || !isNode(last) || !last.range) return undefined;
  const dash = text.lastIndexOf('-', first.range[0] - 1);
  return insert(endOf(text, last), `\n${' '.repeat(columnOf(text, dash))}- ${item}`);
}

/** A scalar where a list is allowed. */
function oneToList(text: string, [start, end]: readonly [number, number, number], items: string): TextEdit {
  return { range: { start, end }, newText: `[${text.slice(start, end)}, ${items}]` };
}

/** Position of a list key without a value. */
function fillEmpty(text: string, settings: YAMLMap, list: string, items: string): TextEdit | undefined {
  const key = settings.items.map((pair) => pair.key).find((each) => isScalar(each) && each.value === list);
  const colon = isNode(key) && key.range ? text.indexOf(':', key.range[1]) : -1;
  return colon < 0 ? undefined : insert(colon + 1, ` [${items}]`);
}

function addList(text: string, settings: YAMLMap, name: string, items: readonly string[]): TextEdit | undefined {
  const last = settings.items.at(-1);
  const first = settings.items[0];
  if (!first || !last || !isNode(first.key) || !isNode(last.value) || !last.value.range) return undefined;
  if (settings.flow) {
    return insert(last.value.range[1], `,${gapBefore(text, settings, first.key)}${name}: [${items.join(', ')}]`);
  }
  const indent = ' '.repeat(columnOf(text, first.key.range?.[0] ?? 0));
  const lines = items.map((item) => `\n${indent}  - ${item}`);
  return insert(endOf(text, last.value), `\n${indent}${name}:${lines.join('')}`);
}

/** Separator of entries in flow style: a blank, or a new line. */
function gapBefore(text: string, parent: YAMLMap | YAMLSeq, first: unknown): string {
  if (!isNode(first) || !first.range || !parent.range) return ' ';
  const opening = text.slice(parent.range[0], first.range[0]);
  return opening.includes('\n') ? `\n${' '.repeat(columnOf(text, first.range[0]))}` : ' ';
}

/** After the last character of a node and a trailing comment. */
function endOf(text: string, { range }: Node): number {
  const end = text.slice(0, range?.[1] ?? 0).trimEnd().length;
  const line = text.indexOf('\n', end);
  const rest = text.slice(end, line < 0 ? text.length : line);
  return /^\s*#/.test(rest) ? end + rest.trimEnd().length : end;
}

function columnOf(text: string, offset: number): number {
  return offset - (text.lastIndexOf('\n', offset - 1) + 1);
}

function insert(at: number, newText: string): TextEdit {
  return { range: { start: at, end: at }, newText };
}

function flowText(entry: SourceEntry): string {
  const document = new Document(entry, writtenSchema);
  if (isMap(document.contents)) document.contents.flow = true;
  return document.toString({ lineWidth: 0 }).trimEnd();
}

/** Flow style on one line, with usual blanks. */
function jsonText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(jsonText).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${jsonText(each)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}
