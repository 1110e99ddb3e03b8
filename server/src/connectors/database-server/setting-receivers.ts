import { authorityFingerprint } from '../authority-fingerprint.ts';
import { type Receiver, fileReceiver } from '../receiver.ts';
import type { SourceSettings } from '../source-settings.ts';
import type { DatabaseServerConfig } from './read-settings.ts';

/** The settings of a kind of database server: everything is sent to the one server, except for file paths. */
export function databaseServerSettings<Config extends DatabaseServerConfig>(
  kind: string,
  read: SourceSettings<Config>['read'],
): SourceSettings<Config> {
  return {
    read,
    async receivers({ tls, user, ...config }) {
      const authority = await authorityFingerprint(tls.ca);
      const server: Receiver = {
        kind,
        user,
        origin: `${kind}://${placeOf(config)}:${config.port}`,
        tls: [tls.mode, authority].filter((part) => part !== undefined).join(', '),
      };
      const files: Readonly<Record<string, string | undefined>> = {
        'ssl.ca': tls.ca,
        'ssl.cert': tls.cert,
        'ssl.key': tls.key,
      };
      return {
        of(path) {
          const file = files[path];
          return [file === undefined ? server : fileReceiver(kind, file)];
        },
      };
    },
    addressSettings: [],
    secretsToRedact: ({ password }) => (password === undefined ? [] : [password]),
  };
}

/** A path is a Unix socket; an IPv6 address needs brackets. */
function placeOf({ host }: Pick<DatabaseServerConfig, 'host'>): string {
  return host.startsWith('/') ? host : host.includes(':') ? `[${host}]` : host.toLowerCase();
}
