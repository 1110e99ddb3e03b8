import { createHash } from 'node:crypto';
import pg from 'pg';
import type { CompiledQuery, PlanStatement } from '../../query/compiled-query.ts';
import { type ExecutedSql, executedSql } from './error-position.ts';
import { type PlannedRead, type PlannedTable, readPlan } from './planned-read.ts';
import { serverKind } from './server-kind.ts';
import type { Session } from './session.ts';

/** Detects within one snapshot whether queries would return the same rows as before. */
export interface Fingerprints {
  /**
   * Equal in two snapshots only if the query returns equal rows; undefined if unknown, also for a rejected query.
   * Rejects with a `SourceError` when the connection is lost.
   */
  of(query: CompiledQuery, signal: AbortSignal | undefined): Promise<string | undefined>;
  /** How the server runs a query, without a look at any row; undefined and rejects like `of`. */
  meaning(query: CompiledQuery, signal: AbortSignal | undefined): Promise<QueryMeaning | undefined>;
}

interface QueryMeaning {
  /** Equal in two snapshots only if the query makes equal rows of equal rows of its tables. */
  readonly hash: string;
  readonly read: PlannedRead;
}

/**
 * A heap row version never changes, and its location (`ctid`) and writing transaction (`xmin`) are unique while the
 * server runs. The sum of their hashes therefore detects every insert, update and delete, with one scan and no
 * transfer. The same sums over the system catalog detect changed definitions. A restart of the server invalidates them.
 */
export function openFingerprints(session: Session): Fingerprints {
  const tables = new Map<string, string>();
  let server: Promise<string | undefined> | undefined;
  const steadyRead = async (query: CompiledQuery, signal: AbortSignal | undefined) => {
    const history = await (server ??= readHistory(session, signal));
    if (history === undefined) return undefined;
    const explain = explainSql(query);
    const explained = await attempt(session, signal, async () => (await session.texts(explain, signal)).rows[0]?.[0]);
    const plan = readPlan(explained ?? '');
    return plan && (await isSteady(session, plan, signal)) ? { history, plan } : undefined;
  };
  return {
    async of(query, signal) {
      const read = await steadyRead(query, signal);
      if (!read) return undefined;
      const { history, plan } = read;
      const unknown = plan.tables.filter((table) => !tables.has(keyOf(table)));
      const found = await readTables(session, unknown, signal);
      if (!found) return undefined;
      unknown.forEach((table, index) => tables.set(keyOf(table), found[index] ?? ''));
      const states = plan.tables.map((table) => tables.get(keyOf(table)));
      return createHash('sha256')
        .update(JSON.stringify([history, plan.texts, states]))
        .digest('hex');
    },
    async meaning(query, signal) {
      const read = await steadyRead(query, signal);
      if (!read) return undefined;
      const { history, plan } = read;
      const described = await describeTables(session, plan.tables, true, signal);
      if (!described) return undefined;
      const readings = described.map(({ reading }) => reading);
      const hash = createHash('sha256')
        .update(JSON.stringify([history, plan.texts, readings]))
        .digest('hex');
      return { hash, read: plan };
    },
  };
}

/** The statements of `openFingerprints`, with `…` for a table that the query plan names. */
export function fingerprintSteps(queries: readonly CompiledQuery[]): readonly PlanStatement[] {
  const statements = [
    { title: 'A query that the server refuses does not end the snapshot', sql: savepointSql },
    { title: 'The server, and how it resolves names', sql: historySql },
    ...queries.map((query) => ({ title: 'Which tables a query reads', sql: explainSql(query).text })),
    { title: 'Whether its functions give equal results for equal rows', sql: steadySql },
    { title: 'Whether row versions show which tables changed', sql: tablesSql },
    { title: 'Row versions of each table', sql: rowVersionsSql('1', '…') },
    { title: 'Back to the snapshot', sql: releaseSql },
  ];
  return statements.map((statement) => ({ ...statement, dialect: 'postgresql' }));
}

const savepointSql = 'SAVEPOINT fingerprint';
const releaseSql = 'RELEASE SAVEPOINT fingerprint';

/** How the server would run a query. */
export function explainSql(query: CompiledQuery): ExecutedSql {
  return executedSql('EXPLAIN (VERBOSE, COSTS OFF, FORMAT JSON) ', query.sql, '');
}

function keyOf({ schema, name }: PlannedTable): string {
  return JSON.stringify([schema, name]);
}

/** `hashtidextended` exists since PostgreSQL 14. Other servers with its protocol store rows differently. */
const oldestVersion = 14;

/** Oids of user-defined objects are larger. */
const firstOwnOid = 16_384;

const versionsSql = `concat_ws(' ', count(*), sum(hashtidextended(t.ctid, t.xmin::text::bigint)))`;

