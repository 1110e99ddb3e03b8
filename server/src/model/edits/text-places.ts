import type { Node } from 'yaml';

/** End of the last non-blank character before an offset. */
export function contentEnd(offset: number, text: string): number {
  return text.slice(0, offset).trimEnd().length;
}

/** End of that character's line, with a trailing comment. */
export function contentLineEnd(offset: number, text: string): number {
  const lineEnd = /\r?\n|$/.exec(text.slice(contentEnd(offset, text)));
  return contentEnd(offset, text) + (lineEnd?.index ?? 0);
}

/** The comment after a block scalar's indicator, with preceding blanks; empty without one. */
export function blockComment(text: string, { range, type }: Node & { readonly type?: unknown }): string {
  const isBlock = type === 'BLOCK_LITERAL' || type === 'BLOCK_FOLDED';
  if (!range || !isBlock) return '';
  const lineEnd = text.indexOf('\n', range[0]);
  const header = text.slice(range[0], lineEnd < 0 ? range[1] : lineEnd);
  return /^[|>][-+1-9]*([ \t]+#[^\r]*)/.exec(header)?.[1]?.trimEnd() ?? '';
}
