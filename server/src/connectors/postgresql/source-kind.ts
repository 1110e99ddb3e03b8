import type { SourceKind } from '../source-kind.ts';

/** PostgreSQL databases, and others that speak their protocol. */
export const postgresqlKind: SourceKind = {
  name: 'postgresql',
  dialect: 'postgresql',
  capabilities: { hasRowOrder: false, isFetched: false, isAtHand: false, isReadByDuckdb: false },
  fileSetting: undefined,
  settings: async () => (await import('./settings.ts')).postgresqlSettings,
  connector: async () => (await import('./connector.ts')).createPostgresqlConnector,
  browserConnection: undefined,
};
