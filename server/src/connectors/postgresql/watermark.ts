import { createHash } from 'node:crypto';
import pg from 'pg';
import type { CompiledQuery } from '../../query/compiled-query.ts';
import { zoneOfResult } from '../../query/result-zones.ts';
import { sqlTokens } from '../../query/sql-tokens.ts';
import { type SourceError, errorOfSource } from '../source-error.ts';
import { executedSql } from './error-position.ts';
import type { Fingerprints } from './fingerprint.ts';
import type { PostgresqlConfig } from './read-settings.ts';
import type { Session } from './session.ts';

/** How the rows of a query are brought up to date by a column that tells when a row was last changed. */
export interface Watermark {
  readonly dataObject: string;
  readonly column: string;
  /** Equal in two imports only if cached rows and newly read rows can be combined. */
  readonly meaning: string;
  /** Places of the primary key in the result of the query, from 0. */
  readonly keyPlaces: readonly number[];
  /** Whether the query filters rows of the table, so that a changed row may have to be removed. */
  readonly isFiltered: boolean;
  /** The value from which the next import reads; undefined if no row has a value. */
  newest(signal: AbortSignal | undefined): Promise<string | undefined>;
  /** The rows of the query that have changed since. */
  changedRows(since: string): CompiledQuery;
  /** The keys of all rows of the table that have changed since. */
  changedKeys(since: string): CompiledQuery;
  readonly countSql: string;
  /** Counts the rows of the query. */
  count(signal: AbortSignal | undefined): Promise<number>;
}

/**
 * The watermark of a query. Undefined if none is set for its table, or if its rows cannot be replaced because they do
 * not come from one table with a key. Rejects with `source-config` for a column or table that cannot be used.
 */
export async function watermarkOf(
  session: Session,
  config: PostgresqlConfig,
  fingerprints: Fingerprints,
  query: CompiledQuery,
  signal: AbortSignal | undefined,
): Promise<Watermark | undefined> {
  const [dataObject = '', ...others] = query.dataObjects;
  const column = config.watermarks.get(dataObject);
  if (column === undefined || others.length > 0 || !('roles' in query)) return undefined;
  const facts = await readFacts(session, nameParts(config, dataObject), column, signal);
  if (facts.kind !== 'r') return undefined;
  checkFacts(config, dataObject, column, facts);
  const keyPlaces = facts.key.map((name) => placeOf(query, name));
  if (keyPlaces.includes(-1)) return undefined;
  const meaning = await fingerprints.meaning(query, signal);
  const [table, ...joined] = meaning?.read.tables ?? [];
  if (!meaning?.read.isOfSingleRows || !table || joined.length > 0) return undefined;
  if (table.schema !== facts.schema || table.name !== facts.name) return undefined;
  const relation = [facts.schema, facts.name].map((name) => pg.escapeIdentifier(name)).join('.');
  const mark = pg.escapeIdentifier(column);
  const key = facts.key.map((name) => pg.escapeIdentifier(name)).join(', ');
  const since = (value: string): string =>
    `SELECT ${key} FROM ONLY ${relation} WHERE ${mark} >= ${pg.escapeLiteral(value)}::${comparedType(facts.type)} OR ${mark} IS NULL`;
  // All columns of an element or an entry are in one zone.
  const timeZone = zoneOfResult(query, query.columns[0] ?? '', config.timeZone);
  const counted = executedSql('SELECT count(*) FROM (\n', query.sql, '\n) AS q');
  const plain = { dialect: query.dialect, dataObjects: query.dataObjects, fragments: [], references: [] };
  return {
    dataObject,
    column,
    keyPlaces,
    meaning: createHash('sha256')
      .update(JSON.stringify([meaning.hash, facts, column]))
      .digest('hex'),
    isFiltered: sqlTokens(query.sql).some(({ kind, text }) => kind === 'word' && /^where$/i.test(text)),
    async newest(stop) {
      const sql = `SELECT (${newestSql(facts.type, mark, timeZone)})::text FROM ONLY ${relation}`;
      const { rows } = await session.texts(executedSql('', sql, ''), stop);
      return rows[0]?.[0] ?? undefined;
    },
    changedRows(value) {
      const keys = keyPlaces.map((place) => `q.${pg.escapeIdentifier(query.columns[place] ?? '')}`).join(', ');
      const sql = `SELECT * FROM (\n${query.sql}\n) AS q WHERE (${keys}) IN (${since(value)})`;
      return { ...plain, sql, columns: query.columns };
    },
    changedKeys: (value) => ({ ...plain, sql: since(value), columns: facts.key }),
    countSql: counted.text,
    async count(stop) {
      const { rows } = await session.texts(counted, stop);
      return Number(rows[0]?.[0]);
    },
  };
}

/**
 * The value from which the next import has to read: the newest value less a margin, because a transaction that is still
 * open may have written an older value that becomes visible later. Future times and infinite values are ignored, as
 * later changes may be below them. At the end of summer time, times without zone go back by up to two hours
 * (Antarctica/Troll).
 */
