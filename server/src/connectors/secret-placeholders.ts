import type { ConnectorContext } from './connector-context.ts';
import { permitAllUses } from './permit-use.ts';

/** For connectors that only show what they would send: no secret is read for that. */
export const placeholderSecrets: Pick<ConnectorContext, 'readSecret' | 'permitUses'> = {
  readSecret: async () => 'unknown',
  permitUses: permitAllUses,
};
