import {
  CodeLensRefreshRequest,
  type Connection,
  type InitializeParams,
  InlayHintRefreshRequest,
  MessageType,
  ShowMessageNotification,
} from 'vscode-languageserver/node';
import type { LanguageNotifications } from '../../../protocol/requests/notifications.ts';
import { type ClientAbilities, noAbilities, readClientAbilities } from './client-abilities.ts';
import { runInBackground } from './request-guard.ts';

/** The editor: what it can do, whether it trusts the workspace, and how to reach it. */
export interface Client {
  readonly connection: Connection;
  abilities(): ClientAbilities;
  isTrusted(): boolean;
  initialized(params: InitializeParams): ClientAbilities;
  trustChanged(trusted: boolean): void;
  log(message: string): void;
  /** Logs failures. */
  background(work: () => Promise<void>): void;
  /** Only our own client takes our notifications. */
  notify<M extends keyof LanguageNotifications>(method: M, params: LanguageNotifications[M]): void;
  hintsChanged(): void;
  lensesChanged(): void;
  /** Shows a message to the user. */
  tell(message: string): void;
}

export function createClient(connection: Connection): Client {
  let abilities: ClientAbilities = noAbilities;
  let trusted = false;
  const log = (message: string): void => connection.console.error(message);
  const background = (work: () => Promise<void>): void => runInBackground(work, log);
  return {
    connection,
    abilities: () => abilities,
    isTrusted: () => trusted,
    initialized(params) {
      abilities = readClientAbilities(params);
      trusted = abilities.trusted;
      return abilities;
    },
    trustChanged(now) {
      trusted = now;
    },
    log,
    background,
    notify(method, params) {
      if (abilities.extended) background(() => connection.sendNotification(method, params));
    },
    hintsChanged() {
      if (abilities.refreshesHints) background(() => connection.sendRequest(InlayHintRefreshRequest.type));
    },
    lensesChanged() {
      if (abilities.refreshesLenses) background(() => connection.sendRequest(CodeLensRefreshRequest.type));
    },
    tell: (message) =>
      background(() =>
        connection.sendNotification(ShowMessageNotification.type, { type: MessageType.Warning, message }),
      ),
  };
}
