import { type MarkupContent, MarkupKind } from 'vscode-languageserver/node';
import type { Markdown } from '../../language/markdown.ts';
import type { MarkupForm } from '../client-forms.ts';

/**
 * Converts Markdown to LSP, in the form that the client shows. The only place that sends Markdown: its type guarantees
 * escaped data.
 */
export function toMarkup({ source, plain }: Markdown, form: MarkupForm): MarkupContent {
  return form === 'markdown'
    ? { kind: MarkupKind.Markdown, value: source }
    : { kind: MarkupKind.PlainText, value: plain };
}
