import { randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { type Disposable, type Event, EventEmitter, type ExtensionContext, workspace } from 'vscode';
import { type AllowedValue, allowedValuesVariable, leaseVariable } from '../../protocol/allowed-values.ts';
import { allowedUse } from './connection-secrets.ts';
import type { GraphLanguage } from './language-client.ts';
import type { AllowedUse, SecretStore } from './secret-store.ts';
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
  ) => McpDefinition;
}

interface McpDefinition {
  readonly label: string;
  env: Readonly<Record<string, string | number | null>>;
}

interface McpProvider {
  readonly onDidChangeMcpServerDefinitions: Event<void>;
  provideMcpServerDefinitions(): readonly McpDefinition[];
  /** Called before a server starts. */
  resolveMcpServerDefinition(definition: McpDefinition): Promise<McpDefinition>;
}

/** As in `package.json`. */
const providerId = 'entityGraph.tools';
const reachSetting = 'entityGraph.agents.reach';

/** The tools that agents are offered. */
export interface AgentTools extends Disposable {
  /** Ends servers that know a value which is not allowed any more. */
  secretsChanged(): Promise<void>;
}

/**
 * Offers agents the tools of the command line for each trusted folder (docs/agents.md): they read files only, unless a
 * setting allows data sources. Does nothing where VS Code cannot tell agents of tools.
 */
export function offerAgentTools(
  { extensionUri, extension }: ExtensionContext,
  language: GraphLanguage,
  store: SecretStore,
): AgentTools {
  const { lm, McpStdioServerDefinition } = vscode as unknown as McpApi;
  const changes = new EventEmitter<void>();
  const leases = createLeases(store);
  const parts: Disposable[] = [
    changes,
    leases,
    workspace.onDidChangeWorkspaceFolders(() => changes.fire()),
    workspace.onDidGrantWorkspaceTrust(() => changes.fire()),
    workspace.onDidChangeConfiguration((change) => {
      if (!change.affectsConfiguration(reachSetting)) return;
      if (!mayReach()) leases.dispose();
      changes.fire();
    }),
  ];
  const { version } = extension.packageJSON as { readonly version: string };
  if (lm?.registerMcpServerDefinitionProvider && McpStdioServerDefinition) {
    const provider: McpProvider = {
      onDidChangeMcpServerDefinitions: changes.event,
      provideMcpServerDefinitions: () =>
        trustedFolders().map(({ label, folder }) => {
          const { command, args, env } = toolServerOf(extensionUri, folder.fsPath);
          const allowed = mayReach() ? ['--allow', 'reach'] : [];
          return new McpStdioServerDefinition(label, command, [...args, ...allowed], env, version);
        }),
      async resolveMcpServerDefinition(definition) {
        const found = trustedFolders().find(({ label }) => label === definition.label);
        if (!found || !mayReach()) return definition;
        const values = await allowedIn(found.folder.toString(), language, store);
        definition.env = { ...definition.env, ...leases.grant(values) };
        return definition;
      },
    };
    parts.push(lm.registerMcpServerDefinitionProvider(providerId, provider));
  }
  return { secretsChanged: () => leases.check(), dispose: () => parts.forEach((part) => part.dispose()) };
}

function mayReach(): boolean {
  return workspace.getConfiguration().get<boolean>(reachSetting, false);
}

/** The folders on this machine, each with the name of its server; none in an untrusted workspace. */
function trustedFolders(): readonly { readonly label: string; readonly folder: vscode.Uri }[] {
  if (!workspace.isTrusted) return [];
  const folders = (workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  return folders.map(({ name, uri }) => ({
    label: folders.length === 1 ? 'Entity Graph' : `Entity Graph: ${name}`,
    folder: uri,
  }));
}

interface Granted {
  readonly use: AllowedUse;
  readonly text: string;
}

/** The values of the data sources of a folder that a person has allowed. */
async function allowedIn(folder: string, language: GraphLanguage, store: SecretStore): Promise<readonly Granted[]> {
  const { sources } = await language.request('entityGraph/allDataSources', {});
  const uses = sources.flatMap((source) => source.uses.map(allowedUse)).filter((use) => use.folder === folder);
  const granted: Granted[] = [];
  for (const use of uses) {
    const text = await valueOf(use, store);
    if (text !== undefined) granted.push({ use, text });
  }
  return granted;
}

/** The present value of a use, if it is allowed. Logins in the browser are the editor's own. */
async function valueOf(use: AllowedUse, store: SecretStore): Promise<string | undefined> {
  if (use.value === 'secret') return store.value(use);
  return use.value === 'env' && (await store.isAllowed(use)) ? process.env[use.name] : undefined;
}

/** What running servers know: each ends when the file of its lease is deleted. */
function createLeases(store: SecretStore) {
  const leases = new Map<string, readonly Granted[]>();
  const end = (path: string): void => {
    leases.delete(path);
    rmSync(path, { force: true });
  };
  return {
    /** The environment of a new server that knows these values. */
    grant(granted: readonly Granted[]): Readonly<Record<string, string>> {
      const path = join(tmpdir(), `entity-graph-agents-${randomUUID()}`);
      writeFileSync(path, '', { mode: 0o600 });
      leases.set(path, granted);
      const values = granted.map(({ use: { folder: _, ...use }, text }): AllowedValue => ({ ...use, text }));
      return { [allowedValuesVariable]: JSON.stringify(values), [leaseVariable]: path };
    },
    async check(): Promise<void> {
      for (const [path, granted] of leases) {
        for (const { use, text } of granted) if ((await valueOf(use, store)) !== text) end(path);
      }
    },
    dispose(): void {
      for (const path of leases.keys()) end(path);
    },
  };
}
