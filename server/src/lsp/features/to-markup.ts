import { type MarkupContent, MarkupKind } from 'vscode-languageserver/node';
import type { Markdown } from '../../language/markdown.ts';

/** Markdown in the protocol's shape. The only place that gives Markdown to editors: it takes none but what escapes data. */
export function toMarkup({ source }: Markdown): MarkupContent {
  return { kind: MarkupKind.Markdown, value: source };
}
