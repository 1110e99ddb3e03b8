import { type MarkupContent, MarkupKind } from 'vscode-languageserver/node';
import type { Markdown } from '../../language/markdown.ts';

/** Converts Markdown to LSP. The only place that sends Markdown: its type guarantees escaped data. */
export function toMarkup({ source }: Markdown): MarkupContent {
  return { kind: MarkupKind.Markdown, value: source };
}
