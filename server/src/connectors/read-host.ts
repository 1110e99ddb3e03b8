import { isIPv6 } from 'node:net';
import type { SourceError } from './source-error.ts';

/** The setting `host` of a server, or the path of its socket. Throws what `wrong` returns where a port is behind it. */
export function readHost(value: string | undefined, wrong: (setting: string, expected: string) => SourceError): string {
  const host = value ?? 'localhost';
  if (!host.startsWith('/') && !isIPv6(host) && /:\d+$/.test(host)) {
    throw wrong('host', 'a name or an address without port; the port is set by port');
  }
  return host;
}
