import type { CompiledQuery } from '../../query/compiled-query.ts';
import { sqlTokens } from '../../query/sql-tokens.ts';
import { SqliteError } from '../../store/sqlite-reader/sqlite-reader.ts';
import { SourceError, type SourceErrorCode } from '../source-error.ts';

/** Why the file cannot be opened or read, in user terms. Other errors are returned unchanged. */
export function fileFailure(error: unknown, path: string): unknown {
  if (!(error instanceof SqliteError)) return error;
  const [code, what, remedy] = faultOf(error);
  return new SourceError(code, `${path} ${what}`, { file: path, remedy, cause: error });
}

type Fault = readonly [code: SourceErrorCode, what: string, remedy: string];

function faultOf({ code, message }: SqliteError): Fault {
  if (/BUSY|LOCKED/.test(code) || /database is locked/.test(message)) {
    return [
      'file-unreadable',
      'is locked by another program that writes to it.',
      'Try again when that program has finished, or set its database to the journal mode WAL, which lets others read meanwhile.',
    ];
  }
  if (/NOTADB/.test(code) || /file is not a database/.test(message)) {
    return [
      'file-malformed',
      'is not an SQLite database, or is encrypted.',
      'Point path at a copy without encryption.',
    ];
  }
  if (/CORRUPT|SHORT_READ/.test(code) || /malformed|disk I\/O error/.test(message)) {
    return [
      'file-malformed',
      `is damaged or incomplete: ${message}.`,
      'Copy the file again, or restore it from a backup.',
    ];
  }
  if (/CANTOPEN|READONLY/.test(code) || /unable to open|readonly/.test(message)) {
    return [
      'file-unreadable',
      'cannot be opened.',
      'Give yourself permission to read the file, and to write in its folder if its journal mode is WAL.',
    ];
  }
  if (/ENOSPC|EDQUOT/.test(code)) {
    return ['disk-full', 'cannot be read: the disk is full.', 'Free some space on the disk that holds the workspace.'];
  }
  return ['source-failed', `cannot be read: ${message}`, 'Check the file with PRAGMA integrity_check.'];
}

/** An error of a query, with its position in the core SELECT. SQLite reports unknown names, but no offset. */
export function queryFailure(error: unknown, query: CompiledQuery, path: string): unknown {
  if (!(error instanceof SqliteError)) return error;
  const { message } = error;
  const known = queryFaults.find(([pattern]) => pattern.test(message));
  if (!known && (error.code !== 'SQLITE_ERROR' || message === '')) return fileFailure(error, path);
  const [pattern, code, describe] = known ?? [/^$/, 'sql-error' as const, (): string => message];
  const name = pattern.exec(message)?.[1];
  const position = name === undefined ? undefined : placeOf(name, query);
  return new SourceError(code, describe(bare(name ?? '')), {
    ...((code === 'object-missing' || code === 'column-missing') && {
      remedy: 'Correct the name, or refresh the catalog if the file has changed.',
    }),
    ...(position !== undefined && { position }),
    cause: error,
  });
}

const queryFaults: readonly (readonly [RegExp, SourceErrorCode, (name: string) => string])[] = [
  [/^no such table: (.+)$/, 'object-missing', (name) => `${name} is not a data object of this source.`],
  [/^no such column: (.+?)(?: - should this be .*)?$/, 'column-missing', (name) => `There is no column ${name}.`],
  [/^ambiguous column name: (.+)$/, 'sql-error', (name) => `${name} could be a column of several tables.`],
  [/^no such function: (.+)$/, 'sql-error', (name) => `SQLite has no function ${name}.`],
  [
    /^wrong number of arguments to function (.+)\(\)$/,
    'sql-error',
    (name) => `${name} has a wrong number of arguments.`,
  ],
  [/^near "(.+)": syntax error$/s, 'sql-error', (name) => `Syntax error near ${name}.`],
  [/^unrecognized token: "(.+)"$/s, 'sql-error', (name) => `${name} is not valid here.`],
  [
    /^misuse of (?:aggregate|window function)(?: function)?:? (.+?)\(?\)?$/,
    'sql-error',
    (name) => `${name} cannot be used here.`,
  ],
];

/**
 * The position of a name: its only occurrence in custom SQL, else the custom SQL that contains it, else its only
 * occurrence anywhere. Offsets are into the core SELECT.
 */
function placeOf(name: string, { sql, fragments }: CompiledQuery): number | undefined {
  const parts = name.split('.').map((part) => bare(part).toLowerCase());
  const tokens = sqlTokens(sql).filter(({ kind }) => kind !== 'comment');
  const isPart = (index: number, part: string | undefined): boolean => {
    const token = tokens[index];
    return token !== undefined && bare(token.text).toLowerCase() === part;
  };
  const hits = tokens.flatMap((_, index) => {
    if (!isPart(index, parts.at(-1))) return [];
    // A qualified name is marked from its first part.
    let first = index;
    for (const part of parts.slice(0, -1).reverse()) {
      if (!isPart(first - 1, '.') || !isPart(first - 2, part)) break;
      first -= 2;
    }
    return [tokens[first]?.start ?? 0];
  });
  const clauses = fragments.filter(({ offset, source }) =>
    hits.some((hit) => hit >= offset && hit <= offset + source.value.length),
  );
  const inClauses = hits.filter((hit) =>
    clauses.some(({ offset, source }) => hit >= offset && hit <= offset + source.value.length),
  );
  if (inClauses.length === 1) return inClauses[0];
  if (clauses.length > 0) return clauses[0]?.offset;
  return hits.length === 1 ? hits[0] : undefined;
}

function bare(text: string): string {
  return text.replace(/^"(.*)"$/s, '$1').replaceAll('""', '"');
}
