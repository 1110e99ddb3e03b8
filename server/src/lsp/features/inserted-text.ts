import { InsertTextMode } from 'vscode-languageserver/node';
import type { CompletionProposal } from '../../language/completion/completion-proposal.ts';
import { withoutStops } from '../../language/completion/snippet-text.ts';
import type { ClientForms } from '../client-forms.ts';

/** The text of a completion in the form that the client declared. */
interface InsertedText {
  readonly insertText: string;
  readonly isSnippet: boolean;
  readonly insertTextMode?: InsertTextMode;
}

/**
 * Further lines of a proposal are indented relative to the first. Editors that add its indentation get them so; others
 * get whole indentations. Snippets of editors that do not say which they do are on one line, where nothing is added.
 */
export function insertedText(
  { insertText, isSnippet = false, oneLine, replace }: CompletionProposal,
  { text }: { readonly text: string },
  { snippets, insertTextMode, itemSaysInsertTextMode }: ClientForms,
): InsertedText {
  const asSnippet = isSnippet && snippets;
  if (!insertText.includes('\n'))
    return { insertText: asSnippet || !isSnippet ? insertText : withoutStops(insertText), isSnippet: asSnippet };
  const mode = itemSaysInsertTextMode && insertTextMode ? { insertTextMode } : {};
  if (asSnippet && !insertTextMode) return { insertText: oneLine ?? insertText, isSnippet: true };
  const form = { isSnippet: asSnippet, ...mode };
  const shown = isSnippet && !snippets ? withoutStops(insertText) : insertText;
  if (insertTextMode === InsertTextMode.adjustIndentation) return { insertText: shown, ...form };
  const line = text.slice(text.lastIndexOf('\n', replace.start - 1) + 1, replace.start);
  const indentation = /^[ \t]*/.exec(line)?.[0] ?? '';
  return { insertText: shown.replaceAll('\n', `\n${indentation}`), ...form };
}
