import type { SourceKind } from '../source-kind.ts';

/** Instances of the IT-service-management platform. */
export const serviceNowKind: SourceKind = {
  name: 'servicenow',
  dialect: 'duckdb',
  capabilities: { hasRowOrder: false, isFetched: true, isAtHand: false, isReadByDuckdb: false },
  fileSetting: undefined,
  settings: async () => (await import('./settings.ts')).serviceNowSettings,
  connector: async () => (await import('./connector.ts')).createServiceNowConnector,
  browserConnection: async () => {
    const { serviceNowConnection } = await import('./connection.ts');
    return async (source, context) => (await serviceNowConnection(source, context)).connection;
  },
};
