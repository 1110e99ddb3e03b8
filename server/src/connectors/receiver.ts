/** A server that receives values of a data source's settings; any difference makes another place. */
export interface Receiver {
  /** Source kind, such as `postgresql`. */
  readonly kind: string;
  /**
   * Scheme, host and port, such as `https://acme.example` or `postgresql://db.example:5432`; `file://` for local files.
   */
  readonly origin: string;
  /** The user of the login; empty without one. */
  readonly user: string;
  /** Protection of the connection: TLS mode, trusted authorities, and proxy. */
  readonly tls: string;
}

/** The receiver of a value in a path: another machine for a Windows network path, else the local disk. */
export function fileReceiver(kind: string, path: string): Receiver {
  const server = /^[\\/]{2}([^\\/?]+)[\\/]/.exec(path)?.[1];
  return { kind, origin: `file://${server ?? ''}`, user: '', tls: '' };
}

/** Whether a receiver is this machine. */
export function staysOnThisMachine({ origin }: Receiver): boolean {
  return origin === 'file://';
}
