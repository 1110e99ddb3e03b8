import { httpAddresses, httpReceivers } from '../http/receivers.ts';
import { httpSecrets } from '../http/secrets-to-redact.ts';
import type { SourceSettings } from '../source-settings.ts';
import { type RestConfig, readRestConfig } from './read-settings.ts';

export const restSettings: SourceSettings<RestConfig> = {
  read: readRestConfig,
  receivers: (config) =>
    httpReceivers({
      kind: 'rest',
      baseUrl: config.baseUrl,
      config,
      openApiFile: config.openapi?.kind === 'file' ? config.openapi.file : undefined,
    }),
  addressSettings: ['baseUrl', 'openapi', ...httpAddresses],
  secretsToRedact: httpSecrets,
};
