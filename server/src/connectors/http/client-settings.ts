import type { Authorize } from './browser-login.ts';
import type { ConnectionConfig } from './connection-settings.ts';
import type { NetworkSettings } from './network-settings.ts';
import type { TokenStore } from './token-store.ts';
import type { RetryPolicy } from './with-retries.ts';

export interface ConnectionSettings extends Omit<ConnectionConfig, 'pace'>, Partial<Pick<ConnectionConfig, 'pace'>> {
  readonly baseUrl: URL;
  /** Name of the server in messages. */
  readonly peer: string;
  /** Default token endpoint: a path below the base address. */
  readonly tokenPath?: string;
  /** Default authorization endpoint: a path below the base address. */
  readonly authorizationPath?: string;
  readonly connections: number;
  readonly retryPolicy: RetryPolicy;
  readonly onSecret: (secret: string) => void;
  readonly httpContext?: HttpContext;
}

/** Services that connections need. */
export interface HttpContext {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly network?: NetworkSettings | undefined;
  readonly tokens?: TokenStore | undefined;
  /** Starts a browser login when a token is needed; absent if unsupported. */
  readonly authorize?: Authorize | undefined;
  /** Workspace folder: tokens of browser logins are kept per folder. */
  readonly workspaceFolder?: string | undefined;
}
