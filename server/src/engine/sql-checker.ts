import { quoteIdentifier } from '../query/quote.ts';
import { DuckDbError, type DuckDbFailure } from '../store/duckdb-errors.ts';
import { openSession } from '../store/duckdb-session.ts';

/** A table that a statement may read: only its shape counts, it has no rows. */
export interface CheckedTable {
  readonly path: readonly string[];
  readonly columns: readonly { readonly name: string; readonly type: string }[];
}

/** Asks DuckDB what is wrong with statements, without running them and without any file or network. */
export interface SqlChecker {
  /** The first mistake; undefined when there is none. Rejects when the tables cannot be made. */
  check(statement: string, tables: readonly CheckedTable[]): Promise<DuckDbFailure | undefined>;
  close(): Promise<void>;
}

export async function openSqlChecker(): Promise<SqlChecker> {
  const session = await openSession(':memory:', {
    enable_external_access: 'false',
    memory_limit: '64MB',
    threads: '1',
  });
  /** The definitions of the tables that are there now. */
  const present = new Map<string, string>();
  let last: Promise<unknown> = Promise.resolve();

  async function arrange(tables: readonly CheckedTable[]): Promise<void> {
    const wanted = new Map(tables.map((table) => [table.path.at(-1) ?? '', definition(table)]));
    for (const name of [...present.keys()].filter((each) => !wanted.has(each))) {
      await session.run(`DROP TABLE ${quoteIdentifier(name)}`);
      present.delete(name);
    }
    for (const [name, columns] of wanted) {
      if (present.get(name) === columns) continue;
      await session.run(`CREATE OR REPLACE TABLE ${quoteIdentifier(name)} (${columns})`);
      present.set(name, columns);
    }
  }

  async function check(statement: string, tables: readonly CheckedTable[]): Promise<DuckDbFailure | undefined> {
    await arrange(tables);
    try {
      await session.describe(statement);
      return undefined;
    } catch (error) {
      if (error instanceof DuckDbError) return error.failure;
      throw error;
    }
  }

  return {
    check(statement, tables) {
      const turn = last.then(() => check(statement, tables));
      last = turn.catch(() => undefined);
      return turn;
    },
    close: () => session.close(),
  };
}

function definition({ columns }: CheckedTable): string {
  return columns.map(({ name, type }) => `${quoteIdentifier(name)} ${type}`).join(', ');
}
