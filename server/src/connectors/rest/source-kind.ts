import type { SourceKind } from '../source-kind.ts';

/** Any other REST interface that answers with JSON. */
export const restKind: SourceKind = {
  name: 'rest',
  dialect: 'duckdb',
  capabilities: { hasRowOrder: false, isFetched: true, isAtHand: false, isReadByDuckdb: false },
  fileSetting: { name: 'openapi', mayBeGlob: false },
  settings: async () => (await import('./settings.ts')).restSettings,
  connector: async () => (await import('./connector.ts')).createRestConnector,
  browserConnection: async () => {
    const { restConnection } = await import('./connection.ts');
    return async (source, context) => (await restConnection(source, context)).connection;
  },
};
