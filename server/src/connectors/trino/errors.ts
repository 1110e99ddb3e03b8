import { SourceError, type SourceErrorCode } from '../source-error.ts';
import { positionOf, type ExecutedSql } from './error-position.ts';
import type { TrinoConfig } from './read-settings.ts';
import type { TrinoFailure } from './statement-answer.ts';

/** Converts the failure of a statement to a user error; place and secrets come from the source. */
export type ExplainFailure = (failure: TrinoFailure, statement?: ExecutedSql) => SourceError;

export function failureExplainer(config: TrinoConfig, redact: (text: string) => string): ExplainFailure {
  const place = placeOf(config);
  return (failure, statement) => {
    const { code, introduction, remedy, endsWithAdvice } = meaningOf(failure);
    // Removes line and column of the sent statement: users see positions in their own text.
    const said = failure.message.replace(/^line \d+:\d+: /, '').trim();
    const message = endsWithAdvice ? said.replace(/(?<=\.) .*/su, '') : said;
    const position = statement && positionOf(failure, statement);
    const cause = `${introduction ?? 'Trino reports an error'}: ${message} (${place})`;
    return new SourceError(code, redact(cause), {
      remedy,
      ...(position !== undefined && { position }),
    });
  };
}

/** `user@host:port/catalog`, for messages. */
function placeOf({ user, host, port, catalog }: TrinoConfig): string {
  return `${user === undefined ? '' : `${user}@`}${host}:${port}/${catalog}`;
}

interface Meaning {
  readonly code: SourceErrorCode;
  readonly introduction?: string;
  readonly remedy?: string;
  /** After its first sentence, the server advises on SQL that users do not write. */
  readonly endsWithAdvice?: true;
}

interface Row extends Meaning {
  readonly names: readonly string[];
}

const tooLarge = 'The statement is too large for the cluster';