function newestSql(type: string, mark: string, timeZone: string): string {
  switch (type) {
    case 'timestamp with time zone':
      return `least(max(${mark}), now()) - interval '10 minutes'`;
    case 'timestamp without time zone':
      return `least(max(${mark}), now() AT TIME ZONE ${pg.escapeLiteral(timeZone)}) - interval '130 minutes'`;
    case 'date':
      return `least(max(${mark}), current_date) - 1`;
    case 'smallint':
    case 'integer':
    case 'bigint':
      return `greatest(${lessNumericMargin(`max(${mark})::numeric`)}, -9223372036854775808)`;
    default:
      return lessNumericMargin(`(max(${mark}) FILTER (WHERE ${mark} < 'Infinity'))::${comparedType(type)}`);
  }
}

/**
 * Numbers may be times since 1970. Their size shows the unit: since 1973, milliseconds have 12 digits, microseconds 15
 * and nanoseconds 18. Ten minutes in seconds are below the margin of a counter. No upper bounds are needed: too large a
 * margin only rereads rows, but too small a margin loses changes.
 */
function lessNumericMargin(newest: string): string {
  const tenMinutes = [
    ['1e17', '600000000000'],
    ['1e14', '600000000'],
    ['1e11', '600000'],
  ] as const;
  const cases = tenMinutes.map(([least, margin]) => `WHEN ${newest} >= ${least} THEN ${margin}`);
  return `${newest} - CASE ${cases.join(' ')} ELSE 10000 END`;
}

/**
 * The larger types still use indexes, can represent values below the smallest one, and do not round the margin away.
 */
function comparedType(type: string): string {
  switch (type) {
    case 'smallint':
    case 'integer':
      return 'bigint';
    case 'real':
      return 'double precision';
    default:
      return type;
  }
}

/** Types of watermarks, whose values increase as rows change. */
const types = [
  ...['timestamp with time zone', 'timestamp without time zone', 'date'],
  ...['smallint', 'integer', 'bigint', 'numeric', 'real', 'double precision'],
];

interface TableFacts {
  readonly schema: string;
  readonly name: string;
  /** `relkind`; empty if there is no such relation. */
  readonly kind: string;
  /** Columns of the primary key, in its order. */
  readonly key: readonly string[];
  readonly columns: readonly string[];
  /** Type of the watermark; empty if there is no such column. */
  readonly type: string;
}

const factsSql = `SELECT n.nspname AS schema, c.relname AS name, c.relkind::text AS kind,
  ARRAY(SELECT a.attname::text FROM pg_catalog.pg_attribute AS a
    WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum) AS columns,
  ARRAY(SELECT a.attname::text FROM pg_catalog.pg_index AS i CROSS JOIN unnest(i.indkey::int[]) WITH ORDINALITY AS k (number, place)
    JOIN pg_catalog.pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = k.number
    WHERE i.indrelid = c.oid AND i.indisprimary AND i.indisvalid ORDER BY k.place) AS key,
  coalesce((SELECT format_type(a.atttypid, NULL) FROM pg_catalog.pg_attribute AS a
    WHERE a.attrelid = c.oid AND a.attname = $3 AND a.attnum > 0 AND NOT a.attisdropped), '') AS type
FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
WHERE n.nspname = $1 AND c.relname = $2`;

async function readFacts(
  session: Session,
  { schema, name }: { readonly schema: string; readonly name: string },
  column: string,
  signal: AbortSignal | undefined,
): Promise<TableFacts> {
  const [facts] = await session.rows<TableFacts>(factsSql, [schema, name, column], signal);
  return facts ?? { schema, name, kind: '', key: [], columns: [], type: '' };
}

function checkFacts(config: PostgresqlConfig, dataObject: string, column: string, facts: TableFacts): void {
  const setting = `watermarks.${dataObject}`;
  const place = `of ${config.name} in the data sources file`;
  const wrong = (said: string, remedy: string): SourceError =>
    errorOfSource(config.name, 'source-config', `${setting}: ${said}`, { remedy });
  if (facts.type === '') {
    throw wrong(
      `${dataObject} has no column ${column}.`,
      `Correct ${setting} ${place}; its columns are: ${facts.columns.join(', ')}.`,
    );
  }
  if (!types.includes(facts.type)) {
    throw wrong(
      `${column} is of type ${facts.type}, which is neither a time nor a number.`,
      `Name a column in ${setting} ${place} that grows with each change, or leave ${dataObject} out.`,
    );
  }
  if (facts.key.length === 0) {
    throw wrong(
      `${dataObject} has no primary key, by which changed rows replace those of the import before.`,
      `Give the table a primary key, or leave ${dataObject} out of watermarks ${place}: it is read whole then.`,
    );
  }
}

/** Names of the first schema are bare. */
function nameParts({ schemas }: PostgresqlConfig, dataObject: string): { schema: string; name: string } {
  const schema = schemas.slice(1).find((each) => dataObject.startsWith(`${each}.`));
  return schema === undefined
    ? { schema: schemas[0] ?? 'public', name: dataObject }
    : { schema, name: dataObject.slice(schema.length + 1) };
}

function placeOf({ known = [], columns }: CompiledQuery, column: string): number {
  const found = known.find((each) => each.column === column);
  return found ? columns.indexOf(found.name) : -1;
}
