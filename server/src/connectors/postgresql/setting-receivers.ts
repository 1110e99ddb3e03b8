import { authorityFingerprint } from '../authority-fingerprint.ts';
import { type Receiver, fileReceiver } from '../receiver.ts';
import type { SourceSettings } from '../source-settings.ts';
import { type PostgresqlConfig, readPostgresqlConfig } from './read-settings.ts';

/** Everything is sent to the one server, except for file paths. */
export const postgresqlSettings: SourceSettings<PostgresqlConfig> = {
  read: readPostgresqlConfig,
  async receivers(config) {
    const server: Receiver = {
      kind: 'postgresql',
      origin: originOf(config),
      user: config.user,
      tls: [config.tls.mode, await authorityFingerprint(config.tls.ca)].filter((part) => part !== undefined).join(', '),
    };
    const files: Readonly<Record<string, string | undefined>> = {
      'ssl.ca': config.tls.ca,
      'ssl.cert': config.tls.cert,
      'ssl.key': config.tls.key,
    };
    return {
      of(path) {
        const file = files[path];
        return [file === undefined ? server : fileReceiver('postgresql', file)];
      },
    };
  },
  addressSettings: [],
  secretsToRedact: ({ password }) => (password === undefined ? [] : [password]),
};

function originOf({ host, port }: PostgresqlConfig): string {
  // A path is a Unix socket; an IPv6 address needs brackets.
  const place = host.startsWith('/') ? host : host.includes(':') ? `[${host}]` : host.toLowerCase();
  return `postgresql://${place}:${port}`;
}
