import type { Connection } from 'vscode-languageserver/node';
import { lockedTokenStore } from '../../project/locked-token-store.ts';
import type { ProjectContext } from '../../project/open-project.ts';
import type { ClientAbilities } from '../client-abilities.ts';
import { readNetworkSettings } from '../client-settings.ts';
import type { OpenDocuments } from '../documents/open-documents.ts';
import { createExtensionClient } from '../extension-client.ts';
import type { WorkspaceFolders } from '../workspace-folders.ts';
import { type BrowserLogins, type ClientRequest, clientTokens, createBrowserLogins } from './browser-logins.ts';
import { type SecretRequest, type Secrets, createSecrets } from './secrets.ts';
import { type UsePermissions, askByMessage, clientPermissions, editorPermissions } from './use-permissions.ts';

/** Access to files and data sources through the client: its unsaved texts, settings, secrets, consent and logins. */
interface ClientProject {
  readonly project: ProjectContext;
  readonly secrets: Secrets;
  readonly logins: BrowserLogins;
}

interface ClientProjectDependencies {
  readonly connection: Connection;
  readonly documents: Pick<OpenDocuments, 'textOf' | 'graphAt'>;
  readonly folders: Pick<WorkspaceFolders, 'of'>;
  readonly abilities: () => ClientAbilities;
  readonly isTrusted: () => boolean;
  /** An offered consent was given. */
  readonly onAllowed: () => void;
  readonly log: (message: string) => void;
}

export function createClientProject(dependencies: ClientProjectDependencies): ClientProject {
  const { connection, documents, folders, abilities, isTrusted, onAllowed, log } = dependencies;
  const ownClient = createExtensionClient(connection, log);
  const askForSecret: SecretRequest = (params, signal) =>
    abilities().extended ? ownClient('entityGraph/secret', params, signal) : undefined;
  const askForLogin: ClientRequest = (method, params) => (abilities().extended ? ownClient(method, params) : undefined);
  const ownPermissions = clientPermissions((params, signal) => ownClient('entityGraph/allowSecret', params, signal));
  const messagePermissions = editorPermissions({
    allowedOrigins: () => abilities().allowedOrigins,
    ask: (message, buttons) => askByMessage(connection, message, buttons),
    onAllowed,
  });
  const permissions: UsePermissions = {
    async refused(uses, mayAsk, signal) {
      if (!isTrusted()) return uses;
      return (abilities().extended ? ownPermissions : messagePermissions).refused(uses, mayAsk, signal);
    },
  };
  const secrets = createSecrets({ request: askForSecret, permissions, environment: process.env });
  const project: ProjectContext = {
    openText: (path) => documents.textOf(path),
    openGraph: (path) => documents.graphAt(path),
    readSecret: secrets.read,
    permitUses: secrets.permit,
    tokens: lockedTokenStore(clientTokens(askForLogin)),
    readNetwork: async () => (abilities().configuration ? readNetworkSettings(connection) : undefined),
    environment: process.env,
    workspaceFolderOf: (path) => folders.of(path),
  };
  return { project, secrets, logins: createBrowserLogins(askForLogin, project) };
}
