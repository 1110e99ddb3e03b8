import type { CodeLens, CodeLensParams } from 'vscode-languageserver/node';
import { openGraph } from '../documents/open-documents.ts';
import type { LanguageServer } from '../language-server.ts';
import type { RequestWork } from '../request-guard.ts';
import { lastImport } from './last-import.ts';

/** `textDocument/codeLens` */
export function createCodeLens({ documents, contexts }: LanguageServer): RequestWork<CodeLensParams, CodeLens[]> {
  return async ({ textDocument }) => {
    const { codeLenses } = await import('../../language/code-lens.ts');
    const document = openGraph(documents, textDocument.uri);
    if (!document) return [];
    await contexts.findingsRead(document);
    const { importedExpectations: imported } = contexts.of(document);
    const { isCurrent, counts } = await lastImport(document, documents, contexts);
    if (!isCurrent) return [];
    const { text } = document;
    const { graph } = document.parsed;
    return codeLenses(graph, counts, imported && { text, imported }).map(({ range, title, action, target, rule }) => ({
      range: document.lines.range({ start: range.start, end: range.start }),
      command: {
        title,
        // Without a command, clients show the title as text.
        command: action ? `entityGraph.${action}` : '',
        ...(action
          ? { arguments: [textDocument.uri, ...(target ? [target] : []), ...(rule === undefined ? [] : [rule])] }
          : {}),
      },
    }));
  };
}
