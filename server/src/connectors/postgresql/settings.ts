import { trustText } from '../trust-text.ts';
import { type Receiver, fileReceiver } from '../receiver.ts';
import type { SourceSettings } from '../source-settings.ts';
import { type PostgresqlConfig, readPostgresqlConfig } from './config.ts';

/** Everything goes to the one server, but for the paths of files. */
export const postgresqlSettings: SourceSettings<PostgresqlConfig> = {
  read: readPostgresqlConfig,
  async receivers(config) {
    const server: Receiver = {
      kind: 'postgresql',
      origin: originOf(config),
      user: config.user,
      tls: [config.tls.mode, await trustText(config.tls.ca)].filter((part) => part !== undefined).join(', '),
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
  loginTexts: ({ password }) => (password === undefined ? [] : [password]),
};

function originOf({ host, port }: PostgresqlConfig): string {
  // A path is that of a Unix socket; a numeric address of IPv6 stands in brackets.
  const place = host.startsWith('/') ? host : host.includes(':') ? `[${host}]` : host.toLowerCase();
  return `postgresql://${place}:${port}`;
}
