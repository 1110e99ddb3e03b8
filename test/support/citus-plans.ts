import pg from 'pg';

/** The plan of a statement that adds rows to a table. */
export interface InsertPlan {
  readonly table: string;
  readonly sql: string;
  readonly plan: string;
}

/** Explains each INSERT of this process before it runs, in its own transaction, during `work`. */
export async function explainInserts(work: () => Promise<unknown>): Promise<readonly InsertPlan[]> {
  const plans: InsertPlan[] = [];
  const { query } = pg.Client.prototype;
  const send = async (client: pg.Client, ...args: readonly unknown[]): Promise<unknown> =>
    Reflect.apply(query, client, args) as Promise<unknown>;
  const explained = async (client: pg.Client, args: readonly unknown[]): Promise<unknown> => {
    const [first] = args;
    const text = typeof first === 'string' ? first : String((first as { readonly text?: unknown }).text ?? '');
    const place = text.search(/(?:^|;\n)INSERT INTO /u);
    if (place < 0) return send(client, ...args);
    const sql = text.slice(place).replace(/^;\n/u, '');
    if (place > 0) await send(client, text.slice(0, place));
    const { rows } = (await send(client, `EXPLAIN (COSTS OFF) ${sql}`)) as pg.QueryResult<Record<string, string>>;
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    plans.push({ table: /^INSERT INTO (\S+)/u.exec(sql)?.[1] ?? '', sql, plan });
    return typeof first === 'string' ? send(client, sql) : send(client, ...args);
  };
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    // A query that reports by events is none of an import.
    return args[0] instanceof pg.Query ? Reflect.apply(query, this, args) : explained(this, args);
  } as typeof query;
  try {
    await work();
  } finally {
    pg.Client.prototype.query = query;
  }
  return plans;
}
