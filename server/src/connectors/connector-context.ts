import type { ServerGreeting } from './database-server/identify-server.ts';
import type { Authorize } from './http/browser-login.ts';
import type { NetworkSettings } from './http/network-settings.ts';
import type { TokenStore } from './http/token-store.ts';
import type { PermitUses, ValueUse } from './permit-use.ts';

export type { Authorize, NetworkSettings, TokenStore };

/** Services and paths that a connector needs. */
export interface ConnectorContext {
  /** Folder of the sources file, the base of relative paths in settings. */
  readonly folder: string;
  /** Cache folder of connectors; no caching when undefined. */
  readonly stateFolder?: string | undefined;
  /** Absolute path of the sources file; absent for settings without one. */
  readonly sourcesFile?: string | undefined;
  /** Workspace folder, to which consent belongs; default: folder of the sources file. */
  readonly workspaceFolder?: string | undefined;
  readonly readSecret: SecretReader;
  /** Asks for consent before a value is sent. */
  readonly permitUses: PermitUses;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The editor's proxy and certificate settings. */
  readonly network?: NetworkSettings | undefined;
  /** Storage of login tokens; none when undefined. */
  readonly tokens?: TokenStore | undefined;
  /** Starts a browser login when a token is needed; absent if unsupported or done beforehand. */
  readonly authorize?: Authorize | undefined;
  /** Greetings of the servers of all kinds, to name one that answers in place of another. */
  readonly greetings?: readonly ServerGreeting[] | undefined;
}

/** The value of `${secret:NAME}` for its places, or undefined. Never prompts. */
export type SecretReader = (name: string, uses: readonly ValueUse[]) => Promise<string | undefined>;
