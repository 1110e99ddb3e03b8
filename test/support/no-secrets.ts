import type { ConnectorContext } from '../../server/src/connectors/connector-context.ts';
import { permitAllUses } from '../../server/src/connectors/permit-use.ts';

/** Connector context of settings without `${secret:…}` and `${env:…}`. */
export const noSecrets: Pick<ConnectorContext, 'readSecret' | 'permitUses' | 'environment'> = {
  readSecret: async () => undefined,
  permitUses: permitAllUses,
  environment: {},
};
