import type { Proxy } from './choose-proxy.ts';

export interface AgentOptions {
  readonly isHttps: boolean;
  /** Maximum number of connections. */
  readonly connections: number;
  readonly connectTimeoutMs: number;
  readonly tls?: TlsOptions;
  readonly proxy?: Proxy | undefined;
}

/** A client certificate (PEM texts or PFX content) and the trusted authorities. */
export interface TlsOptions {
  readonly cert?: string;
  readonly key?: string;
  readonly pfx?: Buffer;
  readonly passphrase?: string;
  readonly ca?: readonly string[];
}
