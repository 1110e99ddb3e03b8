import { quoteIdentifier } from '../query/quote.ts';
import { identifierKey, mentionedNames } from '../query/sql-names.ts';
import { isDuckDbError, type DuckDbFailure } from '../store/duckdb-errors.ts';
import { openSession } from '../store/duckdb-session.ts';

/** A table that a statement may read, without rows. */
export interface CheckedTable {
  readonly path: readonly string[];
  readonly columns: readonly { readonly name: string; readonly type: string }[];
}

/** Validates statements with DuckDB, without running them and without access to files or network. */
export interface SqlChecker {
  /**
   * The first problem; undefined when valid. Rejects when the tables cannot be created.
   * @param tables all tables that the statement may read; without them only the syntax is validated
   */
  check(statement: string, tables?: readonly CheckedTable[]): Promise<DuckDbFailure | undefined>;
  /** The type of the first result column of a statement that has no mistake. Rejects when the tables cannot be made. */
  typeOf(statement: string, tables: readonly CheckedTable[]): Promise<string | undefined>;
  close(): Promise<void>;
}

export async function openSqlChecker(): Promise<SqlChecker> {
  const session = await openSession(':memory:', {
    enable_external_access: 'false',
    memory_limit: '64MB',
    threads: '1',
  });
  /** Definitions of the existing tables, by folded name. */
  const present = new Map<string, string>();
  let last: Promise<unknown> = Promise.resolve();

  /** Tables stay for later statements, which mostly use the same ones, unless this statement mentions others. */
  async function arrange(statement: string, tables: readonly CheckedTable[]): Promise<void> {
    const wanted = new Map(tables.map((table) => [keyOf(table), definition(table)]));
    const named = mentionedNames(statement, 'duckdb');
    // DuckDB accepts a string after FROM as a name.
    const folded = identifierKey(statement, 'duckdb');
    const isTooMany = present.size + wanted.size > maxTables;
    for (const name of [...present.keys()].filter((each) => !wanted.has(each))) {
      if (!isTooMany && !named.has(name) && !folded.includes(name)) continue;
      await session.run(`DROP TABLE ${quoteIdentifier(name)}`);
      present.delete(name);
    }
    for (const [name, table] of wanted) {
      if (present.get(name) === table) continue;
      await session.run(`CREATE OR REPLACE TABLE ${table}`);
      present.set(name, table);
    }
  }

  async function check(
    statement: string,
    tables: readonly CheckedTable[] | undefined,
  ): Promise<DuckDbFailure | undefined> {
    if (tables) await arrange(statement, tables);
    try {
      await session.describe(statement);
      return undefined;
    } catch (error) {
      if (isDuckDbError(error)) return error.failure;
      throw error;
    }
  }

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  }

  return {
    check: (statement, tables) => inTurn(() => check(statement, tables)),
    typeOf: (statement, tables) =>
      inTurn(async () => {
        await arrange(statement, tables);
        const [first] = await session.describe(statement);
        return first?.type;
      }),
    close: () => session.close(),
  };
}

/** Maximum number of tables; a file uses fewer. */
const maxTables = 100;

function keyOf({ path }: CheckedTable): string {
  return identifierKey(path.at(-1) ?? '', 'duckdb');
}

/** The name in its original spelling, for messages. */
function definition({ path, columns }: CheckedTable): string {
  const list = columns.map(({ name, type }) => `${quoteIdentifier(name)} ${type}`).join(', ');
  return `${quoteIdentifier(path.at(-1) ?? '')} (${list})`;
}
