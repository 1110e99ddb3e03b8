import {
  CodeActionKind,
  type FileOperationRegistrationOptions,
  type InitializeResult,
  TextDocumentSyncKind,
} from 'vscode-languageserver/node';
import { version } from '../../../package.json';
import type { ClientAbilities } from './client-abilities.ts';
import { completionTriggers } from './features/completion.ts';
import { applyEditCommand } from './features/offered-actions.ts';
import { semanticTokensLegend } from './features/semantic-tokens.ts';

/** Renamed files and folders of which the server wants to know. */
const didRename: FileOperationRegistrationOptions = {
  filters: [
    { pattern: { glob: '**/*.entity.{yaml,yml,json}', matches: 'file' } },
    { pattern: { glob: '**/*', matches: 'folder' } },
  ],
};

/** The capabilities of the server, for a client. */
export function initializeResult(client: ClientAbilities): InitializeResult {
  const { forms } = client;
  const codeActions = {
    codeActionKinds: [CodeActionKind.QuickFix, CodeActionKind.Refactor, CodeActionKind.SourceFixAll],
    resolveProvider: client.resolvesCodeActions,
  };
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
      renameProvider: forms.preparesRename ? { prepareProvider: true } : true,
      codeActionProvider: forms.codeActionLiterals ? codeActions : true,
      // A client registers the commands; ours has its own.
      ...(forms.codeActionLiterals ? {} : { executeCommandProvider: { commands: [applyEditCommand] } }),
      foldingRangeProvider: true,
      documentFormattingProvider: true,
      documentRangeFormattingProvider: true,
      documentOnTypeFormattingProvider: { firstTriggerCharacter: '\n' },
      workspaceSymbolProvider: true,
      documentLinkProvider: {},
      selectionRangeProvider: true,
      semanticTokensProvider: {
        legend: semanticTokensLegend(forms.tokenTypes),
        full: forms.tokenDeltas ? { delta: true } : true,
      },
      inlayHintProvider: true,
      linkedEditingRangeProvider: true,
      callHierarchyProvider: true,
      // Code lenses use commands of our own client.
      ...(client.extended ? { codeLensProvider: { resolveProvider: client.resolvesLenses } } : {}),
      ...(client.diagnostics === 'push' ? {} : { diagnosticProvider: pull }),
      workspace: {
        workspaceFolders: { supported: true, changeNotifications: true },
        ...(forms.tellsRenames ? { fileOperations: { didRename } } : {}),
      },
    },
  };
}
