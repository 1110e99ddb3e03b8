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

/** A text with the positions of all tokens, dashes and commas included. */
export interface EditableYaml {
  readonly text: string;
  readonly document: Document.Parsed<ParsedNode>;
  readonly style: WritingStyle;
}

/** Parses a text for editing; errors are in `document.errors`. */
export function readEditable(text: string): EditableYaml {
  const document = documentWithErrors(text, { ...yamlOptions, keepSourceTokens: true });
  return { text, document: document as Document.Parsed<ParsedNode>, style: styleOf(text, document.contents) };
}

/**
 * A text as parsed for language features, sufficient for edits based on node positions: keys, flow style, and additions
 * to lists.
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

/** Whether a text is JSON, where every key and text has double quotes. */
export function isJsonText(text: string, contents: unknown): boolean {
  return isMap(contents) && contents.flow === true && /^[\s\ufeff]*\{\s*["}]/.test(text);
}

/** Indentation of the first block list relative to its key. */
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

/** Position of an item's dash. */
export function dashOf(list: YAMLSeq, index: number): number | undefined {
  // Without tokens only the first dash is known: it starts the list.
  if (!list.srcToken) return index === 0 ? list.range?.[0] : undefined;
  return dashesOf(list)[index];
}

/** Positions of all dashes, in a text parsed for editing. */
export function dashesOf({ srcToken }: YAMLSeq): readonly number[] {
  const tokens = (srcToken as CST.BlockSequence | undefined)?.items ?? [];
  return tokens.flatMap(({ start }) => start.find(isDash)?.offset ?? []);
}

function isDash({ type }: CST.SourceToken): boolean {
  return type === 'seq-item-ind';
}

/** Start of a value, with its anchor or tag. */
export function startOf(node: Node, container: Pair | { readonly list: YAMLSeq; readonly index: number }): number {
  const offset = node.range?.[0] ?? 0;
  const tokens = isPair(container)
    ? ((container as Pair & { srcToken?: CST.CollectionItem }).srcToken?.sep ?? [])
    : ((container.list.srcToken as CST.BlockSequence | CST.FlowCollection | undefined)?.items[container.index]?.start ??
      []);
  const property = tokens.find(({ type }) => type === 'anchor' || type === 'tag');
  return property && property.offset < offset ? property.offset : offset;
}

/** End of a node without trailing comments and blank lines. */
export function endOf(node: Node): number {
  if (isMap(node) && node.flow !== true && node.items.length > 0)
    return endOfPair(node.items.at(-1) as Pair<Node, Node>);
  if (isSeq(node) && node.flow !== true && node.items.length > 0) return endOf(node.items.at(-1) as Node);
  return node.range?.[1] ?? 0;
}

export function endOfPair({ key, value }: Pair<Node, Node | null>): number {
  return isNode(value) ? endOf(value) : (key.range?.[1] ?? 0);
}

/** End of the last line of a node, with a trailing comment. */
export function lineEndOf(end: number, text: string): number {
  return contentLineEnd(end, text);
}

/** The pair of a key. */
export function pairOf(map: YAMLMap, key: string): Pair<Node, Node | null> | undefined {
  return map.items.find((pair) => isScalar(pair.key) && String(pair.key.value) === key) as
    Pair<Node, Node | null> | undefined;
}
