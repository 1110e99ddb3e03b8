import type { SourceKind } from '../source-kind.ts';
import { unencryptedMode } from '../tls/unencrypted-mode.ts';
import { translatable } from '../translatable.ts';
import { mysqlQuestions } from './questions.ts';
import settingsSchema from './settings.schema.json' with { type: 'json' };

/** MySQL and MariaDB databases. */
export const mysqlKind: SourceKind = {
  name: 'mysql',
  label: 'MySQL',
  description: translatable('a database of MySQL or MariaDB'),
  icon: 'database',
  docPage: 'docs/mysql.md',
  proposedName: 'database',
  questions: mysqlQuestions,
  dialect: 'mysql',
  capabilities: {
    hasRowOrder: false,
    isFetched: false,
    isAtHand: false,
    isReadByDuckdb: false,
    hasSnapshot: true,
    buildsInside: false,
    runsGivenRows: true,
  },
  otherNames: ['mariadb', 'maria', 'percona'],
  tellingSettings: ['databases'],
  snippet: {
    label: 'New MySQL source',
    description: 'A MySQL or MariaDB database.',
    lines: [
      '${1|name|}:',
      '  kind: mysql',
      '  host: ${2|localhost|}',
      '  database: ${3}',
      '  user: ${4}',
      '  password: \\${secret:${1}}$0',
    ],
  },
  settingsSchema: settingsSchema.definitions,
  kindNote: 'and MariaDB',
  fileSetting: undefined,
  unencryptedSetting: unencryptedMode,
  scaffoldElement: undefined,
  settings: async () => (await import('./setting-receivers.ts')).mysqlSettings,
  connector: async () => (await import('./connector.ts')).createMysqlConnector,
  explorer: undefined,
  writer: undefined,
  rowsFile: undefined,
  givenRows: undefined,
  greeting: {
    kind: 'mysql',
    server: 'a MySQL or MariaDB server',
    request: undefined,
    // The handshake of protocol 10, or an error packet: https://mariadb.com/kb/en/connection/
    recognises: (bytes) => bytes.length > 4 && bytes[3] === 0 && (bytes[4] === 10 || bytes[4] === 255),
  },
  browserConnection: undefined,
};
