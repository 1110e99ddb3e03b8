import {
  type CST,
  type Document,
  type Node,
  type Pair,
  type ParsedNode,
  type YAMLMap,
  type YAMLSeq,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  visit,
} from 'yaml';
import { documentWithErrors } from '../bounded-document.ts';
import { type YamlText, yamlOptions } from '../yaml-text.ts';
import { contentLineEnd } from './text-places.ts';
import type { WritingStyle } from './write-value.ts';

/** A text together with the place of every one of its signs, dashes and commas included. */
export interface EditableYaml {
  readonly text: string;
  readonly document: Document.Parsed<ParsedNode>;
  readonly style: WritingStyle;
}

/** Takes a text apart for editing; errors are in `document.errors`. */
export function readEditable(text: string): EditableYaml {
  const document = documentWithErrors(text, { ...yamlOptions, keepSourceTokens: true });
  return { text, document: document as Document.Parsed<ParsedNode>, style: styleOf(text, document.contents) };
}

/**
 * A text as it was read for the language features, for edits that need no more than the places of nodes: those of keys, of
 * what is in brackets, and additions to lists.
 */
export function editableOf({ text, document }: YamlText): EditableYaml {
  return { text, document, style: styleOf(text, document.contents) };
}

function styleOf(text: string, contents: Node | null): WritingStyle {
  return {
    eol: /\r?\n/.exec(text)?.[0] ?? '\n',
    listIndent: listIndentOf(text, contents) ?? 2,
    json: isJsonText(text, contents),
  };
}

/** Whether a text is JSON, in which every key and text has double quotes. */
export function isJsonText(text: string, contents: unknown): boolean {
  return isMap(contents) && contents.flow === true && /^[\s\ufeff]*\{\s*["}]/.test(text);
}

/** How far the first block list stands right of its key. */
function listIndentOf(text: string, contents: Node | null): number | undefined {
  let found: number | undefined;
  visit(contents, {
    Pair(_key, pair) {
      const { key, value } = pair as Pair<Node, Node>;
      if (!isScalar(key) || !isSeq(value) || value.flow === true || value.items.length === 0) return undefined;
      const dash = dashOf(value, 0);
      if (dash === undefined || !key.range) return undefined;
      found = columnOf(dash, text) - columnOf(key.range[0], text);
      return visit.BREAK;
    },
  });
  return found === undefined || found < 0 ? undefined : found;
}

export function columnOf(offset: number, text: string): number {
  return offset - (text.lastIndexOf('\n', offset - 1) + 1);
}

/** Where the dash of an item stands. */
export function dashOf(list: YAMLSeq, index: number): number | undefined {
  // Without the signs of the text only the first dash is known: the list begins with it.
  if (!list.srcToken) return index === 0 ? list.range?.[0] : undefined;
  return dashesOf(list)[index];
}

/** Where the dashes of all items stand, in a text taken apart for editing. */
export function dashesOf({ srcToken }: YAMLSeq): readonly number[] {
  const tokens = (srcToken as CST.BlockSequence | undefined)?.items ?? [];
  return tokens.flatMap(({ start }) => start.find(isDash)?.offset ?? []);
}

function isDash({ type }: CST.SourceToken): boolean {
  return type === 'seq-item-ind';
}

/** Where a value starts: at its anchor or tag, where it has one. */
export function startOf(node: Node, container: Pair | { readonly list: YAMLSeq; readonly index: number }): number {
  const offset = node.range?.[0] ?? 0;
  const tokens = isPair(container)
    ? ((container as Pair & { srcToken?: CST.CollectionItem }).srcToken?.sep ?? [])
    : ((container.list.srcToken as CST.BlockSequence | CST.FlowCollection | undefined)?.items[container.index]?.start ??
      []);
  const property = tokens.find(({ type }) => type === 'anchor' || type === 'tag');
  return property && property.offset < offset ? property.offset : offset;
}

/** Where the last sign of a node ends; comments and blank lines behind it are not part of it. */
export function endOf(node: Node): number {
  if (isMap(node) && node.flow !== true && node.items.length > 0)
    return endOfPair(node.items.at(-1) as Pair<Node, Node>);
  if (isSeq(node) && node.flow !== true && node.items.length > 0) return endOf(node.items.at(-1) as Node);
  return node.range?.[1] ?? 0;
}

export function endOfPair({ key, value }: Pair<Node, Node | null>): number {
  return isNode(value) ? endOf(value) : (key.range?.[1] ?? 0);
}

/** The end of the last line of a node, with a comment that stands on that line. */
export function lineEndOf(end: number, text: string): number {
  return contentLineEnd(end, text);
}

/** The pair of a key. */
export function pairOf(map: YAMLMap, key: string): Pair<Node, Node | null> | undefined {
  return map.items.find((pair) => isScalar(pair.key) && String(pair.key.value) === key) as
    Pair<Node, Node | null> | undefined;
}