/** System catalogs that define names, operators, casts and rules. */
const meanings = [
  ...['pg_rewrite', 'pg_proc', 'pg_operator', 'pg_cast', 'pg_collation', 'pg_policy', 'pg_db_role_setting', 'pg_enum'],
  ...['pg_ts_config', 'pg_ts_config_map', 'pg_ts_dict', 'pg_opclass', 'pg_amop', 'pg_amproc', 'pg_range'],
];

const historySql = `SELECT version() AS version, ARRAY(SELECT e.extname::text FROM pg_catalog.pg_extension AS e) AS extensions,
  concat_ws(' | ', (SELECT d.oid FROM pg_catalog.pg_database AS d WHERE d.datname = current_database()), pg_postmaster_start_time(),
    (SELECT b.stats_reset FROM pg_catalog.pg_stat_bgwriter AS b), inet_server_addr(), inet_server_port(), current_user,
    (SELECT md5(string_agg(concat_ws('=', s.name, s.setting), ',' ORDER BY s.name)) FROM pg_catalog.pg_settings AS s),
    ${meanings.map((table) => `(SELECT ${versionsSql} FROM pg_catalog.${table} AS t)`).join(',\n    ')},
    (SELECT ${versionsSql} FROM pg_catalog.pg_type AS t WHERE t.typtype <> 'c' AND t.typelem = 0),
    (SELECT ${versionsSql} FROM pg_catalog.pg_attribute AS t JOIN pg_catalog.pg_class AS c ON c.oid = t.attrelid WHERE c.relkind = 'c')
  ) AS history`;

/** Identity of the server instance for which row versions are comparable; undefined if not available. */
async function readHistory(session: Session, signal: AbortSignal | undefined): Promise<string | undefined> {
  const [row] =
    (await attempt(session, signal, () =>
      session.rows<{ version: string; extensions: string[]; history: string }>(historySql, [], signal),
    )) ?? [];
  if (!row) return undefined;
  const { name, version } = serverKind(row.version, row.extensions);
  return name === 'PostgreSQL' && version >= oldestVersion ? row.history : undefined;
}

/** Functions that depend on settings only, which are part of the history. */
const steadyFunctions = ['concat', 'concat_ws', 'date_part', 'date_trunc', 'extract', 'format', 'timezone'];
const steadyConversions = ['to_char', 'to_number'];

/**
 * Whether one of the types, or a part of one, has texts with names of tables, columns or roles. These change without a
 * change of a row that the fingerprint would show.
 * @param types a query of their oids
 */
function hasNames(types: string): string {
  return `EXISTS (WITH RECURSIVE part (oid) AS (${types}
    UNION SELECT e.oid FROM part AS w JOIN pg_catalog.pg_type AS y ON y.oid = w.oid CROSS JOIN LATERAL (
        SELECT y.typelem UNION ALL SELECT y.typbasetype
        UNION ALL SELECT a.atttypid FROM pg_catalog.pg_attribute AS a WHERE a.attrelid = y.typrelid AND a.attnum > 0
        UNION ALL SELECT r.rngsubtype FROM pg_catalog.pg_range AS r WHERE y.oid IN (r.rngtypid, r.rngmultitypid)) AS e (oid)
      WHERE e.oid <> 0)
    SELECT FROM part JOIN pg_catalog.pg_type AS y ON y.oid = part.oid LEFT JOIN pg_catalog.pg_class AS k ON k.oid = y.typrelid
    WHERE (y.oid < ${firstOwnOid} AND (y.typname LIKE 'reg%' OR y.typname = 'aclitem')) OR k.relkind <> 'c')`;
}

/** Whether a PostgreSQL function is deterministic. */
const steady = `p.provolatile = 'i' AND p.prolang IN (SELECT l.oid FROM pg_catalog.pg_language AS l WHERE l.lanname IN ('c', 'internal'))`;
const steadySql = `SELECT coalesce((SELECT bool_and(p.pronamespace = 'pg_catalog'::regnamespace AND (p.provolatile = 'i' OR p.proname = ANY ($2::text[])))
    FROM pg_catalog.pg_proc AS p WHERE p.proname = ANY ($1::text[])), true)
  AND NOT ${hasNames(`SELECT p.prorettype FROM pg_catalog.pg_proc AS p WHERE p.proname = ANY ($1::text[])
    UNION SELECT t.oid FROM pg_catalog.pg_type AS t LEFT JOIN pg_catalog.pg_class AS r ON r.oid = t.typrelid
      WHERE t.oid >= ${firstOwnOid} AND (t.typrelid = 0 OR r.relkind = 'c') AND position(t.typname::text IN $3) > 0`)}
  AND NOT EXISTS (SELECT FROM pg_catalog.pg_operator AS o JOIN pg_catalog.pg_proc AS p ON p.oid = o.oprcode
    WHERE o.oid >= ${firstOwnOid} AND NOT (${steady}) AND position(o.oprname IN $3) > 0)
  AND NOT EXISTS (SELECT FROM pg_catalog.pg_cast AS c JOIN pg_catalog.pg_proc AS p ON p.oid = c.castfunc
    WHERE c.oid >= ${firstOwnOid} AND NOT (${steady})) AS steady`;

