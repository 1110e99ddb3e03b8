import { type Connection, DocumentDiagnosticReportKind } from 'vscode-languageserver/node';
import { createCallHierarchy } from './call-hierarchy.ts';
import { createEditingFeatures } from './editing-features.ts';
import { createFormattingFeatures } from './formatting-features.ts';
import { createGraphRequests } from '../requests/graph-requests.ts';
import { createLanguageFeatures } from './language-features.ts';
import type { LanguageServer } from '../language-server.ts';
import { createNavigationFeatures } from './navigation-features.ts';
import { createReadingFeatures } from './reading-features.ts';
import { guardRead, guardRequest } from '../request-guard.ts';
import { createWhileRead } from '../documents/while-read.ts';
import { createWorkspaceSymbols } from './workspace-symbols.ts';

/** Has each request answered by its feature, also while the file that it is about is still being read. */
export function registerFeatures(
  connection: Connection,
  server: LanguageServer,
  folders: () => readonly string[],
  log: (message: string) => void,
): void {
  const whileRead = createWhileRead(server.documents);
  const features = createLanguageFeatures(server);
  connection.onCompletion(guardRead(whileRead.nothing(features.completion, []), log));
  connection.onCompletionResolve(guardRead(features.resolveCompletion, log));
  connection.onHover(guardRead(whileRead.nothing(features.hover, null), log));
  connection.onDocumentSymbol(guardRead(whileRead.later(features.documentSymbols), log));
  const editing = createEditingFeatures(server);
  connection.onCodeAction(guardRead(whileRead.nothing(editing.codeActions, []), log));
  connection.onCodeActionResolve(guardRead(editing.resolveCodeAction, log));
  connection.onCodeLens(guardRead(whileRead.later(editing.codeLenses), log));
  connection.onFoldingRanges(guardRead(whileRead.later(editing.folding), log));
  const navigation = createNavigationFeatures(server, folders);
  connection.onDefinition(guardRead(whileRead.nothing(navigation.definition, null), log));
  connection.onReferences(guardRead(whileRead.nothing(navigation.references, []), log));
  connection.onDocumentHighlight(guardRead(whileRead.nothing(navigation.highlights, []), log));
  connection.onPrepareRename(guardRead(whileRead.refused(navigation.prepareRename), log));
  connection.onRenameRequest(guardRead(whileRead.refused(navigation.rename), log));
  connection.onWorkspaceSymbol(guardRead(createWorkspaceSymbols(server, folders), log));
  const formatting = createFormattingFeatures(server);
  connection.onDocumentFormatting(guardRead(formatting.document, log));
  connection.onDocumentRangeFormatting(guardRead(formatting.range, log));
  connection.onDocumentOnTypeFormatting(guardRead(whileRead.nothing(formatting.onType, []), log));
  const reading = createReadingFeatures(server);
  connection.onDocumentLinks(guardRead(whileRead.later(reading.links), log));
  connection.onSelectionRanges(guardRead(whileRead.nothing(reading.selections, []), log));
  connection.languages.semanticTokens.on(guardRead(whileRead.later(reading.tokens), log));
  connection.languages.inlayHint.on(guardRead(whileRead.later(reading.inlayHints), log));
  connection.languages.onLinkedEditingRange(guardRead(whileRead.nothing(reading.linkedEditing, null), log));
  const relations = createCallHierarchy(server);
  connection.languages.callHierarchy.onPrepare(guardRead(whileRead.nothing(relations.prepare, null), log));
  connection.languages.callHierarchy.onIncomingCalls(guardRead(relations.incoming, log));
  connection.languages.callHierarchy.onOutgoingCalls(guardRead(relations.outgoing, log));
  connection.languages.diagnostics.on(
    guardRead(
      async ({ textDocument }, signal) => ({
        kind: DocumentDiagnosticReportKind.Full,
        items: [...(await server.diagnostics.of(textDocument.uri, signal))],
      }),
      log,
    ),
  );
  for (const [method, work] of Object.entries(createGraphRequests(server, folders))) {
    // The table's type pairs each method with its parameters; a loop over it cannot show that.
    connection.onRequest(method, guardRequest(work as (params: unknown, signal: AbortSignal) => Promise<unknown>, log));
  }
}
