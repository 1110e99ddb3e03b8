import type { SourceKind } from '../source-kind.ts';
import { translatable } from '../translatable.ts';
import { sqliteQuestions } from './questions.ts';
import settingsSchema from './settings.schema.json' with { type: 'json' };

/** SQLite database files. */
export const sqliteKind: SourceKind = {
  name: 'sqlite',
  label: 'SQLite',
  description: translatable('a database file'),
  icon: 'database',
  docPage: 'docs/sqlite.md',
  proposedName: 'app',
  questions: sqliteQuestions,
  dialect: 'sqlite',
  capabilities: {
    hasRowOrder: false,
    isFetched: false,
    isAtHand: true,
    isReadByDuckdb: false,
    hasSnapshot: true,
    buildsInside: false,
    runsGivenRows: false,
  },
  otherNames: ['sqlite3'],
  tellingSettings: ['times'],
  snippet: {
    label: 'New SQLite source',
    description: 'An SQLite database file, read only.',
    lines: ['${1|name|}:', '  kind: sqlite', '  path: ${2|data/database.sqlite|}$0'],
  },
  settingsSchema: settingsSchema.definitions,
  kindNote: 'a database file',
  fileSetting: { name: 'path', mayBeGlob: false },
  unencryptedSetting: undefined,
  timesSetting: 'times',
  scaffoldElement: undefined,
  settings: async () => (await import('./setting-receivers.ts')).sqliteSettings,
  connector: async () => (await import('./connector.ts')).createSqliteConnector,
  explorer: undefined,
  writer: undefined,
  rowsFile: undefined,
  givenRows: async () => (await import('./given/given-engine.ts')).openGivenEngine,
  greeting: undefined,
  browserConnection: undefined,
};
