import { MarkdownString } from 'vscode';
import { escapeMarkdown } from '../../protocol/escape-markdown.ts';

/** Lines of a tooltip of a tree. One of plain text would be what screen readers say, instead of the row's label and description. */
export function tooltip(...lines: readonly string[]): MarkdownString {
  return new MarkdownString(lines.map(escapeMarkdown).join('\n\n'));
}
