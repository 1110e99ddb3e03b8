import type { Catalog, DataObject } from '../../catalog/catalog.ts';
import type { Connector } from '../../connectors/connector.ts';
import { dialectNamed } from '../../dialects/index.ts';
import { nameWords, suggests } from '../../draft/name-words.ts';
import type { TableSample } from '../../draft/table-sample.ts';
import type { CompiledQuery } from '../../query/compiled-query.ts';
import { quotePath } from '../../query/quote.ts';

/** At most so many columns are counted over the whole file. */
const maxCounted = 5;
/** Least mean number of rows of a value that may be a case. */
const minPerCase = 1.5;
/** A column of a log has at least so many cases. */
const minCases = 20;

/** The query of the first rows of a file, with its result. */
interface FirstRows {
  readonly query: CompiledQuery;
  readonly sample: TableSample;
  readonly limit: number;
}

/**
 * Rows of complete cases from the whole of a long file, in order, if its first rows are misleading: in a log sorted by
 * activity, they have one activity and each case only once. Undefined if the first rows suffice.
 */
export async function sampleCases(
  connector: Connector,
  { dialect }: Pick<Catalog, 'dialect'>,
  { path, columns }: DataObject,
  { query, sample, limit }: FirstRows,
  signal: AbortSignal,
): Promise<TableSample | undefined> {
  const known = dialectNamed(dialect);
  const { quote } = known.identifiers;
  const names = columns.map(({ name }) => name).filter((name) => query.columns.includes(name) && caseRank(name) > 0);
  const candidates = names.toSorted((one, other) => caseRank(other) - caseRank(one)).slice(0, maxCounted);
  if (candidates.length === 0) return undefined;
  const from = quotePath(path, known);
  const counts = candidates.map((name) => `count(DISTINCT ${quote(name)})`);
  const labels = ['n', ...candidates.map((_, index) => `d${index + 1}`)];
  const counting = ['count(*)', ...counts].map((count, index) => `${count} AS ${labels[index] ?? ''}`);
  const ask = (sql: string, result: readonly string[], rows: number) =>
    connector.preview({ ...query, sql, columns: result }, { limit: rows, signal, keepCastFailures: true });
  const [row = []] = (await ask(`SELECT ${counting.join(', ')} FROM ${from}`, labels, 1)).rows;
  const [all = 0, ...distinct] = row.map(Number);
  const misread = candidates.find((name, index) => {
    const cases = distinct[index] ?? 0;
    return cases >= minCases && all / cases >= minPerCase && perValue(sample, name) < all / cases / 2;
  });
  if (misread === undefined) return undefined;
  // Hash values are hexadecimal, so a part of the values is below a limit of as many digits.
  const share = Math.max(1, Math.floor((limit / all) * 0xffff));
  const below = share.toString(16).padStart(4, '0');
  const where = `left(md5(CAST(${quote(misread)} AS VARCHAR)), 4) < '${below}'`;
  const { rows } = await ask(`${query.sql}\nWHERE ${where}`, query.columns, limit);
  return { columns: query.columns, rows, isWhole: false };
}

/** How strongly the name of a column suggests that it identifies cases; 0 for not at all. */
function caseRank(name: string): number {
  if (nameWords(name).includes('case')) return 3;
  if (suggests(name, 'caseLike')) return 2;
  return suggests(name, 'identifier') ? 1 : 0;
}

/** Rows for each value of a column in a sample. */
function perValue({ columns, rows }: TableSample, name: string): number {
  const index = columns.indexOf(name);
  const values = new Set(rows.map((row) => row[index] ?? null));
  return rows.length / Math.max(values.size, 1);
}
