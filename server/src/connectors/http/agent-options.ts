import type { Proxy } from './choose-proxy.ts';

export interface AgentOptions {
  readonly isHttps: boolean;
  /** Connections at most. */
  readonly connections: number;
  readonly connectTimeoutMs: number;
  readonly tls?: TlsOptions;
  readonly proxy?: Proxy | undefined;
}

/** PEM texts or the bytes of a PFX file of a client certificate, and the authorities to trust. */
export interface TlsOptions {
  readonly cert?: string;
  readonly key?: string;
  readonly pfx?: Buffer;
  readonly passphrase?: string;
  readonly ca?: readonly string[];
}
