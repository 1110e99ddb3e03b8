import pg from 'pg';
import type { CompiledQuery, ElementQuery } from '../../query/compiled-query.ts';
import type { PostgresqlConfig } from './read-settings.ts';
import type { ExplainError } from './errors.ts';
import { attempt, explainSql } from './fingerprint.ts';
import { readPlan } from './planned-read.ts';
import { serverKind } from './server-kind.ts';
import { beginPull } from './session-setup.ts';
import { openSession, type Session } from './session.ts';

/** One of the two database sessions of a pull, with the statements that read its half of the table. */
export interface SessionRead {
  readonly session: Session;
  readonly query: CompiledQuery;
}

/** Parts of the rows of a query, with a note where one connection has to read them all. */
export interface SplitRead {
  readonly reads: readonly SessionRead[];
  readonly note?: string;
}

/** Reads large tables over a second connection, too, which is opened for the first of them. */
export interface SecondConnection {
  /** The halves of a query for both sessions, or the whole one for the first. */
  split(query: CompiledQuery, signal: AbortSignal | undefined): Promise<SplitRead>;
  /** Idempotent, never rejects. */
  close(): Promise<void>;
}

/** Time for the second connection to open: a pool without another free one lets it wait. */
const openingMs = 5_000;

/** @param session in which the snapshot of the pull has begun. */
export function secondConnection(session: Session, config: PostgresqlConfig, explain: ExplainError): SecondConnection {
  /** The session, or why there is none. */
  let opening: Promise<Session | string> | undefined;
  const open = async (signal: AbortSignal | undefined): Promise<Session | string> => {
    const late = AbortSignal.timeout(openingMs);
    const either = signal ? AbortSignal.any([signal, late]) : late;
    let second: Session | undefined;
    try {
      second = await openSession(config, explain, {
        signal: either,
        statementTimeoutMs: config.statementTimeoutMs ?? 0,
      });
      const [row] = await session.rows<{ snapshot: string }>('SELECT pg_export_snapshot() AS snapshot', [], signal);
      await second.run(sharedSnapshot(row?.snapshot ?? ''), either);
      return second;
    } catch (error) {
      await second?.close();
      signal?.throwIfAborted();
      const why = late.aborted ? `no answer in ${openingMs / 1000} s` : (error as Error).message;
      return `a second one failed: ${why}`;
    }
  };
  return {
    async split(query, signal) {
      const whole = [{ session, query }];
      const single = (why: string): SplitRead => ({ reads: whole, note: `read over one connection, as ${why}` });
      const halves = await halvesOf(session, query, signal);
      if (!halves) return { reads: whole };
      const second = await (opening ??= open(signal));
      if (typeof second === 'string') return single(second);
      // The plan takes all locks until the end of the transaction. A change of the table waits for the first session,
      // which waits for the second one: the server would not see that neither ends.
      const isLocked = await attempt(second, signal, () => second.texts(explainSql(query), signal));
      if (!isLocked) return single('another session waits for a lock on the table');
      return { reads: [session, second].map((each, index) => ({ session: each, query: halves[index] ?? query })) };
    },
    close: async () => {
      const second = await opening?.catch(() => undefined);
      if (typeof second === 'object') await second.close();
    },
  };
}

/** Time in which the second connection gets a lock that the first one has already. */
const lockMs = 1_000;

/** Begins the transaction of the second connection. */
export function sharedSnapshot(snapshot: string): string {
  return `${beginPull} SET TRANSACTION SNAPSHOT ${pg.escapeLiteral(snapshot)}; SET LOCAL lock_timeout = ${lockMs}`;
}

/** Bytes of a table from which a second connection pays. */
const largeTable = 64 << 20;

/** `ctid` ranges are read without scanning the whole table since PostgreSQL 14. */
const oldestVersion = 14;

const middleSql = `SELECT version() AS version, (pg_relation_size(c.oid) / current_setting('block_size')::int / 2)::text AS middle
FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace JOIN pg_catalog.pg_am AS m ON m.oid = c.relam
WHERE n.nspname = $1 AND c.relname = $2 AND c.relkind IN ('r', 'm') AND m.amname = 'heap' AND pg_relation_size(c.oid) > ${largeTable}`;

/**
 * The query split in the middle of its table's blocks. Undefined unless its rows are single rows of one large table, which
 * the server reads whole.
 */
export async function halvesOf(
  session: Session,
  query: CompiledQuery,
  signal: AbortSignal | undefined,
): Promise<readonly CompiledQuery[] | undefined> {
  if (!('select' in query)) return undefined;
  const { rows, isDistinct = false } = (query as ElementQuery).select;
  const [name = '', schema = ''] = rows.from.path.toReversed();
  if (isDistinct || rows.joins || !withCondition(query, rows.from.range?.start, '')) return undefined;
  const read = await attempt(session, signal, async () => {
    const [found] = await session.rows<{ version: string; middle: string }>(middleSql, [schema, name], signal);
    if (!found) return undefined;
    return { ...found, plan: readPlan((await session.texts(explainSql(query), signal)).rows[0]?.[0] ?? '') };
  });
  if (!read?.plan?.isOfSingleRows || !read.plan.tables.every(({ isReadWhole }) => isReadWhole)) return undefined;
  const kind = serverKind(read.version, []);
  if (kind.name !== 'PostgreSQL' || kind.version < oldestVersion) return undefined;
  return ['<', '>='].flatMap(
    (side) => withCondition(query, rows.from.range?.start, `${side} '(${read.middle},0)'::tid`) ?? [],
  );
}

/** The query with a condition on the `ctid` of its only table, printed at a place in the YAML. */
function withCondition(query: CompiledQuery, place: number | undefined, condition: string): CompiledQuery | undefined {
  const table = query.references.find(({ range }) => range.start === place);
  if (!table) return undefined;
  const end = table.offset + table.length;
  const [found, alias = '', where] =
    /^ AS ("(?:[^"]|"")+"|\w+)(?:\nWHERE (\(\n[^]*\n\)))?$/.exec(query.sql.slice(end)) ?? [];
  if (found === undefined) return undefined;
  const both = [`${alias}.ctid ${condition}`, ...(where === undefined ? [] : [`(${where})`])];
  return { ...query, sql: `${query.sql.slice(0, end)} AS ${alias}\nWHERE ${both.join(' AND ')}` };
}
