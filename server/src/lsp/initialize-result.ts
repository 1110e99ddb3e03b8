import { CodeActionKind, type InitializeResult, TextDocumentSyncKind } from 'vscode-languageserver/node';
import { version } from '../../../package.json';
import type { ClientAbilities } from './client-abilities.ts';
import { completionTriggers } from './features/completion.ts';
import { semanticTokensLegend } from './features/semantic-tokens.ts';

/** The capabilities of the server, for a client. */
export function initializeResult(client: ClientAbilities): InitializeResult {
  const pull = { identifier: 'entity-graph', interFileDependencies: true, workspaceDiagnostics: false };
  return {
    serverInfo: { name: 'Entity Graph', version },
    capabilities: {
      textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental },
      completionProvider: { triggerCharacters: completionTriggers, resolveProvider: client.resolvesCompletions },
      hoverProvider: true,
      documentSymbolProvider: true,
      definitionProvider: true,
      referencesProvider: true,
      documentHighlightProvider: true,
      renameProvider: { prepareProvider: true },
      codeActionProvider: {
        codeActionKinds: [CodeActionKind.QuickFix, CodeActionKind.Refactor, CodeActionKind.SourceFixAll],
        resolveProvider: true,
      },
      foldingRangeProvider: true,
      documentFormattingProvider: true,
      documentRangeFormattingProvider: true,
      documentOnTypeFormattingProvider: { firstTriggerCharacter: '\n' },
      workspaceSymbolProvider: true,
      documentLinkProvider: {},
      selectionRangeProvider: true,
      semanticTokensProvider: { legend: semanticTokensLegend, full: { delta: true } },
      inlayHintProvider: true,
      linkedEditingRangeProvider: true,
      callHierarchyProvider: true,
      // Code lenses use commands of our own client.
      ...(client.extended ? { codeLensProvider: { resolveProvider: client.resolvesLenses } } : {}),
      ...(client.diagnostics === 'push' ? {} : { diagnosticProvider: pull }),
      workspace: {
        workspaceFolders: { supported: true, changeNotifications: true },
        fileOperations: {
          didRename: {
            filters: [
              { pattern: { glob: '**/*.entity.{yaml,yml,json}', matches: 'file' } },
              { pattern: { glob: '**/*', matches: 'folder' } },
            ],
          },
        },
      },
    },
  };
}
