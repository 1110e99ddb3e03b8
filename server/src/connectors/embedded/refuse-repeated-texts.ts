import type { CompiledQuery } from '../../query/compiled-query.ts';
import { quoteIdentifier } from '../../query/quote.ts';
import type { StagingDatabase } from '../../store/staging-database.ts';
import type { QueryColumn } from '../connector.ts';
import { SourceError } from '../source-error.ts';

/** A text of as many bytes may be too much if a join repeats it. */
const longText = 2_000_000;

/** DuckDB copies the values of up to 2,048 rows at a time, beyond its memory limit: five times as much was measured. */
const most = 500_000_000;

type Target = Pick<StagingDatabase, 'query'>;

/** A table or view that a query reads. */
export interface ReadTable {
  readonly dataObject: string;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
}

/**
 * Rejects with `source-failed` where a join repeats long texts until they take more memory than an import has. A text
 * that is there once is not in the way.
 */
export async function refuseRepeatedTexts(
  target: Target,
  query: CompiledQuery,
  reads: readonly ReadTable[],
  columns: readonly QueryColumn[],
): Promise<void> {
  if (!(await haveLongTexts(target, reads))) return;
  const lengths = columns.map((_, index) => `sum(strlen(CAST(c${index + 1} AS VARCHAR))) AS s${index + 1}`);
  const names = columns.map((_, index) => `c${index + 1}`);
  const sql = `SELECT count(*) AS n, ${lengths.join(', ')} FROM (\n${query.sql}\n) AS q(${names.join(', ')})`;
  // The query itself reports its errors, with their place.
  const [found = {}] = await target.query(sql).catch(() => []);
  const sizes = columns.map((column, index) => ({ column, size: Number(found[`s${index + 1}`] ?? 0) }));
  const [largest] = sizes.toSorted((one, other) => other.size - one.size);
  if (!largest || sizes.reduce((sum, { size }) => sum + size, 0) <= most) return;
  const megabytes = Math.round(largest.size / 1_000_000).toLocaleString('en');
  throw new SourceError(
    'source-failed',
    `The ${Number(found['n']).toLocaleString('en')} rows have ${megabytes} MB of text in ${largest.column.name}, because a join repeats long texts: that is more than an import holds in memory.`,
    { remedy: 'Leave the column out, or make it a property of an entry of entities, which has it once.' },
  );
}

/** Only where rows have as many bytes on average is it worth it to look for long texts. */
const longRow = 10_000;

/** Whether the rows of a file may have long texts, by its size in bytes. */
export function mayHaveLongTexts(size: number, rows: number): boolean {
  return size > longRow * Math.max(rows, 1);
}

/** The columns of a view. */
export async function readTable(target: Target, dataObject: string): Promise<ReadTable> {
  const rows = await target.query(`DESCRIBE ${quoteIdentifier(dataObject)}`);
  const columns = rows.map((row) => ({ name: String(row['column_name']), type: String(row['column_type']) }));
  return { dataObject, columns };
}

async function haveLongTexts(target: Target, reads: readonly ReadTable[]): Promise<boolean> {
  for (const { dataObject, columns } of reads) {
    const texts = columns.filter(({ type }) => type === 'VARCHAR' || type === 'JSON');
    if (texts.length === 0) continue;
    const longest = texts.map(({ name }) => `max(strlen(CAST(${quoteIdentifier(name)} AS VARCHAR)))`);
    const [found] = await target.query(
      `SELECT greatest(${longest.join(', ')}) AS longest FROM ${quoteIdentifier(dataObject)}`,
    );
    if (Number(found?.['longest'] ?? 0) > longText) return true;
  }
  return false;
}
