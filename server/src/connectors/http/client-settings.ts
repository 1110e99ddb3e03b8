import type { Authorize } from './browser-login.ts';
import type { ConnectionConfig } from './connection-settings.ts';
import type { NetworkSettings } from './network-settings.ts';
import type { TokenStore } from './token-store.ts';
import type { RetryPolicy } from './with-retries.ts';

export interface ConnectionSettings extends Omit<ConnectionConfig, 'pace'>, Partial<Pick<ConnectionConfig, 'pace'>> {
  readonly baseUrl: URL;
  /** What messages call the other side. */
  readonly peer: string;
  /** Where tokens are asked for when the settings do not say: a path of the base address. */
  readonly tokenPath?: string;
  /** Where users log in when the settings do not say: a path of the base address. */
  readonly authorizationPath?: string;
  readonly connections: number;
  readonly retryPolicy: RetryPolicy;
  readonly onSecret: (secret: string) => void;
  readonly surroundings?: HttpSurroundings;
}

/** What connections need from outside of the data source. */
export interface HttpSurroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly network?: NetworkSettings | undefined;
  readonly tokens?: TokenStore | undefined;
  /** Lets a user log in, in a browser, when a token is needed and there is none; absent where nobody can. */
  readonly authorize?: Authorize | undefined;
  /** Folder that the user has opened: tokens of logins in the browser are kept for it alone. */
  readonly workspaceFolder?: string | undefined;
}
