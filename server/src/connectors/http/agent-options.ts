import type { Proxy } from './choose-proxy.ts';

export interface AgentOptions {
  readonly isHttps: boolean;
  /** Maximum number of connections. */
  readonly connections: number;
  readonly connectTimeoutMs: number;
  readonly tls?: TlsOptions | undefined;
  readonly proxy?: Proxy | undefined;
}

/** A client certificate (PEM texts or PFX content) and the trusted authorities. */
export interface TlsOptions {
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  readonly pfx?: Buffer | undefined;
  readonly passphrase?: string | undefined;
  readonly ca?: readonly string[] | undefined;
}
