import type { ConnectorContext } from './connector-context.ts';
import { permitAllUses } from './permit-use.ts';

type Values = Pick<ConnectorContext, 'readSecret' | 'permitUses' | 'environment'>;

/** For settings of our own making, which refer to nothing. */
export const noValues: Values = { readSecret: async () => undefined, permitUses: permitAllUses, environment: {} };

/** For connectors that only say what they would send, and send nothing: no secret is looked up for that. */
export const unsentSecrets: Pick<Values, 'readSecret' | 'permitUses'> = {
  readSecret: async () => 'unknown',
  permitUses: permitAllUses,
};
