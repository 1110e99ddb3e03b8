import type { SourceKind } from '../source-kind.ts';
import { unencryptedMode } from '../tls/unencrypted-mode.ts';
import { translatable } from '../translatable.ts';
import { postgresqlQuestions } from './questions.ts';
import settingsSchema from './settings.schema.json' with { type: 'json' };

/** PostgreSQL databases, and others with its protocol. */
export const postgresqlKind: SourceKind = {
  name: 'postgresql',
  label: 'PostgreSQL',
  description: translatable('a database, or one that speaks its protocol'),
  icon: 'database',
  docPage: 'docs/postgresql.md',
  proposedName: 'database',
  questions: postgresqlQuestions,
  dialect: 'postgresql',
  capabilities: {
    hasRowOrder: false,
    isFetched: false,
    isAtHand: false,
    isReadByDuckdb: false,
    hasSnapshot: true,
    buildsInside: true,
    runsGivenRows: true,
  },
  otherNames: ['postgres'],
  tellingSettings: ['database', 'host', 'schemas'],
  snippet: {
    label: 'New PostgreSQL source',
    description: 'A PostgreSQL database, or another database with its protocol.',
    lines: [
      '${1|name|}:',
      '  kind: postgresql',
      '  host: ${2|localhost|}',
      '  database: ${3}',
      '  user: ${4}',
      '  password: \\${secret:${1}}$0',
    ],
  },
  settingsSchema: settingsSchema.definitions,
  kindNote: 'and databases that speak its protocol',
  fileSetting: undefined,
  unencryptedSetting: unencryptedMode,
  scaffoldElement: undefined,
  settings: async () => (await import('./setting-receivers.ts')).postgresqlSettings,
  connector: async () => (await import('./connector.ts')).createPostgresqlConnector,
  explorer: undefined,
  writer: undefined,
  rowsFile: undefined,
  givenRows: async () => (await import('./given/given-engine.ts')).openGivenEngine,
  greeting: {
    kind: 'postgresql',
    server: 'a PostgreSQL server',
    // `SSLRequest`: https://www.postgresql.org/docs/current/protocol-message-formats.html
    request: Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]),
    recognises: (bytes) => ['S', 'N'].includes(bytes.toString('latin1')),
  },
  browserConnection: undefined,
};
