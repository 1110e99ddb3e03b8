import { quoteIdentifier } from '../../query/quote.ts';
import type { StagingDatabase } from '../../store/staging-database.ts';
import type { StagedColumn } from '../connector.ts';

interface LoadedTable {
  readonly staging: StagingDatabase;
  readonly table: string;
  readonly columns: readonly StagedColumn[];
  readonly signal: AbortSignal | undefined;
}

/** Digits of the widest decimal of DuckDB. */
const widest = 38;

/**
 * Decimals of more than 38 digits, such as those of `sum(price * amount)`, are loaded as texts. A column whose numbers
 * have fewer digits becomes one of decimals; others get a warning. Resolves to the columns.
 */
export async function narrowWideDecimals({
  staging,
  table,
  columns,
  signal,
}: LoadedTable): Promise<{ readonly columns: readonly StagedColumn[]; readonly warnings: readonly string[] }> {
  const narrowed: StagedColumn[] = [];
  const warnings: string[] = [];
  for (const column of columns) {
    const type = isWide(column) ? await fittingType(column) : column.stagedType;
    if (type === undefined) {
      warnings.push(
        `${column.name} is a ${column.type} with numbers of more than ${widest} digits, which are texts in the graph: CAST it to a DECIMAL of ${widest} digits to compare numbers.`,
      );
    } else if (type !== column.stagedType) {
      const sql = `ALTER TABLE ${quoteIdentifier(table)} ALTER ${column.stagedAs} TYPE ${type}`;
      await staging.run(sql, { signal });
    }
    narrowed.push(type === undefined ? column : { ...column, stagedType: type });
  }
  return { columns: narrowed, warnings };

  async function fittingType({ stagedAs, type }: StagedColumn): Promise<string | undefined> {
    const [row] = await staging.query(
      `SELECT max(length(regexp_extract(${stagedAs}, '^-?0*([0-9]*)', 1))) AS whole,
         max(length(rtrim(split_part(${stagedAs}, '.', 2), '0'))) AS scale FROM ${quoteIdentifier(table)}`,
      { signal },
    );
    const [whole, scale] = [Number(row?.['whole'] ?? 0), Number(row?.['scale'] ?? 0)];
    if (whole + scale > widest) return undefined;
    const [, declared] = /,\s*(\d+)\)/.exec(type) ?? [];
    return `DECIMAL(${widest},${Math.min(Number(declared ?? 0), widest - whole)})`;
  }
}

function isWide({ sense, stagedType }: StagedColumn): boolean {
  return sense === 'number' && stagedType === 'VARCHAR';
}
