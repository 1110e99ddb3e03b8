import type { Catalog } from '../../catalog/catalog.ts';
import type { Connector } from '../../connectors/connector.ts';
import { isSourceError } from '../../connectors/source-error.ts';
import { dialectNamed } from '../../dialects/index.ts';
import type { FoundInclusion } from '../../draft/inclusions.ts';
import { readTables } from '../../draft/read-tables.ts';
import { keyId } from '../../draft/record-key.ts';
import { inclusionId, undecidedInclusions } from '../../draft/references.ts';
import type { SourceCounts } from '../../draft/source-counts.ts';
import type { TableInput } from '../../draft/table-sample.ts';
import { quotePath } from '../../query/quote.ts';
import type { SampleOptions } from './read-samples.ts';

/** At most so many keys of a table are tried, and so many pairs of columns of a source are compared. */
const [maxKeys, maxPairs] = [6, 40];
/** Values of a column that are looked up in the other table. */
const maxValues = 10_000;
/** Tables with more rows are not counted: their samples have to suffice. */
const maxRows = 20_000_000;

/**
 * Asks the source where the sample of a table is not all of it, and nothing is declared: whether a key repeats, and which share
 * of the values of a column are keys of another table. A few read-only queries; none if all tables were read whole.
 */
export async function countKeys(
  connector: Connector,
  { dialect }: Pick<Catalog, 'dialect'>,
  inputs: readonly TableInput[],
  { signal, onProgress }: SampleOptions,
): Promise<SourceCounts> {
  const known = dialectNamed(dialect);
  const { quote } = known.identifiers;
  const timesOf = () => known.times;
  const repeated = new Set<string>();
  const shares = new Map<string, number>();
  const partial = inputs.filter(
    ({ object, sample }) => sample?.isWhole === false && (object.statistics.rowEstimate ?? 0) <= maxRows,
  );
  if (partial.length === 0) return { shares, repeated };

  const silent = new Set<string>();
  /** The cells of the first row; undefined if the source cannot answer. */
  const ask = async (
    sql: string,
    columns: readonly string[],
    dataObjects: readonly string[],
  ): Promise<readonly unknown[] | undefined> => {
    signal.throwIfAborted();
    // A view may be slow, or have no end: each question about it would take as long.
    if (dataObjects.some((name) => silent.has(name))) return undefined;
    const query = { dialect, sql, columns, dataObjects, fragments: [], references: [] };
    try {
      const { rows } = await connector.preview(query, { limit: 1, signal, keepCastFailures: true });
      return rows[0] ?? [];
    } catch (error) {
      if (signal.aborted || !isSourceError(error)) throw error;
      if (error.code === 'statement-timeout') for (const name of dataObjects) silent.add(name);
      return undefined;
    }
  };
  const hasRepeated = async (input: TableInput, columns: readonly string[]): Promise<boolean> => {
    const list = columns.map(quote).join(', ');
    const sql = `SELECT count(*) AS n FROM ${quotePath(input.object.path, known)} GROUP BY ${list} HAVING count(*) > 1`;
    return ((await ask(sql, ['n'], [nameOf(input)])) ?? []).length > 0;
  };
  const shareOf = async ({ table, columns, other, toColumns }: FoundInclusion): Promise<number | undefined> => {
    const [from, to] = [table.input.object, other.input.object];
    const select = (side: 'own' | 'key'): string =>
      columns
        .map((column, at) => {
          const target = toColumns[at] ?? column;
          const quoted = quote((side === 'own' ? column : target).name);
          const value = column.sense === target.sense ? quoted : known.types.firstCharacters(quoted, 200);
          return `${value} AS c${at}`;
        })
        .join(', ');
    const filled = columns.map(({ name }) => `${quote(name)} IS NOT NULL`).join(' AND ');
    const equal = columns.map((_, at) => `own.c${at} = other.c${at}`).join(' AND ');
    const sql =
      `SELECT count(*) AS n, count(other.c0) AS found\n` +
      `FROM (SELECT DISTINCT ${select('own')} FROM ${quotePath(from.path, known)} WHERE ${filled} LIMIT ${maxValues}) AS own\n` +
      `LEFT JOIN (SELECT DISTINCT ${select('key')} FROM ${quotePath(to.path, known)}) AS other ON ${equal}`;
    const [all = 0, found = 0] = (
      (await ask(sql, ['n', 'found'], [nameOf(table.input), nameOf(other.input)])) ?? []
    ).map(Number);
    return all > 0 ? found / all : undefined;
  };

  for (const input of partial) {
    for (let tried = 0; tried < maxKeys; tried++) {
      const key = readTables([input], [], timesOf, { shares, repeated })[0]?.key;
      if (!key || key.isDeclared) break;
      onProgress?.(input.object.name);
      if (!(await hasRepeated(input, key.columns))) break;
      repeated.add(keyId(input.object.name, key.columns));
    }
  }
  const readings = readTables(inputs, [], timesOf, { shares, repeated });
  for (const inclusion of undecidedInclusions(readings).slice(0, maxPairs)) {
    onProgress?.(inclusion.table.input.object.name);
    const share = await shareOf(inclusion);
    if (share !== undefined) shares.set(inclusionId(inclusion), share);
  }
  return { shares, repeated };
}

/** The name in the data source. */
function nameOf({ object, place }: TableInput): string {
  return place?.name ?? object.name;
}
