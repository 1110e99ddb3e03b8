import type { XesAttributeNode, XesHead } from './xes-head.ts';
import { compositeTypes, isXesValue, simpleTypes } from './xes-value.ts';

type Given = Readonly<Record<string, string>>;
type HeadPart = { readonly [Part in keyof XesHead]: XesHead[Part][number] };

/** Receives the elements of a log outside of traces and events. */
interface HeadReader {
  open(tag: string, given: Given): void;
  close(): void;
}

/** An open element: its attributes are collected in `children`; attributes in `<values>` in the children of the list. */
interface OpenPart {
  readonly tag: string;
  readonly given: Given;
  readonly children: XesAttributeNode[];
  readonly values: XesAttributeNode[];
}

/**
 * Collects the head of a log. An extension, classifier or global attribute that lacks something is left out, as no event depends on it.
 * @param add called with each part when its element ends
 */
export function readHead(add: <Part extends keyof XesHead>(kind: Part, value: HeadPart[Part]) => void): HeadReader {
  const open: OpenPart[] = [];

  function addPart({ tag, given, children }: OpenPart, node: XesAttributeNode | undefined): void {
    const { name, prefix, uri, keys } = given;
    const scope = given['scope'] === 'trace' ? 'trace' : 'event';
    if (tag === 'extension') {
      if (name && prefix && uri) add('extensions', { name, prefix, uri });
    } else if (tag === 'classifier') {
      if (name && keys) add('classifiers', { name, scope, keys });
    } else if (tag === 'global') {
      for (const attribute of children) add('globals', { scope, attribute });
    } else if (node && node.key !== 'concept:name') add('attributes', node);
  }

  return {
    open(tag, given) {
      open.push({ tag, given, children: [], values: [] });
    },
    close() {
      const closed = open.pop();
      if (!closed) return;
      const above = open.at(-1);
      const node = nodeOf(closed);
      if (!above) addPart(closed, node);
      else if (closed.tag === 'values') above.values.push(...closed.children);
      else if (node) above.children.push(node);
    },
  };
}

function nodeOf({ tag, given, children, values }: OpenPart): XesAttributeNode | undefined {
  const { key, value } = given;
  if (!key) return undefined;
  const inner = { ...(children.length > 0 && { attributes: children }), ...(values.length > 0 && { values }) };
  if (compositeTypes.includes(tag)) return { type: tag, key, ...inner };
  if (!simpleTypes.includes(tag) || value === undefined || !isXesValue(tag, value)) return undefined;
  return { type: tag, key, value, ...inner };
}
