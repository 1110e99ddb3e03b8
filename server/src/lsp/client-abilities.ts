import type { InitializeParams } from 'vscode-languageserver/node';
import { type ClientForms, readClientForms } from './client-forms.ts';
import type { InitializationOptions } from '../../../protocol/language-requests.ts';

/** The client's capabilities from its `initialize` request. */
export interface ClientAbilities {
  /** Our own client: it supports our requests and notifications. */
  readonly extended: boolean;
  readonly trusted: boolean;
  /** Origins that may receive secrets and environment variables without a question. */
  readonly allowedOrigins: readonly string[];
  readonly diagnostics: 'push' | 'pull' | 'pull without refresh';
  readonly configuration: boolean;
  readonly watchedFiles: boolean;
  /** The client can watch files outside of the workspace folders. */
  readonly watchesAnyFolder: boolean;
  readonly workspaceFolders: boolean;
  /** The client supports `workspace/codeLens/refresh`. */
  readonly refreshesLenses: boolean;
  /** The client supports `workspace/inlayHint/refresh`. */
  readonly refreshesHints: boolean;
  /** The client sends changed settings. */
  readonly tellsSettings: boolean;
  /** The client resolves the documentation of completion items. */
  readonly resolvesCompletions: boolean;
  /** The client supports completion item defaults. */
  readonly takesCompletionDefaults: boolean;
  /** The client resolves the edit of code actions. */
  readonly resolvesCodeActions: boolean;
  /** The client resolves the command of code lenses. */
  readonly resolvesLenses: boolean;
  readonly forms: ClientForms;
}

/** Defaults before `initialize`. */
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
  resolvesLenses: false,
  forms: readClientForms({}),
};

export function readClientAbilities({ capabilities, initializationOptions }: InitializeParams): ClientAbilities {
  const { workspace, textDocument } = capabilities;
  const own = initializationOptions as InitializationOptions | null | undefined;
  const pull = workspace?.diagnostics?.refreshSupport ? 'pull' : 'pull without refresh';
  return {
    extended: own?.extended === true,
    // In editors without workspace trust, starting this server implies trust.
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
    resolvesLenses: has(textDocument?.codeLens?.resolveSupport?.properties, 'command'),
    forms: readClientForms(capabilities),
  };
}

/** A malformed capability counts as missing. */
function has(list: unknown, name: string): boolean {
  return Array.isArray(list) && list.includes(name);
}
