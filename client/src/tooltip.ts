import { MarkdownString } from 'vscode';
import { escapeMarkdown } from '../../protocol/escape-markdown.ts';

/** A tree tooltip as Markdown. Screen readers would read a plain-text tooltip instead of label and description. */
export function tooltip(...lines: readonly string[]): MarkdownString {
  return new MarkdownString(lines.map(escapeMarkdown).join('\n\n'));
}