/** Whether all functions of a plan, including those behind operators and casts, are deterministic. */
async function isSteady(
  session: Session,
  { functions, texts }: PlannedRead,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const [row] = await session.rows<{ steady: boolean }>(
    steadySql,
    [functions, [...steadyFunctions, ...steadyConversions], texts.join('\n')],
    signal,
  );
  return row?.steady === true;
}

/** Size limit in bytes: scanning a larger table, of which a query reads few rows, could take longer than the query. */
const smallTable = 256_000_000;

const tablesSql = `SELECT w.place, format('%I.%I', n.nspname, c.relname) AS relation,
  concat_ws(' ', n.nspname, c.relname, c.oid, pg_relation_filenode(c.oid), (SELECT md5(string_agg(concat_ws(' ', a.attnum, a.attname, a.atttypid,
      a.atttypmod, a.attcollation, a.attmissingval::text, pg_get_expr(d.adbin, d.adrelid)), ',' ORDER BY a.attnum))
    FROM pg_catalog.pg_attribute AS a LEFT JOIN pg_catalog.pg_attrdef AS d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped)) AS reading
FROM unnest($1::text[], $2::text[], $3::boolean[]) WITH ORDINALITY AS w (schema, name, is_read_whole, place)
  JOIN pg_catalog.pg_namespace AS n ON n.nspname = w.schema
  JOIN pg_catalog.pg_class AS c ON c.relnamespace = n.oid AND c.relname = w.name
  JOIN pg_catalog.pg_am AS m ON m.oid = c.relam
WHERE c.oid >= ${firstOwnOid} AND c.relkind IN ('r', 'm') AND m.amname = 'heap' AND (w.is_read_whole OR pg_relation_size(c.oid) <= ${smallTable})
  AND NOT ${hasNames('SELECT a.atttypid FROM pg_catalog.pg_attribute AS a WHERE a.attrelid = c.oid AND a.attnum > 0')}
ORDER BY w.place`;

/** Hash of the row versions of a table in a snapshot. @param place its number, as a text. @param relation quoted. */
function rowVersionsSql(place: string, relation: string): string {
  return `SELECT ${pg.escapeLiteral(place)} AS place, ${versionsSql} AS versions FROM ONLY ${relation} AS t`;
}

/**
 * Hashes of the row versions and column definitions of each table; undefined when one is not a user heap, may not be
 * scanned, or is large and not read completely.
 */
async function readTables(
  session: Session,
  tables: readonly PlannedTable[],
  signal: AbortSignal | undefined,
): Promise<readonly string[] | undefined> {
  if (tables.length === 0) return [];
  const described = await describeTables(session, tables, false, signal);
  if (!described) return undefined;
  const sums = described.map(({ relation, place }) => rowVersionsSql(place, relation));
  const versions = await attempt(session, signal, () =>
    session.rows<{ place: string; versions: string }>(sums.join('\nUNION ALL\n'), [], signal),
  );
  if (!versions) return undefined;
  const byPlace = new Map(versions.map(({ place, versions: found }) => [place, found]));
  return described.map(({ place, reading }) => `${reading} ${byPlace.get(place) ?? ''}`);
}

interface DescribedTable {
  readonly place: string;
  /** Quoted. */
  readonly relation: string;
  /** Its columns, and where its rows are. */
  readonly reading: string;
}

/** @param ofAnySize also tables that are large and not read completely. */
async function describeTables(
  session: Session,
  tables: readonly PlannedTable[],
  ofAnySize: boolean,
  signal: AbortSignal | undefined,
): Promise<readonly DescribedTable[] | undefined> {
  const described = await session.rows<{ place: string; relation: string; reading: string }>(
    tablesSql,
    [
      tables.map(({ schema }) => schema),
      tables.map(({ name }) => name),
      tables.map(({ isReadWhole }) => ofAnySize || isReadWhole),
    ],
    signal,
  );
  return described.length < tables.length ? undefined : described;
}

/** Runs statements that may fail (permissions, custom SQL, other servers) within a savepoint; undefined on failure. */
export async function attempt<T>(
  session: Session,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T | undefined> {
  await session.run(savepointSql, signal);
  let found: T | undefined;
  try {
    found = await work();
  } catch (error) {
    if (signal?.aborted) throw error;
    // This also fails, with an explanation, on a lost connection.
    await session.run('ROLLBACK TO SAVEPOINT fingerprint', signal);
  }
  await session.run(releaseSql, signal);
  return found;
}
