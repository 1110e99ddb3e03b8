import * as vscode from 'vscode';
import { type Disposable, type Event, EventEmitter, type ExtensionContext, workspace } from 'vscode';
import { toolServerOf } from './tool-server.ts';

/** The part of VS Code 1.101 that tells agents of tools; not in the types of the oldest version that is supported. */
interface McpApi {
  readonly lm?: {
    readonly registerMcpServerDefinitionProvider?: (id: string, provider: McpProvider) => Disposable;
  };
  readonly McpStdioServerDefinition?: new (
    label: string,
    command: string,
    args: readonly string[],
    environment: Readonly<Record<string, string>>,
    version: string,
  ) => object;
}

interface McpProvider {
  readonly onDidChangeMcpServerDefinitions: Event<void>;
  provideMcpServerDefinitions(): readonly object[];
}

/** As in `package.json`. */
const providerId = 'entityGraph.tools';

/**
 * Offers agents the read-only tools of the command line for each trusted folder (docs/agents.md). Does nothing where
 * VS Code cannot tell agents of tools.
 */
export function offerAgentTools({ extensionUri, extension }: ExtensionContext): Disposable {
  const { lm, McpStdioServerDefinition } = vscode as unknown as McpApi;
  const changes = new EventEmitter<void>();
  const parts: Disposable[] = [
    changes,
    workspace.onDidChangeWorkspaceFolders(() => changes.fire()),
    workspace.onDidGrantWorkspaceTrust(() => changes.fire()),
  ];
  const { version } = extension.packageJSON as { readonly version: string };
  if (lm?.registerMcpServerDefinitionProvider && McpStdioServerDefinition) {
    const provider: McpProvider = {
      onDidChangeMcpServerDefinitions: changes.event,
      provideMcpServerDefinitions: () =>
        trustedFolders().map(({ label, folder }) => {
          const { command, args, env } = toolServerOf(extensionUri, folder);
          return new McpStdioServerDefinition(label, command, args, env, version);
        }),
    };
    parts.push(lm.registerMcpServerDefinitionProvider(providerId, provider));
  }
  return { dispose: () => parts.forEach((part) => part.dispose()) };
}

/** The folders on this machine, each with the name of its server; none in an untrusted workspace. */
function trustedFolders(): readonly { readonly label: string; readonly folder: string }[] {
  if (!workspace.isTrusted) return [];
  const folders = (workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  return folders.map(({ name, uri }) => ({
    label: folders.length === 1 ? 'Entity Graph' : `Entity Graph: ${name}`,
    folder: uri.fsPath,
  }));
}
