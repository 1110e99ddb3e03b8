import { createHash } from 'node:crypto';
import type { CompiledQuery } from '../../query/compiled-query.ts';
import { executedSql } from './error-position.ts';
import { type PlannedRead, type PlannedTable, readPlan } from './planned-read.ts';
import { serverKind } from './server-kind.ts';
import type { Session } from './session.ts';

/** Tells, within one snapshot, whether queries would give the rows that they gave before. */
export interface Fingerprints {
  /**
   * Equal in two snapshots only when the query gives equal rows in both; undefined where that cannot be said. Rejects with a `SourceError` when
   * the query is refused.
   */
  of(query: CompiledQuery, signal: AbortSignal | undefined): Promise<string | undefined>;
}

/**
 * A row version of a heap never changes, and its place (`ctid`) with the transaction that wrote it (`xmin`) is that of no other one while the
 * server runs: the sum of their hashes tells every insert, update and delete, for one scan and no transfer. A restart of the server ends what can
 * be compared, as an older copy of its disk may have been put back in between.
 */
export function openFingerprints(session: Session): Fingerprints {
  const tables = new Map<string, Promise<string | undefined>>();
  let server: Promise<string | undefined> | undefined;
  const tableOf = (table: PlannedTable, signal: AbortSignal | undefined): Promise<string | undefined> => {
    const key = JSON.stringify(table);
    const pending = tables.get(key) ?? readTable(session, table, signal);
    tables.set(key, pending);
    return pending;
  };
  return {
    async of(query, signal) {
      const history = await (server ??= readHistory(session, signal));
      if (history === undefined) return undefined;
      const explain = executedSql('EXPLAIN (VERBOSE, COSTS OFF, FORMAT JSON) ', query.sql, '');
      const plan = readPlan((await session.texts(explain, signal)).rows[0]?.[0] ?? '');
      if (!plan || !(await isSteady(session, plan, signal))) return undefined;
      const parts = [history, ...plan.texts];
      for (const table of plan.tables) {
        const state = await tableOf(table, signal);
        if (state === undefined) return undefined;
        parts.push(state);
      }
      return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
    },
  };
}

/** `hashtidextended` is there since PostgreSQL 14. Servers that only speak its protocol keep their rows in other ways. */
const oldestVersion = 14;

/** What a history of row versions is bound to; undefined when the server has none that can be read. */
async function readHistory(session: Session, signal: AbortSignal | undefined): Promise<string | undefined> {
  const row = await attempt<{ version: string; extensions: string[]; history: string }>(
    session,
    `SELECT version() AS version, ARRAY(SELECT e.extname::text FROM pg_catalog.pg_extension AS e) AS extensions,
  concat_ws(' ', (SELECT d.oid FROM pg_catalog.pg_database AS d WHERE d.datname = current_database()), pg_postmaster_start_time(),
    inet_server_addr(), inet_server_port(), current_user, current_setting('search_path'),
    (SELECT md5(string_agg(concat_ws(' ', e.enumtypid, e.enumsortorder, e.enumlabel), ',' ORDER BY e.oid)) FROM pg_catalog.pg_enum AS e)
  ) AS history`,
    signal,
  );
  if (!row) return undefined;
  const { name, version } = serverKind(row.version, row.extensions);
  return name === 'PostgreSQL' && version >= oldestVersion ? row.history : undefined;
}

/** Functions that hang on nothing but the settings that every session of ours has. */
const steadyFunctions = ['concat', 'concat_ws', 'date_part', 'date_trunc', 'extract', 'format', 'timezone'];
const steadyConversions = ['to_char', 'to_date', 'to_number', 'to_timestamp'];

/** Whether the functions of a plan give equal results for equal rows. */
async function isSteady(
  session: Session,
  { functions }: PlannedRead,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (functions.length === 0) return true;
  const rows = await session.rows<{ steady: boolean }>(
    `SELECT coalesce(bool_and(p.pronamespace = 'pg_catalog'::regnamespace AND (p.provolatile = 'i' OR p.proname = ANY ($2::text[]))), true) AS steady
FROM pg_catalog.pg_proc AS p WHERE p.proname = ANY ($1::text[])`,
    [functions, [...steadyFunctions, ...steadyConversions]],
    signal,
  );
  return rows[0]?.steady === true;
}

/** Bytes. To find out about a larger table, of which a query only picks rows by an index, could take longer than the query. */
const smallTable = 256_000_000;

/** The row versions that a snapshot shows of a table, and how its columns are read; undefined when it is no heap or may not be scanned. */
async function readTable(
  session: Session,
  { schema, name, isReadWhole }: PlannedTable,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const [table] = await session.rows<{ relation: string; reading: string }>(
    `SELECT format('%I.%I', n.nspname, c.relname) AS relation,
  concat_ws(' ', c.oid, (SELECT md5(string_agg(concat_ws(' ', a.attnum, a.attname, a.atttypid, a.atttypmod, a.attmissingval::text,
      pg_get_expr(d.adbin, d.adrelid)), ',' ORDER BY a.attnum))
    FROM pg_catalog.pg_attribute AS a LEFT JOIN pg_catalog.pg_attrdef AS d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped)) AS reading
FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace JOIN pg_catalog.pg_am AS m ON m.oid = c.relam
WHERE n.nspname = $1 AND c.relname = $2 AND c.relkind IN ('r', 'm') AND m.amname = 'heap'
  AND ($3 OR pg_relation_size(c.oid) <= ${smallTable})`,
    [schema, name, isReadWhole],
    signal,
  );
  if (!table) return undefined;
  const versions = `SELECT concat_ws(' ', count(*), sum(hashtidextended(t.ctid, t.xmin::text::bigint))) AS versions FROM ONLY ${table.relation} AS t`;
  const found = await attempt<{ versions: string }>(session, versions, signal);
  return found && `${table.reading} ${found.versions}`;
}

/** A query of ours that may be refused (permissions, another kind of server) without ending the snapshot. */
async function attempt<Row extends Record<string, unknown>>(
  session: Session,
  sql: string,
  signal: AbortSignal | undefined,
): Promise<Row | undefined> {
  await session.run('SAVEPOINT fingerprint', signal);
  try {
    const [row] = await session.rows<Row>(sql, [], signal);
    await session.run('RELEASE SAVEPOINT fingerprint', signal);
    return row;
  } catch (error) {
    if (signal?.aborted) throw error;
    await session.run('ROLLBACK TO SAVEPOINT fingerprint', signal);
    return undefined;
  }
}
