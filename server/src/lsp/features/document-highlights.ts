import type { DocumentHighlight, DocumentHighlightParams } from 'vscode-languageserver/node';
import type { LanguageServer } from '../language-server.ts';
import type { RequestWork } from '../request-guard.ts';
import { nameIn, sourceNameAt } from './name-at-position.ts';

/** `textDocument/documentHighlight` */
export function createDocumentHighlights(
  server: LanguageServer,
): RequestWork<DocumentHighlightParams, DocumentHighlight[]> {
  return async (params) => {
    const document = server.documents.get(params.textDocument.uri);
    if (document?.kind === 'sources') {
      const source = await sourceNameAt(server, params);
      return source ? [{ range: source.range }] : [];
    }
    const found = await nameIn(server, params);
    return found ? found.thing.places.map((range) => ({ range: found.document.lines.range(range) })) : [];
  };
}
