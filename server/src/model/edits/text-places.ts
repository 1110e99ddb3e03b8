import type { Node } from 'yaml';

/** Where the last sign before an offset ends: blank lines at the end of a node are not part of it. */
export function contentEnd(offset: number, text: string): number {
  return text.slice(0, offset).trimEnd().length;
}

/** The end of the line of the last sign before an offset, a comment on it included: it belongs to that line. */
export function contentLineEnd(offset: number, text: string): number {
  const lineEnd = /\r?\n|$/.exec(text.slice(contentEnd(offset, text)));
  return contentEnd(offset, text) + (lineEnd?.index ?? 0);
}

/** The comment behind the sign that a text of several lines begins with, with the blanks before it; empty where there is none. */
export function blockComment(text: string, { range, type }: Node & { readonly type?: unknown }): string {
  const isBlock = type === 'BLOCK_LITERAL' || type === 'BLOCK_FOLDED';
  if (!range || !isBlock) return '';
  const lineEnd = text.indexOf('\n', range[0]);
  const header = text.slice(range[0], lineEnd < 0 ? range[1] : lineEnd);
  return /^[|>][-+1-9]*([ \t]+#[^\r]*)/.exec(header)?.[1]?.trimEnd() ?? '';
}
