import { type Node, type Pair, type YAMLMap, type YAMLSeq, isAlias, isMap, isNode, isScalar, isSeq } from 'yaml';
import { insertItems, removeItems } from './edit-list.ts';
import { insertKey, keyStart, removeKey } from './edit-map.ts';
import { type EditableYaml, columnOf, dashOf, endOf, lineEndOf, pairOf, startOf } from './editable-yaml.ts';
import { inKeyOrder } from './key-order.ts';
import { type JsonObject, type JsonValue, isJsonList, isJsonObject, sameValue } from './json-value.ts';
import { pairItems } from './pair-items.ts';
import { newOrder, reorderItems } from './reorder-list.ts';
import { type TextEdit, writtenLike } from './text-edit.ts';
import { blockComment } from './text-places.ts';
import { withOwnComments } from './own-comments.ts';
import { Unwritable } from './unwritable.ts';
import {
  type WritingStyle,
  unprintable,
  writeAfterKey,
  writeFlow,
  writeItem,
  writeJsonLines,
  writeText,
} from './write-value.ts';

/** The position of a value: after a key, or as a list item. */
type Slot =
  | { readonly kind: 'key'; readonly pair: Pair<Node, Node | null>; readonly flow: boolean }
  | { readonly kind: 'item'; readonly list: YAMLSeq; readonly index: number; readonly flow: boolean }
  | { readonly kind: 'root' };

/**
 * Edits that give the text the data `desired`, leaving equal parts untouched. They may be wrong for unusual texts: the
 * caller verifies the result.
 * @throws Unwritable
 */
export function reconcile(yaml: EditableYaml, desired: JsonValue): readonly TextEdit[] {
  const edits: TextEdit[] = [];
  const root = yaml.document.contents;
  if (isNode(root)) change(yaml, root, desired, { kind: 'root' }, edits);
  else throw new Unwritable('an empty text');
  return edits;
}

function change(yaml: EditableYaml, node: Node, desired: JsonValue, slot: Slot, edits: TextEdit[]): void {
  if (sameValue(valueOf(yaml, node), desired)) return;
  if (isMap(node) && isJsonObject(desired) && Object.keys(desired).length > 0)
    changeMap(yaml, node, desired, slot, edits);
  else if (isSeq(node) && isJsonList(desired) && node.items.length > 0) changeList(yaml, node, desired, slot, edits);
  else edits.push(replacement(yaml, node, desired, slot));
}

function valueOf({ document }: EditableYaml, node: Node): unknown {
  // Its aliases are bounded, because the whole text was parsed.
  return node.toJS(document, { maxAliasCount: -1 }) as unknown;
}

function changeMap(yaml: EditableYaml, map: YAMLMap, desired: JsonObject, slot: Slot, edits: TextEdit[]): void {
  const flow = map.flow === true;
  const names = map.items.map(({ key }) => (isScalar(key) ? String(key.value) : undefined));
  if (names.includes(undefined)) throw new Unwritable('a key that is no text');
  const gone = names.filter((name) => name !== undefined && !Object.hasOwn(desired, name)) as string[];
  const added = Object.keys(desired).filter((name) => !names.includes(name));
  // In flow style, a key cannot be inserted where another one is removed, because they share commas.
  const crowded = flow && gone.length > 0 && (added.length > 0 || gone.length > 1);
  if (crowded || (gone.length === names.length && names.length > 0)) {
    return void edits.push(rewriting(yaml, map, desired, slot));
  }
  for (const name of gone) edits.push(...removeKey(yaml, map, name));
  for (const [name, value] of Object.entries(desired)) {
    const pair = pairOf(map, name);
    if (!pair) continue;
    if (isNode(pair.value)) change(yaml, pair.value, value, { kind: 'key', pair, flow }, edits);
    else if (value !== null) throw new Unwritable('a key without a colon');
  }
  // Positioned after nested changes: a new list entry precedes the key that follows the list.
  for (const name of inKeyOrder(added, Object.keys(desired))) {
    edits.push(insertKey(yaml, map, name, desired[name] ?? null, gone));
  }
}

