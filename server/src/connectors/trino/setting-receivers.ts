import { httpAddresses, httpReceivers } from '../http/receivers.ts';
import { httpSecrets } from '../http/secrets-to-redact.ts';
import { fileReceiver } from '../receiver.ts';
import type { SourceSettings } from '../source-settings.ts';
import { type TrinoConfig, readTrinoConfig } from './read-settings.ts';

/** Everything is sent to the coordinator, except for file paths and logins elsewhere. */
export const trinoSettings: SourceSettings<TrinoConfig> = {
  read: readTrinoConfig,
  async receivers(config) {
    const receivers = await httpReceivers({ kind: 'trino', baseUrl: config.baseUrl, config });
    const { ca } = config;
    if (ca === undefined) return receivers;
    return { ...receivers, of: (path) => (path === 'ssl.ca' ? [fileReceiver('trino', ca)] : receivers.of(path)) };
  },
  addressSettings: httpAddresses,
  secretsToRedact: httpSecrets,
};
