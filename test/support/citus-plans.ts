import pg from 'pg';

/** The plan of a statement that adds rows to a table. */
export interface FillPlan {
  readonly table: string;
  readonly sql: string;
  readonly plan: string;
  /** The statement makes the table, on the coordinator. */
  readonly isLocal: boolean;
}

/**
 * Explains each statement of this process that fills a table, INSERT or CREATE TABLE … AS, before it runs, in its own
 * transaction, during `work`.
 */
export async function explainFills(work: () => Promise<unknown>): Promise<readonly FillPlan[]> {
  const plans: FillPlan[] = [];
  const { query } = pg.Client.prototype;
  const send = async (client: pg.Client, ...args: readonly unknown[]): Promise<unknown> =>
    Reflect.apply(query, client, args) as Promise<unknown>;
  const explained = async (client: pg.Client, args: readonly unknown[]): Promise<unknown> => {
    const [first] = args;
    const text = typeof first === 'string' ? first : String((first as { readonly text?: unknown }).text ?? '');
    const explain = async (sql: string, table: string, isLocal: boolean): Promise<void> => {
      const { rows } = (await send(client, `EXPLAIN (COSTS OFF) ${sql}`)) as pg.QueryResult<Record<string, string>>;
      plans.push({ table, sql, plan: rows.map((row) => row['QUERY PLAN']).join('\n'), isLocal });
    };
    const [, made] = text.endsWith(' WITH NO DATA') ? [] : (/^CREATE TABLE (\S+) AS /u.exec(text) ?? []);
    const place = text.search(/(?:^|;\n)INSERT INTO /u);
    if (made !== undefined && place < 0) await explain(text, made, true);
    if (place < 0) return send(client, ...args);
    const sql = text.slice(place).replace(/^;\n/u, '');
    if (place > 0) await send(client, text.slice(0, place));
    await explain(sql, /^INSERT INTO (\S+)/u.exec(sql)?.[1] ?? '', false);
    return typeof first === 'string' ? send(client, sql) : send(client, ...args);
  };
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    // A query that reports by events does not belong to an import.
    return args[0] instanceof pg.Query ? Reflect.apply(query, this, args) : explained(this, args);
  } as typeof query;
  try {
    await work();
  } finally {
    pg.Client.prototype.query = query;
  }
  return plans;
}
