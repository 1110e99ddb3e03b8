import type { SourceKind } from '../source-kind.ts';

/** Files: CSV and its kin, Parquet and JSON. */
export const fileKind: SourceKind = {
  name: 'csv',
  dialect: 'duckdb',
  capabilities: { hasRowOrder: true, isFetched: false, isAtHand: true, isReadByDuckdb: true },
  fileSetting: { name: 'path', mayBeGlob: true },
  settings: async () => (await import('./settings.ts')).fileSettings,
  connector: async () => (await import('./connector.ts')).createCsvConnector,
  browserConnection: undefined,
};
