import type { GraphFilter, TypeFilter } from '../../../protocol/event-graph.ts';
import { judgedGraphTables } from '../process-rules/judged-graph-tables.ts';
import type { StatementOptions, StoreReader } from '../store/duckdb-store.ts';
import { type EntityFilter, type ReadTypeFilter, entityCondition } from './filter-entities.ts';
import { readFilter } from './read-filter.ts';
import { numberedPathsSql } from './variant-sql.ts';

/** What several questions about a graph need, found once: temporary tables of a connection. */
export interface Selections {
  /** As `readFilter`; a filter with conditions becomes a table of its entities. */
  select(filter: GraphFilter, options: StatementOptions): Promise<EntityFilter>;
  /** As `select`, of a filter of one type. */
  selectOfType(filter: TypeFilter, options: StatementOptions): Promise<ReadTypeFilter>;
  /** A SELECT like `numberedPathsSql`. Rejects as the store does. */
  variants(entityType: string, options: StatementOptions): Promise<string>;
}

/** Questions that still run need one of the last few. */
const mostTables = 16;

interface KeptTable {
  readonly name: Promise<string>;
  /** Of the question for which it was made. */
  readonly signal: AbortSignal | undefined;
}

export function createSelections(store: StoreReader): Selections {
  const kept = new Map<string, KeptTable>();
  let made = 0;

  function begin(key: string, sql: () => Promise<string>, options: StatementOptions): KeptTable {
    made += 1;
    const name = `selection_${made}`;
    const create = async (): Promise<string> => {
      await store.run(`CREATE OR REPLACE TEMP TABLE ${name} AS ${await sql()}`, options);
      return `temp.${name}`;
    };
    const table = { name: create(), signal: options.signal };
    kept.set(key, table);
    table.name.catch(() => kept.delete(key));
    const [oldest] = kept;
    if (kept.size > mostTables && oldest) {
      kept.delete(oldest[0]);
      void oldest[1].name.then((old) => store.run(`DROP TABLE IF EXISTS ${old}`)).catch(() => undefined);
    }
    return table;
  }

  async function tableOf(key: string, sql: () => Promise<string>, options: StatementOptions): Promise<string> {
    const table = kept.get(key) ?? begin(key, sql, options);
    try {
      return await table.name;
    } catch (error) {
      // Another question, which began it, was cancelled.
      if (table.signal?.aborted && !options.signal?.aborted) return tableOf(key, sql, options);
      throw error;
    }
  }

  async function select(filter: GraphFilter, options: StatementOptions): Promise<EntityFilter> {
    const { entityType, ...conditions } = filter;
    if (Object.keys(conditions).length === 0) return readFilter(store, filter, options);
    const sql = async (): Promise<string> => {
      const condition = entityCondition(await readFilter(store, filter, options), 'e.id');
      return `SELECT e.id FROM entity AS e${condition === undefined ? '' : ` WHERE ${condition}`}`;
    };
    const table = await tableOf(JSON.stringify(filter), sql, options);
    return { ...(entityType !== undefined && { entityType }), chosen: `SELECT id FROM ${table}` };
  }

  return {
    select,
    selectOfType: async (filter, options) => ({ ...(await select(filter, options)), entityType: filter.entityType }),
    async variants(entityType, options) {
      const sql = async (): Promise<string> =>
        numberedPathsSql(entityType, (await judgedGraphTables(store, options)).hasCorrelations);
      return `SELECT * FROM ${await tableOf(`variants of ${entityType}`, sql, options)}`;
    },
  };
}
