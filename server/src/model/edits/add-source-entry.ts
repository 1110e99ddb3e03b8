import { Document, type Node, type YAMLMap, type YAMLSeq, isMap, isNode, isScalar, isSeq, parseDocument } from 'yaml';
import { yamlOptions } from '../yaml-text.ts';
import type { TextEdit } from './text-edit.ts';

/** An entry of a list in the settings of a data source: a name, or a group of settings. */
export type SourceEntry = string | Readonly<Record<string, unknown>>;

/**
 * The edit that adds an entry to a list of a data source, such as a table to `tables`, in the style of what is there; the list is
 * made when it is missing. Undefined when the text does not allow it, or has the entry already.
 */
export function addSourceEntry(text: string, source: string, list: string, entry: SourceEntry): TextEdit | undefined {
  const document = parseDocument(text, yamlOptions);
  const settings: unknown = document.getIn(['dataSources', source], true);
  if (document.errors.length > 0 || !isMap(settings)) return undefined;
  const known: unknown = settings.get(list, true);
  const item = flowText(entry);
  const edit = isSeq(known)
    ? addToList(text, known, item)
    : isScalar(known) && known.range
      ? {
          range: { start: known.range[0], end: known.range[1] },
          newText: `[${text.slice(known.range[0], known.range[1])}, ${item}]`,
        }
      : addList(text, settings, list, item);
  return edit && isAdded(text, edit, source, list, entry) ? edit : undefined;
}

function addToList(text: string, list: YAMLSeq, item: string): TextEdit | undefined {
  const last = list.items.at(-1);
  if (list.flow) {
    const end = (list.range?.[1] ?? 0) - 1;
    return isNode(last) && last.range ? insert(last.range[1], `, ${item}`) : insert(end, item);
  }
  const first = list.items[0];
  if (!isNode(first) || !first.range || !isNode(last) || !last.range) return undefined;
  const dash = text.lastIndexOf('-', first.range[0] - 1);
  return insert(endOf(text, last), `\n${' '.repeat(columnOf(text, dash))}- ${item}`);
}

function addList(text: string, settings: YAMLMap, name: string, item: string): TextEdit | undefined {
  const last = settings.items.at(-1);
  const first = settings.items[0];
  if (!first || !last || !isNode(first.key) || !isNode(last.value) || !last.value.range) return undefined;
  if (settings.flow) return insert(last.value.range[1], `, ${name}: [${item}]`);
  const indent = ' '.repeat(columnOf(text, first.key.range?.[0] ?? 0));
  return insert(endOf(text, last.value), `\n${indent}${name}:\n${indent}  - ${item}`);
}

/** Behind the last character of a node, and behind a comment on its line. */
function endOf(text: string, { range }: Node): number {
  const end = text.slice(0, range?.[1] ?? 0).trimEnd().length;
  const line = text.indexOf('\n', end);
  const rest = text.slice(end, line < 0 ? text.length : line);
  return /^\s*#/.test(rest) ? end + rest.length : end;
}

function columnOf(text: string, offset: number): number {
  return offset - (text.lastIndexOf('\n', offset - 1) + 1);
}

function insert(at: number, newText: string): TextEdit {
  return { range: { start: at, end: at }, newText };
}

function flowText(entry: SourceEntry): string {
  const document = new Document(entry);
  if (isMap(document.contents)) document.contents.flow = true;
  return document.toString({ lineWidth: 0 }).trimEnd();
}

/** The text is read again: an edit that does not say what it should is none. */
function isAdded(text: string, edit: TextEdit, source: string, list: string, entry: SourceEntry): boolean {
  const after = parseDocument(text.slice(0, edit.range.start) + edit.newText + text.slice(edit.range.end), yamlOptions);
  if (after.errors.length > 0) return false;
  const read = (document: Document): readonly string[] => {
    const value = (document.toJS() as { dataSources?: Record<string, Record<string, unknown>> }).dataSources?.[
      source
    ]?.[list];
    return (Array.isArray(value) ? value : value === undefined ? [] : [value]).map((each) => JSON.stringify(each));
  };
  const [before, now] = [read(parseDocument(text, yamlOptions)), read(after)];
  const added = JSON.stringify(entry);
  return !before.includes(added) && now.length === before.length + 1 && now.at(-1) === added;
}
