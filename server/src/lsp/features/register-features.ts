import { type Connection, DocumentDiagnosticReportKind } from 'vscode-languageserver/node';
import { createAnswersWhileParsing } from '../documents/answers-while-parsing.ts';
import type { LanguageServer } from '../language-server.ts';
import { guardRead, guardRequest } from '../request-guard.ts';
import { createGraphRequests } from '../requests/graph-requests.ts';
import { createCallHierarchy } from './call-hierarchy.ts';
import { createCodeActions } from './code-actions.ts';
import { createCodeLens } from './code-lens.ts';
import { createCompletion } from './completion.ts';
import { createDefinition } from './definition.ts';
import { createDocumentHighlights } from './document-highlights.ts';
import { createDocumentLinks } from './document-links.ts';
import { createDocumentSymbols } from './document-symbols.ts';
import { createFoldingRanges } from './folding-ranges.ts';
import { createFormatting } from './formatting.ts';
import { createHover } from './hover.ts';
import { createInlayHints } from './inlay-hints.ts';
import { createLinkedEditingRanges } from './linked-editing-ranges.ts';
import { createOfferedEdits } from './offered-actions.ts';
import { createReferences } from './references.ts';
import { createRename } from './rename.ts';
import { createSelectionRanges } from './selection-ranges.ts';
import { createSemanticTokens } from './semantic-tokens.ts';
import { createWorkspaceSymbols } from './workspace-symbols.ts';

/** Registers a handler per request, which also covers files that are still being parsed. */
export function registerFeatures(
  connection: Connection,
  server: LanguageServer,
  folders: () => readonly string[],
  log: (message: string) => void,
): void {
  const whileRead = createAnswersWhileParsing(server.documents);
  const { completion, resolve: resolveCompletion } = createCompletion(server);
  connection.onCompletion(guardRead(whileRead.nothing(completion, []), log));
  connection.onCompletionResolve(guardRead(resolveCompletion, log));
  connection.onHover(guardRead(whileRead.nothing(createHover(server), null), log));
  connection.onDocumentSymbol(guardRead(whileRead.calm(createDocumentSymbols(server)), log));
  const { codeActions, resolve: resolveCodeAction } = createCodeActions(server);
  connection.onCodeAction(guardRead(whileRead.nothing(codeActions, []), log));
  connection.onCodeActionResolve(guardRead(resolveCodeAction, log));
  connection.onExecuteCommand(guardRequest(createOfferedEdits(server, connection), log));
  const { codeLens, resolve: resolveCodeLens } = createCodeLens(server);
  connection.onCodeLens(guardRead(whileRead.calm(codeLens), log));
  connection.onCodeLensResolve(guardRead(resolveCodeLens, log));
  connection.onFoldingRanges(guardRead(whileRead.calm(createFoldingRanges(server)), log));
  connection.onDefinition(guardRead(whileRead.nothing(createDefinition(server), null), log));
  connection.onReferences(guardRead(whileRead.nothing(createReferences(server, folders), []), log));
  connection.onDocumentHighlight(guardRead(whileRead.nothing(createDocumentHighlights(server), []), log));
  const rename = createRename(server, folders);
  connection.onPrepareRename(guardRead(whileRead.refused(rename.prepare), log));
  connection.onRenameRequest(guardRead(whileRead.refused(rename.rename), log));
  connection.onWorkspaceSymbol(guardRead(createWorkspaceSymbols(server, folders), log));
  const formatting = createFormatting(server);
  connection.onDocumentFormatting(guardRead(formatting.document, log));
  connection.onDocumentRangeFormatting(guardRead(formatting.range, log));
  connection.onDocumentOnTypeFormatting(guardRead(whileRead.nothing(formatting.onType, []), log));
  connection.onDocumentLinks(guardRead(whileRead.calm(createDocumentLinks(server)), log));
  connection.onSelectionRanges(guardRead(whileRead.nothing(createSelectionRanges(server), []), log));
  const tokens = createSemanticTokens(server);
  connection.languages.semanticTokens.on(guardRead(whileRead.later(tokens.full), log));
  connection.languages.semanticTokens.onDelta(guardRead(whileRead.later(tokens.delta), log));
  connection.languages.inlayHint.on(guardRead(whileRead.later(createInlayHints(server)), log));
  connection.languages.onLinkedEditingRange(guardRead(whileRead.nothing(createLinkedEditingRanges(server), null), log));
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
    // The table's type pairs each method with its parameters, which a loop cannot express.
    connection.onRequest(method, guardRequest(work as (params: unknown, signal: AbortSignal) => Promise<unknown>, log));
  }
}