function changeList(
  yaml: EditableYaml,
  list: YAMLSeq,
  desired: readonly JsonValue[],
  slot: Slot,
  edits: TextEdit[],
): void {
  const flow = list.flow === true;
  const items = list.items as Node[];
  const values = items.map((item) => valueOf(yaml, item));
  const order = newOrder(values, desired);
  if (order) return void edits.push(...reorderItems(yaml, list, order));
  const changes = pairItems(items.length, desired.length, (from, to) => sameValue(values[from], desired[to]));
  const removed = changes.filter(({ kind }) => kind === 'remove').length;
  const stays = changes.some(({ kind }) => kind === 'keep' || kind === 'change');
  if (!stays && !flow) return void emptyList(yaml, list, desired, slot, edits);
  const comesAndGoes = removed > 0 && (removed > 1 || changes.some(({ kind }) => kind === 'insert'));
  if (flow && comesAndGoes) return void edits.push(rewriting(yaml, list, desired, slot));
  const inserts = new Map<number, JsonValue[]>();
  for (const each of changes) {
    if (each.kind === 'remove') edits.push(...removeItems(yaml, list, each.from));
    if (each.kind === 'insert') {
      inserts.set(each.before, [...(inserts.get(each.before) ?? []), desired[each.to] ?? null]);
    }
    const item = each.kind === 'change' ? items[each.from] : undefined;
    if (each.kind === 'change' && item) {
      change(yaml, item, desired[each.to] ?? null, { kind: 'item', list, index: each.from, flow }, edits);
    }
  }
  for (const [before, added] of inserts) edits.push(insertItems(yaml, list, before, added, keyOf(slot)));
}

