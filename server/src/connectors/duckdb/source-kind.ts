import type { SourceKind } from '../source-kind.ts';
import { translatable } from '../translatable.ts';
import { duckdbQuestions } from './questions.ts';
import settingsSchema from './settings.schema.json' with { type: 'json' };

/** DuckDB database files, those of other entity graphs included. */
export const duckdbKind: SourceKind = {
  name: 'duckdb',
  label: 'DuckDB',
  description: translatable('a database file, or the graph of another entity graph'),
  icon: 'database',
  docPage: 'docs/duckdb.md',
  proposedName: 'analytics',
  questions: duckdbQuestions,
  dialect: 'duckdb',
  capabilities: {
    hasRowOrder: false,
    isFetched: false,
    isAtHand: true,
    isReadByDuckdb: true,
    hasSnapshot: true,
    buildsInside: false,
    runsGivenRows: false,
  },
  otherNames: ['ddb'],
  tellingSettings: ['graph'],
  snippet: {
    label: 'New DuckDB source',
    description: 'A DuckDB database file, read only.',
    lines: ['${1|name|}:', '  kind: duckdb', '  path: ${2|data/database.duckdb|}$0'],
  },
  settingsSchema: settingsSchema.definitions,
  kindNote: 'a database file',
  fileSetting: { name: 'path', mayBeGlob: false },
  unencryptedSetting: undefined,
  scaffoldElement: undefined,
  settings: async () => (await import('./setting-receivers.ts')).duckdbSettings,
  connector: async () => (await import('./connector.ts')).createDuckdbConnector,
  explorer: undefined,
  writer: undefined,
  rowsFile: undefined,
  givenRows: async () => (await import('../given/embedded-engine.ts')).openEmbeddedEngine,
  greeting: undefined,
  browserConnection: undefined,
};
