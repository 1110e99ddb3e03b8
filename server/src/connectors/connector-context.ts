import type { Authorize } from './http/browser-login.ts';
import type { NetworkSettings } from './http/network-settings.ts';
import type { TokenStore } from './http/token-store.ts';
import type { PermitUses, ValueUse } from './permit-use.ts';

export type { Authorize, NetworkSettings, TokenStore };

/** What a connector needs from its surroundings. */
export interface ConnectorContext {
  /** Folder of the sources file: relative paths in settings start here. */
  readonly folder: string;
  /** Where connectors may keep what they can make anew; nothing is kept when not given. */
  readonly stateFolder?: string | undefined;
  /** Absolute path of the sources file; absent for settings that stand in none. */
  readonly sourcesFile?: string | undefined;
  /** Folder that the user has opened, to which what was allowed belongs; that of the sources file when not given. */
  readonly workspaceFolder?: string | undefined;
  readonly readSecret: SecretReader;
  /** Asked before a value is sent anywhere. */
  readonly permitUses: PermitUses;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** What the editor says of proxies and certificates. */
  readonly network?: NetworkSettings | undefined;
  /** Where tokens of logins are kept; nowhere when not given. */
  readonly tokens?: TokenStore | undefined;
  /** Lets a user log in when a token is needed; absent where nobody can, or where that is asked for beforehand. */
  readonly authorize?: Authorize | undefined;
}

/** The value of `${secret:NAME}` for the places that it goes to, or undefined when nobody knows it. Never asks the user. */
export type SecretReader = (name: string, uses: readonly ValueUse[]) => Promise<string | undefined>;
