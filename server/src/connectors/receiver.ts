/** A server that values of a data source's settings are sent to. Two that differ in anything are two places. */
export interface Receiver {
  /** Of the data source, such as `postgresql`. */
  readonly kind: string;
  /** Scheme, host and port, such as `https://acme.example` or `postgresql://db.example:5432`; `file://` for this machine's disk. */
  readonly origin: string;
  /** Whom the login names; empty when it names nobody. */
  readonly user: string;
  /** How the connection is protected: the TLS mode, whom it trusts, and the proxy it goes through. */
  readonly tls: string;
}

/** The receiver of what stands in a path: another machine for a network path of Windows, else this machine's disk. */
export function fileReceiver(kind: string, path: string): Receiver {
  const server = /^[\\/]{2}([^\\/?]+)[\\/]/.exec(path)?.[1];
  return { kind, origin: `file://${server ?? ''}`, user: '', tls: '' };
}

/** Whether nothing that a receiver is given leaves this machine. */
export function staysOnThisMachine({ origin }: Receiver): boolean {
  return origin === 'file://';
}