/** Replaces a collection, which must not remove comments. */
function rewriting(yaml: EditableYaml, node: YAMLMap | YAMLSeq, desired: JsonValue, slot: Slot): TextEdit {
  const text = yaml.text.slice(node.range?.[0], endOf(node));
  if (/(^|\s)#/m.test(text)) throw new Unwritable('comments within brackets');
  return replacement(yaml, node, desired, slot);
}

function keyOf(slot: Slot): string {
  return slot.kind === 'key' && isScalar(slot.pair.key) ? String(slot.pair.key.value) : '';
}

/** Empties a block list: other comments between its items stay, the last item becomes empty brackets. */
function emptyList(
  yaml: EditableYaml,
  list: YAMLSeq,
  desired: readonly JsonValue[],
  slot: Slot,
  edits: TextEdit[],
): void {
  if (desired.length > 0) return void edits.push(replacement(yaml, list, desired, slot));
  const last = list.items.length - 1;
  for (let index = 0; index < last; index += 1) edits.push(...removeItems(yaml, list, index));
  const dash = dashOf(list, last);
  if (dash === undefined) throw new Unwritable('a list without dashes');
  const item = list.items[last] as Node;
  const { text } = yaml;
  const dashLine = text.lastIndexOf('\n', dash - 1) + 1;
  const lines = { start: dashLine, end: lineEndOf(Math.max(endOf(item), dash + 1), text) };
  const own = withOwnComments(text, lines, dash - dashLine);
  // The item follows the key directly, unless other comments are between.
  const key = slot.kind === 'key' ? (slot.pair.key.range?.[1] ?? 0) : undefined;
  const between = key === undefined ? '' : text.slice(key + 1, own.start);
  if (key !== undefined && last === 0 && between.trim() === '') {
    edits.push({ range: { start: key + 1, end: own.end }, newText: ' []' });
  } else edits.push({ range: { start: own.start, end: own.end }, newText: `${text.slice(dashLine, dash)}[]` });
}

/** Replaces a value. A comment after a block scalar's indicator belongs to its key and stays. */
function replacement(yaml: EditableYaml, node: Node, desired: JsonValue, slot: Slot): TextEdit {
  const { range, newText } = written(yaml, node, desired, slot);
  const [line = '', ...others] = newText.split(yaml.style.eol);
  return { range, newText: [`${line}${blockComment(yaml.text, node)}`, ...others].join(yaml.style.eol) };
}

function written(yaml: EditableYaml, node: Node, desired: JsonValue, slot: Slot): TextEdit {
  const { text, style } = yaml;
  const [from, to] = [node.range?.[0] ?? 0, endOf(node)];
  const end = Math.max(from, text.slice(0, to).trimEnd().length);
  if (isScalar(node) && !isAlias(node) && typeof desired === 'string' && typeof node.value === 'string') {
    return { range: { start: from, end }, newText: rewritten(yaml, text.slice(from, end), desired, node, slot) };
  }
  if (slot.kind === 'root') throw new Unwritable('the whole text');
  const start = slot.kind === 'key' ? startOf(node, slot.pair) : startOf(node, slot);
  const inBrackets =
    (isMap(node) || isSeq(node)) && node.flow === true && (!isJsonList(desired) || !desired.some(isJsonObject));
  if (slot.flow || (inBrackets && typeof desired === 'object' && desired !== null)) {
    const manyLines = style.json && text.slice(start, end).includes('\n');
    const indent = /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', start - 1) + 1))?.[0] ?? '';
    const newText = manyLines ? writeJsonLines(desired, indent, style.eol) : writeFlow(desired, style.json);
    return { range: { start, end }, newText };
  }
  if (typeof desired === 'string' && /[\r\n]/.test(desired) && hasComment(text, end)) {
    return { range: { start, end }, newText: `${start === end ? ' ' : ''}${JSON.stringify(desired)}` };
  }
  if (slot.kind === 'item') {
    const dash = dashOf(slot.list, slot.index) ?? 0;
    return { range: { start, end }, newText: writeItem(desired, columnOf(dash, text) + 2, style) };
  }
  const key = keyStart(slot.pair);
  const colon = slot.pair.key.range?.[1] ?? start;
  if (key === undefined || !/^\s*:/.test(text.slice(colon))) throw new Unwritable('a key of an unusual form');
  const afterColon = text.indexOf(':', colon) + 1;
  const newText = writeAfterKey(keyOf(slot), desired, columnOf(key, text), style);
  // A comment between key and value stays; a flow value may follow it.
  if (text.slice(afterColon, start).trim() === '')
    return { range: { start: afterColon, end: Math.max(end, afterColon) }, newText };
  return { range: { start, end: Math.max(end, start) }, newText: newText.trimStart() };
}

/** Whether a comment follows an offset on its line. */
function hasComment(text: string, offset: number): boolean {
  return /^[ \t]*#/.test(text.slice(offset, offset + 1000));
}

/** Writes a text in its current style: block, quoted or plain. */
function rewritten(yaml: EditableYaml, original: string, value: string, node: Node, slot: Slot): string {
  const { text, style } = yaml;
  const flow = slot.kind !== 'root' && slot.flow;
  if (style.json) return JSON.stringify(value);
  if (flow) return /[\r\n]/.test(value) ? JSON.stringify(value) : writtenLike(value, original || ',');
  const block = /^[|>]/.exec(original)?.[0];
  if (block === undefined && !/[\r\n]/.test(value)) return writtenLike(value, original);
  // A trailing comment would become part of the text.
  if (block === undefined && hasComment(text, endOf(node))) return JSON.stringify(value);
  const firstLine = block !== undefined ? /\n([ ]*)\S/.exec(text.slice(node.range?.[0]))?.[1] : undefined;
  const base = slot.kind === 'key' ? (keyStart(slot.pair) ?? 0) : (node.range?.[0] ?? 0);
  const indent = firstLine ?? ' '.repeat(columnOf(base, text) + 2);
  return block === undefined ? writeText(value, indent, style) : writeBlockText(value, block, indent, style);
}

/** Keeps the block style if possible, so that adding a line is a minimal change. */
function writeBlockText(value: string, sign: string, indent: string, style: WritingStyle): string {
  const body = value.replace(/\n$/, '');
  const isPlainLine = !/[\r\n]|^\s|^$|[ \t]$/.test(body) && !unprintable.test(body);
  if (isPlainLine) return `${sign}${body === value ? '-' : ''}${style.eol}${indent}${body}`;
  return writeText(value, indent, style);
}
