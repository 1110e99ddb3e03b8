import type { Connector, LoadOptions, LoadResult, Pull } from '../../connectors/connector.ts';
import type { ImportSource } from '../../import/import-source.ts';
import type { CompiledQuery } from '../../query/compiled-query.ts';
import type { JointQuery } from '../../query/joint-query.ts';
import { quoteIdentifier } from '../../query/quote.ts';
import type { StagingDatabase } from '../../store/staging-database.ts';

/**
 * Makes several builds read equal queries of a source once: what the first build has read counts as unchanged for all
 * later ones, whatever happens to the data meanwhile.
 */
export interface SharedRead {
  source(source: ImportSource): ImportSource;
  /** Whether a build has read a query, or begun to. */
  hasAsked(dataSource: string, query: CompiledQuery): boolean;
  /** Reads several queries of a data source in one, from now on. */
  join(dataSource: string, joint: JointQuery): void;
  /** A joint query has failed, so that the build that read it has, too; from now on, each query is read alone. */
  readonly hasFailed: boolean;
}

/** @param run no fingerprint of a source is equal to it */
export function createSharedRead(run: string): SharedRead {
  const fingerprints = new Map<string, string>();
  const joints = new Map<string, JointQuery>();
  let hasFailed = false;
  const keyOf = (source: string, { sql, zones }: CompiledQuery): string => JSON.stringify([source, sql, zones]);
  const sharedPull = (pull: Pull, source: string, staging: StagingDatabase): Pull => {
    /** Tables with the rows of queries that were read in a joint one and not asked for yet. */
    const divided = new Map<string, DividedRows>();
    let tables = 0;
    const loadJoint = async (joint: JointQuery, options: LoadOptions): Promise<void> => {
      const table = `joint_${(tables += 1)}`;
      const loaded = await pull.load(joint.query, table, options).catch((error: unknown) => {
        hasFailed = true;
        throw error;
      });
      for (const part of joint.parts) {
        const name = `joint_${(tables += 1)}`;
        divided.set(keyOf(source, part.of), await divide(staging, { table, loaded, part, name }, options));
      }
      await staging.run(`DROP TABLE ${quoteIdentifier(table)}`);
    };
    return {
      ...pull,
      async fingerprint(query, options) {
        const key = keyOf(source, query);
        const known = fingerprints.get(key) ?? (await pull.fingerprint?.(query, options)) ?? run;
        fingerprints.set(key, known);
        return known;
      },
      async load(query, table, { cached: _, ...options }) {
        const key = keyOf(source, query);
        const joint = hasFailed || options.sample !== undefined ? undefined : joints.get(key);
        if (joint && !divided.has(key)) await loadJoint(joint, options);
        const rows = divided.get(key);
        divided.delete(key);
        if (rows) {
          await staging.run(`ALTER TABLE ${quoteIdentifier(rows.table)} RENAME TO ${quoteIdentifier(table)}`);
          return rows.loaded;
        }
        // Marks would have a later build ask for newer rows.
        const { marks: __, ...loaded } = await pull.load(query, table, options);
        return loaded;
      },
    };
  };
  return {
    source: (source) => {
      const { connector, name } = source;
      const openPull: Connector['openPull'] = async (staging, options) =>
        sharedPull(await connector.openPull(staging, options), name, staging);
      return { ...source, connector: { ...connector, openPull } };
    },
    hasAsked: (source, query) => fingerprints.has(keyOf(source, query)),
    join(source, joint) {
      for (const { of } of joint.parts) joints.set(keyOf(source, of), joint);
    },
    get hasFailed() {
      return hasFailed;
    },
  };
}

interface DividedRows {
  readonly table: string;
  readonly loaded: LoadResult;
}

/** The rows of one query of a joint one, as a table with its columns in its order. */
async function divide(
  staging: StagingDatabase,
  {
    table,
    loaded: { columns, warnings },
    part,
    name,
  }: {
    readonly table: string;
    readonly loaded: LoadResult;
    readonly part: JointQuery['parts'][number];
    readonly name: string;
  },
  { signal }: LoadOptions,
): Promise<DividedRows> {
  const stagedOf = (place: number): LoadResult['columns'][number] => {
    const column = columns[place];
    if (!column) throw new Error('A joint query has lost a column.');
    return column;
  };
  const own = part.columns.map((place, index) => ({ from: stagedOf(place).stagedAs, as: `c${index + 1}`, place }));
  const list = own.map(({ from, as }) => `${from} AS ${as}`).join(', ');
  await staging.run(
    `CREATE TABLE ${quoteIdentifier(name)} AS SELECT ${list} FROM ${quoteIdentifier(table)} WHERE ${stagedOf(part.flag).stagedAs} = 1`,
    { signal },
  );
  const [count] = await staging.query(`SELECT count(*) AS rows FROM ${quoteIdentifier(name)}`);
  return {
    table: name,
    loaded: {
      sourceRows: Number(count?.['rows']),
      columns: own.map(({ as, place }) => ({ ...stagedOf(place), stagedAs: as })),
      warnings,
    },
  };
}
