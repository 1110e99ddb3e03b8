import type { ConnectorContext } from './connector-context.ts';
import { permitAllUses } from './permit-use.ts';

type Values = Pick<ConnectorContext, 'readSecret' | 'permitUses' | 'environment'>;

/** For generated settings without references. */
export const noSecrets: Values = { readSecret: async () => undefined, permitUses: permitAllUses, environment: {} };

/** For connectors that only show what they would send: no secret is read for that. */
export const placeholderSecrets: Pick<Values, 'readSecret' | 'permitUses'> = {
  readSecret: async () => 'unknown',
  permitUses: permitAllUses,
};
