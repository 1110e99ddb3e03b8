import type { SourceErrorCode } from '../source-error.ts';
import type { MysqlConfig } from './read-settings.ts';

/** Explanation of an error. */
export interface ErrorMeaning {
  readonly code: SourceErrorCode;
  /** Our message and the server's, without a full stop, because the place follows. */
  readonly cause: string;
  readonly remedy?: string | undefined;
}

interface Row {
  readonly numbers: readonly number[];
  readonly code: SourceErrorCode;
  readonly introduction?: string;
  readonly remedy?: string;
}

const unavailable = 'Try again when the server is available.';

/** By the number of the error: https://mariadb.com/kb/en/mariadb-error-codes/ and the error reference of MySQL. */
const rows: readonly Row[] = [
  {
    numbers: [1045, 1698, 1251, 1820, 1862, 4151, 3118],
    code: 'authentication-failed',
    introduction: 'The server refuses the login',
    remedy: 'Correct user and password of the data source.',
  },
  {
    numbers: [1130, 1129],
    code: 'authentication-failed',
    introduction: 'The server refuses connections from this machine',
    remedy: 'Ask its administrator to let the user connect from here.',
  },
  {
    numbers: [3159],
    code: 'tls-failed',
    introduction: 'The server accepts encrypted connections only',
    remedy: 'Set ssl: { mode: require } or stricter.',
  },
  { numbers: [1044, 1049], code: 'source-config', remedy: 'Correct database and databases of the data source.' },
  {
    numbers: [1040, 1203, 1226],
    code: 'source-unreachable',
    remedy: 'The server has no free connection: try again later.',
  },
  {
    numbers: [1142, 1143, 1370, 1227, 1347, 1356],
    code: 'permission-denied',
    remedy: 'Ask the owner of the database to GRANT SELECT on it to this user.',
  },
  {
    numbers: [1146, 1109, 1051],
    code: 'object-missing',
    remedy: 'Correct the name, or refresh the catalog if the database has changed.',
  },
  {
    numbers: [1054],
    code: 'column-missing',
    remedy: 'Correct the column’s name, or refresh the catalog if the table has changed. Texts are in single quotes.',
  },
  { numbers: [1052], code: 'sql-error', remedy: 'Write the table’s name or alias before the column.' },
  {
    numbers: [1969, 3024, 1317],
    code: 'statement-timeout',
    introduction: 'The statement was cancelled on the server',
    remedy: 'Narrow the query, or raise statementTimeout of the data source.',
  },
  {
    numbers: [1267, 1270, 1271],
    code: 'type-mismatch',
    remedy: 'Add a COLLATE, such as COLLATE utf8mb4_bin, to one of the texts.',
  },
  { numbers: [1792, 1290], code: 'sql-error', remedy: 'Queries may only read: remove what writes.' },
  {
    numbers: [1264, 1292, 1366, 1690],
    code: 'type-mismatch',
    remedy: 'Correct the value, or filter the rows that hold it.',
  },
  {
    numbers: [1205, 1213, 1412],
    code: 'source-failed',
    remedy: 'The tables are in use or have just changed: try again.',
  },
  {
    numbers: [1053, 1927, 4031, 1159, 1161],
    code: 'connection-lost',
    introduction: 'The server ended the connection',
    remedy: unavailable,
  },
  {
    numbers: [1021, 1114, 3, 28, 1041, 1037, 1038],
    code: 'source-failed',
    remedy: 'The server is out of a resource: see its log.',
  },
];

export function serverErrorMeaning(number: number, message: string, config: MysqlConfig): ErrorMeaning {
  const row = rows.find(({ numbers }) => numbers.includes(number));
  if (row?.code === 'authentication-failed' && config.password === undefined && number !== 1130) {
    return {
      code: row.code,
      cause: `${row.introduction ?? 'The server refuses the login'}: ${message}`,
      remedy: `Data source ${config.name} has no password: add password: "\${secret:${config.name}}".`,
    };
  }
  return {
    code: row?.code ?? 'sql-error',
    cause: `${row?.introduction ?? 'The server reports an error'}: ${message}`,
    remedy: row ? row.remedy : 'Correct the SQL of the entity graph; Show Query prints all that is executed.',
  };
}
