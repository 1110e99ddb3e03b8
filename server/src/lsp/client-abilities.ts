import type { InitializeParams } from 'vscode-languageserver/node';
import type { InitializationOptions } from '../../../protocol/language-requests.ts';

/** What the editor can do, from its `initialize` request. */
export interface ClientAbilities {
  /** Our own client: it answers our requests and understands our notifications. */
  readonly extended: boolean;
  readonly trusted: boolean;
  /** Where values of secrets and of environment variables may be sent without a question. */
  readonly allowedOrigins: readonly string[];
  readonly diagnostics: 'push' | 'pull' | 'pull without refresh';
  readonly configuration: boolean;
  readonly watchedFiles: boolean;
  /** It watches files outside of the open folders, too. */
  readonly watchesAnyFolder: boolean;
  readonly workspaceFolders: boolean;
  /** It asks for lenses again when it is told so. */
  readonly refreshesLenses: boolean;
  /** It asks for inlay hints again when it is told so. */
  readonly refreshesHints: boolean;
  /** It tells when its settings have changed. */
  readonly tellsSettings: boolean;
  /** It asks for the documentation of a completion when that is shown. */
  readonly resolvesCompletions: boolean;
  /** It takes what completions have in common once for all of them. */
  readonly takesCompletionDefaults: boolean;
  /** It asks for the edit of a code action when that is chosen. */
  readonly resolvesCodeActions: boolean;
}

/** What is assumed until `initialize` has come. */
export const noAbilities: ClientAbilities = {
  extended: false,
  trusted: false,
  allowedOrigins: [],
  diagnostics: 'push',
  configuration: false,
  watchedFiles: false,
  watchesAnyFolder: false,
  workspaceFolders: false,
  refreshesLenses: false,
  refreshesHints: false,
  tellsSettings: false,
  resolvesCompletions: false,
  takesCompletionDefaults: false,
  resolvesCodeActions: false,
};

export function readClientAbilities({ capabilities, initializationOptions }: InitializeParams): ClientAbilities {
  const { workspace, textDocument } = capabilities;
  const own = initializationOptions as InitializationOptions | null | undefined;
  const pull = workspace?.diagnostics?.refreshSupport ? 'pull' : 'pull without refresh';
  return {
    extended: own?.extended === true,
    // Editors without the notion of trust have been told by their user to start this server here.
    trusted: own?.trusted !== false,
    allowedOrigins: Array.isArray(own?.allowedOrigins)
      ? own.allowedOrigins.filter((each) => typeof each === 'string')
      : [],
    diagnostics: textDocument?.diagnostic ? pull : 'push',
    configuration: workspace?.configuration === true,
    watchedFiles: workspace?.didChangeWatchedFiles?.dynamicRegistration === true,
    watchesAnyFolder: workspace?.didChangeWatchedFiles?.relativePatternSupport === true,
    workspaceFolders: workspace?.workspaceFolders === true,
    refreshesLenses: workspace?.codeLens?.refreshSupport === true,
    refreshesHints: workspace?.inlayHint?.refreshSupport === true,
    tellsSettings: workspace?.didChangeConfiguration?.dynamicRegistration === true,
    resolvesCompletions: has(textDocument?.completion?.completionItem?.resolveSupport?.properties, 'documentation'),
    takesCompletionDefaults: ['editRange', 'insertTextFormat'].every((name) =>
      has(textDocument?.completion?.completionList?.itemDefaults, name),
    ),
    resolvesCodeActions: has(textDocument?.codeAction?.resolveSupport?.properties, 'edit'),
  };
}

/** An editor that says something else than the protocol has it cannot do it. */
function has(list: unknown, name: string): boolean {
  return Array.isArray(list) && list.includes(name);
}
