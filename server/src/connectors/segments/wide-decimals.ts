import { quoteIdentifier } from '../../query/quote.ts';
import type { StagingDatabase } from '../../store/staging-database.ts';
import type { StagedColumn } from '../connector.ts';

interface LoadedTable {
  readonly staging: StagingDatabase;
  readonly table: string;
  readonly signal: AbortSignal | undefined;
}

interface DescribedTable extends LoadedTable {
  /** As described before the load. Each is a text in the table, or a decimal of an earlier load. */
  readonly columns: readonly StagedColumn[];
}

/** Digits of the widest decimal of DuckDB. */
const widest = 38;

/**
 * Decimals that may have more than 38 digits, such as those of `sum(price * amount)`, are loaded as texts. A column
 * whose numbers have fewer digits becomes one of decimals; others get a warning. Resolves to the columns.
 */
export async function narrowWideDecimals({
  staging,
  table,
  columns,
  signal,
}: DescribedTable): Promise<{ readonly columns: readonly StagedColumn[]; readonly warnings: readonly string[] }> {
  const narrowed: StagedColumn[] = [];
  const warnings: string[] = [];
  for (const column of columns) {
    const digits = isWide(column) ? await digitsOf(column.stagedAs, { staging, table, signal }) : undefined;
    const type = digits ? fittingType(column, digits) : column.stagedType;
    if (type === undefined) {
      warnings.push(
        digits?.noNumber !== undefined
          ? `${column.name} has ${digits.noNumber}, which decimals of DuckDB cannot hold: its numbers are texts in the graph.`
          : `${column.name} is a ${column.type} with numbers of more than ${widest} digits, which are texts in the graph: CAST it to a DECIMAL of ${widest} digits to compare numbers.`,
      );
    } else if (digits && type !== digits.type) {
      await changeType({ staging, table, signal }, column.stagedAs, type);
    }
    narrowed.push(type === undefined ? column : { ...column, stagedType: type });
  }
  return { columns: narrowed, warnings };
}

/** The statements of `narrowWideDecimals`, for a plan. */
export function narrowingSteps({
  table,
  columns,
}: Pick<DescribedTable, 'table' | 'columns'>): readonly { readonly title: string; readonly sql: string }[] {
  return columns.filter(isWide).flatMap(({ name, stagedAs }) => [
    { title: `In DuckDB: the digits of ${name}`, sql: digitsSql(table, stagedAs) },
    {
      title: `If its numbers fit: ${name} becomes a decimal`,
      sql: typeSql(table, stagedAs, `DECIMAL(${widest},…)`),
    },
  ]);
}

/** Whether a column is described as a text because its numbers may have more digits than a decimal. */
export function isWide({ sense, stagedType }: StagedColumn): boolean {
  return sense === 'number' && stagedType === 'VARCHAR';
}

/**
 * Gives a text column of numbers the type of an earlier load. Resolves to whether it holds all of its numbers; if not,
 * the column stays as it is.
 */
export async function takesDecimal(table: LoadedTable, stagedAs: string, type: string): Promise<boolean> {
  const [, scale] = /^DECIMAL\(38,(\d+)\)$/.exec(type) ?? [];
  if (scale === undefined) return type === 'VARCHAR';
  const digits = await digitsOf(stagedAs, table);
  if (digits.noNumber !== undefined || digits.scale > Number(scale) || digits.whole > widest - Number(scale))
    return false;
  await changeType(table, stagedAs, type);
  return true;
}

interface Digits {
  /** Digits before the point, and behind it without zeros at the end. */
  readonly whole: number;
  readonly scale: number;
  /** A NaN or infinity. */
  readonly noNumber: string | undefined;
  /** The type of the column in the table. Undefined without rows. */
  readonly type: string | undefined;
}

async function digitsOf(stagedAs: string, { staging, table, signal }: LoadedTable): Promise<Digits> {
  const [row] = await staging.query(digitsSql(table, stagedAs), { signal });
  return {
    whole: Number(row?.['whole'] ?? 0),
    scale: Number(row?.['scale'] ?? 0),
    noNumber: textOf(row?.['other']),
    type: textOf(row?.['type']),
  };
}

function digitsSql(table: string, stagedAs: string): string {
  const text = `${stagedAs}::VARCHAR`;
  return `SELECT max(length(regexp_extract(${text}, '^-?0*([0-9]*)', 1))) AS whole,
       max(length(rtrim(split_part(${text}, '.', 2), '0'))) AS scale,
       max(${text}) FILTER (NOT regexp_full_match(${text}, '-?[0-9.]+')) AS other, max(typeof(${stagedAs})) AS type FROM ${quoteIdentifier(table)}`;
}

function typeSql(table: string, stagedAs: string, type: string): string {
  return `ALTER TABLE ${quoteIdentifier(table)} ALTER ${stagedAs} TYPE ${type}`;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The scale is that of the type, if it has one and the digits before the point leave as many. */
function fittingType({ type }: StagedColumn, { whole, scale, noNumber }: Digits): string | undefined {
  if (noNumber !== undefined || whole + scale > widest) return undefined;
  const [, declared] = /,\s*(\d+)\)/.exec(type) ?? [];
  return `DECIMAL(${widest},${Math.min(Number(declared ?? scale), widest - whole)})`;
}

async function changeType({ staging, table, signal }: LoadedTable, stagedAs: string, type: string): Promise<void> {
  await staging.run(typeSql(table, stagedAs, type), { signal });
}