/** By name: https://github.com/trinodb/trino/blob/476/core/trino-spi/src/main/java/io/trino/spi/StandardErrorCode.java */
const rows: readonly Row[] = [
  {
    names: ['CATALOG_NOT_FOUND', 'MISSING_CATALOG_NAME', 'MISSING_SCHEMA_NAME'],
    code: 'source-config',
    remedy: 'Correct catalog, schemas and catalogs of the data source, or the name in the SQL.',
  },
  {
    names: ['TABLE_NOT_FOUND', 'SCHEMA_NOT_FOUND', 'VIEW_NOT_FOUND'],
    code: 'object-missing',
    remedy:
      'Correct the name, or refresh the catalog if the table has changed. Names without schema are in the first one of schemas.',
  },
  {
    names: ['COLUMN_NOT_FOUND'],
    code: 'column-missing',
    remedy: 'Correct the column’s name, or refresh the catalog if the table has changed. Texts are in single quotes.',
  },
  {
    names: ['AMBIGUOUS_NAME'],
    code: 'sql-error',
    remedy: 'Write the table’s alias before the column; names that differ by case only are one name.',
  },
  {
    names: ['DUPLICATE_COLUMN_NAME'],
    code: 'sql-error',
    remedy: 'Give the columns other names: names that differ by case only are one name.',
  },
  {
    names: ['PERMISSION_DENIED'],
    code: 'permission-denied',
    remedy: 'Ask the owner of the catalog for the right to read it, or set role of the data source.',
  },
  {
    names: ['READ_ONLY_VIOLATION'],
    code: 'sql-error',
    remedy: 'Queries may only read: remove what writes.',
  },
  {
    names: ['EXCEEDED_TIME_LIMIT', 'EXCEEDED_CPU_LIMIT', 'EXCEEDED_SCAN_LIMIT'],
    code: 'statement-timeout',
    introduction: 'The statement was cancelled on the server',
    remedy: 'Narrow the query, or raise statementTimeout of the data source.',
  },
  {
    names: ['USER_CANCELED', 'ADMINISTRATIVELY_KILLED', 'ADMINISTRATIVELY_PREEMPTED', 'ABANDONED_QUERY'],
    code: 'statement-timeout',
    introduction: 'The statement was ended on the server',
    remedy: 'Try again, or ask the administrator of the cluster.',
  },
  {
    names: ['INVALID_SESSION_PROPERTY'],
    code: 'source-config',
    remedy: 'Correct sessionProperties of the data source.',
  },
  { names: ['ROLE_NOT_FOUND', 'INVALID_ROLE'], code: 'source-config', remedy: 'Correct role of the data source.' },
  {
    names: [
      'TYPE_MISMATCH',
      'INVALID_CAST_ARGUMENT',
      'INVALID_LITERAL',
      'NUMERIC_VALUE_OUT_OF_RANGE',
      'DIVISION_BY_ZERO',
    ],
    code: 'type-mismatch',
    remedy: 'Correct the expression, write try_cast, or filter the rows that hold such a value.',
  },
  {
    names: [
      ...['SERVER_STARTING_UP', 'SERVER_SHUTTING_DOWN', 'NO_NODES_AVAILABLE', 'QUERY_QUEUE_FULL'],
      ...['QUERY_REJECTED', 'CLUSTER_OUT_OF_MEMORY', 'EXCEEDED_GLOBAL_MEMORY_LIMIT', 'EXCEEDED_LOCAL_MEMORY_LIMIT'],
    ],
    code: 'source-failed',
    introduction: 'The cluster has no room for the statement now',
    remedy: 'Try again later, or narrow the query.',
  },
  {
    names: ['QUERY_HAS_TOO_MANY_STAGES'],
    code: 'statement-too-large',
    introduction: tooLarge,
    endsWithAdvice: true,
    remedy:
      'Give a query fewer joins, a rule fewer expectations or a path fewer steps, raise query_max_stage_count under sessionProperties of the data source, or use engine: embedded.',
  },
  {
    names: ['QUERY_TEXT_TOO_LARGE'],
    code: 'statement-too-large',
    introduction: tooLarge,
    remedy: 'Write a shorter query, ask for a higher limit of the cluster (query.max-length), or use engine: embedded.',
  },
  {
    names: [
      ...['REMOTE_HOST_GONE', 'REMOTE_TASK_ERROR', 'REMOTE_TASK_MISMATCH', 'REMOTE_TASK_FAILED'],
      ...['PAGE_TRANSPORT_ERROR', 'PAGE_TRANSPORT_TIMEOUT', 'TOO_MANY_REQUESTS_FAILED', 'WORKER_RESTARTED'],
    ],
    code: 'source-failed',
    introduction: 'A worker of the cluster was lost',
    remedy: 'Try again. A cluster with retry-policy=TASK goes on without it.',
  },
  {
    names: ['TRANSACTION_ALREADY_ABORTED', 'UNKNOWN_TRANSACTION', 'TRANSACTION_NOT_FOUND'],
    code: 'connection-lost',
    introduction: 'The transaction of the import has ended on the server',
    remedy: 'Try again.',
  },
];

/** Errors of Trino connectors about names that differ by case only, which Trino cannot distinguish. */
const sameNames = /Duplicate key \S+ \(attempted merging|Multiple entries with same key|Ambiguous name/u;

function meaningOf({ errorName, errorType, message }: TrinoFailure): Meaning {
  const row = rows.find(({ names }) => names.includes(errorName));
  if (row) return row;
  if (sameNames.test(message)) {
    return {
      code: 'source-config',
      introduction: 'Names in the database differ by case only, and are one name in Trino',
      remedy:
        'Rename one of them in the database, or map them in the catalog (case-insensitive-name-matching.config-file).',
    };
  }
  // Errors of connectors, resources and Trino itself are not SQL errors.
  if (errorType !== 'USER_ERROR') {
    return { code: 'source-failed', remedy: 'Try again; the web interface of the cluster has the details.' };
  }
  return {
    code: 'sql-error',
    remedy: 'Correct the SQL of the entity graph; Show Query prints all that is executed.',
  };
}
