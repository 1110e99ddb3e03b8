import type { SourceKind } from '../source-kind.ts';
import { translatable } from '../translatable.ts';
import { trinoQuestions } from './questions.ts';
import settingsSchema from './settings.schema.json' with { type: 'json' };

/** Trino clusters. */
export const trinoKind: SourceKind = {
  name: 'trino',
  label: translatable('Trino'),
  description: translatable('a Trino cluster, with the lakehouses and databases that it reaches'),
  icon: 'database',
  docPage: 'docs/trino.md',
  proposedName: 'lake',
  questions: trinoQuestions,
  dialect: 'trino',
  capabilities: {
    hasRowOrder: false,
    isFetched: false,
    isAtHand: false,
    isReadByDuckdb: false,
    // Each Iceberg table has snapshots, but there is none of several tables.
    hasSnapshot: false,
    buildsInside: true,
    runsGivenRows: true,
  },
  otherNames: ['presto', 'prestosql', 'starburst', 'athena'],
  tellingSettings: ['catalog', 'catalogs', 'sessionProperties'],
  snippet: {
    label: 'New Trino source',
    description: 'A Trino cluster.',
    lines: [
      '${1|name|}:',
      '  kind: trino',
      '  host: ${2|localhost|}',
      '  catalog: ${3}',
      '  schemas: [${4}]',
      '  user: ${5}$0',
    ],
  },
  settingsSchema: settingsSchema.definitions,
  kindNote: undefined,
  fileSetting: undefined,
  // A login is refused without encryption, and `ssl: false` says plainly that there is none.
  unencryptedSetting: undefined,
  scaffoldElement: undefined,
  settings: async () => (await import('./setting-receivers.ts')).trinoSettings,
  connector: async () => (await import('./connector.ts')).createTrinoConnector,
  explorer: undefined,
  writer: undefined,
  rowsFile: undefined,
  givenRows: undefined,
  greeting: undefined,
  browserConnection: async () => {
    const { trinoConnection } = await import('./connection.ts');
    return async (source, context) => (await trinoConnection(source, context)).connection;
  },
};
