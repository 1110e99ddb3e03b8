import { httpAddresses, httpReceivers } from '../http/receivers.ts';
import { httpSecrets } from '../http/secrets-to-redact.ts';
import type { SourceSettings } from '../source-settings.ts';
import { type ServiceNowConfig, readServiceNowConfig } from './read-settings.ts';

/** Default paths of the authorization and token endpoints. */
export const authorizationPath = '/oauth_auth.do';
export const tokenPath = '/oauth_token.do';

export const serviceNowSettings: SourceSettings<ServiceNowConfig> = {
  read: readServiceNowConfig,
  receivers: (config) =>
    httpReceivers({ kind: 'servicenow', baseUrl: config.instanceUrl, config, tokenPath, authorizationPath }),
  addressSettings: ['instanceUrl', ...httpAddresses],
  secretsToRedact: httpSecrets,
};
