import type { LinkedEditingRangeParams, LinkedEditingRanges } from 'vscode-languageserver/node';
import { openGraph } from '../documents/open-documents.ts';
import type { LanguageServer } from '../language-server.ts';
import type { RequestWork } from '../request-guard.ts';

/** `textDocument/linkedEditingRange` */
export function createLinkedEditingRanges({
  documents,
}: LanguageServer): RequestWork<LinkedEditingRangeParams, LinkedEditingRanges | null> {
  return async ({ textDocument, position }) => {
    const { linkedNames } = await import('../../language/names.ts');
    const document = openGraph(documents, textDocument.uri);
    const alike = document && linkedNames(document.parsed.graph, document.text, document.lines.offset(position));
    return document && alike ? { ranges: alike.map((range) => document.lines.range(range)) } : null;
  };
}
