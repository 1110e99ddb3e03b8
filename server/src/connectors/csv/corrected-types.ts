import type { DuckDbSession } from '../../store/duckdb-store.ts';
import { askColumns } from './ask-columns.ts';
import { isMadeOfText, numberText, tryValueSql } from './cell-values.ts';
import { type NumberDigits, numberDigits, numberDigitsSql, numberType } from './exact-numbers.ts';
import type { CsvPlan, PlanColumn } from './plan-types.ts';

/** The same columns with their values as texts. */
export function asTexts(columns: readonly PlanColumn[]): readonly PlanColumn[] {
  return columns.map(({ name, field }) => ({ name, type: 'VARCHAR', ...(field !== undefined && { field }) }));
}

/** Times have a zone if their format has one. */
export function inFormat(column: PlanColumn, { timestampFormat }: Pick<CsvPlan, 'timestampFormat'>): PlanColumn {
  const isTime = column.type === 'TIMESTAMP' || column.type === 'TIMESTAMP WITH TIME ZONE';
  if (timestampFormat === undefined || !isTime || column.isIso) return column;
  const isZoned = /%[zZ]/.test(timestampFormat);
  return { ...column, type: isZoned ? 'TIMESTAMP WITH TIME ZONE' : 'TIMESTAMP' };
}

/** Number of sampled rows. */
export const lookedAt = 20_480;

/**
 * Corrects detected column types that would lose information of the sampled texts.
 * @param texts the reader of the file, all columns as texts
 */
export async function correctedTypes(
  session: DuckDbSession,
  texts: string,
  plan: CsvPlan,
  signal: AbortSignal | undefined,
): Promise<readonly PlanColumn[]> {
  const tests = plan.columns.flatMap((column) => {
    const suspicion = suspicions.find(({ isSuspect }) => isSuspect(column, plan));
    return suspicion ? [{ column, suspicion, aggregate: (text: string) => suspicion.finding(text, column, plan) }] : [];
  });
  if (tests.length === 0) return plan.columns;
  const sample = `(SELECT * FROM ${texts} LIMIT ${lookedAt})`;
  const found = await askColumns(session, sample, tests, signal);
  const corrected = new Map(
    tests.map(({ column, suspicion }) => [column, suspicion.correct(column, found.get(column), plan)]),
  );
  const numbers = plan.columns.filter(
    (column) => column.type === 'DOUBLE' && corrected.get(column)?.type === 'VARCHAR',
  );
  if (numbers.length > 0) {
    const tests = numbers.map((column) => ({
      column,
      aggregate: (text: string) => numberDigitsSql(numberText(text, plan)),
    }));
    const digits = await askColumns(session, sample, tests, signal);
    for (const column of numbers) {
      corrected.set(column, numberColumn(column.name, numberDigits(digits.get(column))));
    }
  }
  return plan.columns.map((column) => corrected.get(column) ?? column);
}

/** A column of numbers, or of texts, with the reason if they are numbers. */
export function numberColumn(name: string, digits: NumberDigits): PlanColumn {
  const type = numberType(digits);
  return type === undefined
    ? { name, type: 'VARCHAR', ...(digits.areNumbers && { keepsDigits: true }) }
    : { name, type };
}

/** A type detected by DuckDB, and tests of the texts. */
interface Suspicion {
  readonly isSuspect: (column: PlanColumn, plan: CsvPlan) => boolean;
  /** SQL of an aggregate over the texts of the column. */
  readonly finding: (text: string, column: PlanColumn, plan: CsvPlan) => string;
  readonly correct: (column: PlanColumn, finding: unknown, plan: CsvPlan) => PlanColumn;
}

const zoned = 'TIMESTAMP WITH TIME ZONE';

const suspicions: readonly Suspicion[] = [
  {
    // DuckDB makes times zoned when the given format fits another column. Texts keep the offset of each value.
    isSuspect: ({ type }) => type === zoned,
    finding: (text) =>
      `list(DISTINCT CASE WHEN ${text} IS NULL THEN NULL WHEN time_with_zone(${text}) IS NOT NULL THEN 'zoned' WHEN time_without_zone(${text}) IS NOT NULL THEN 'plain' ELSE 'text' END)`,
    correct({ name }, found, plan) {
      const kinds = (JSON.parse(String(found ?? '[]')) as readonly (string | null)[]).filter((kind) => kind !== null);
      if (kinds.length > 1 || kinds[0] === 'text') return { name, type: 'VARCHAR' };
      const isIso = plan.timestampFormat !== undefined;
      return { name, type: kinds[0] === 'zoned' ? zoned : 'TIMESTAMP', ...(isIso && { isIso }) };
    },
  },
  {
    // DuckDB reads numbers with more digits than a DOUBLE has, other notations of numbers and booleans, the word `epoch`
    // as a date, and supports one date format only.
    isSuspect: (column, plan) => isMadeOfText(column, plan),
    finding: (text, column, plan) => `bool_or(${text} IS NOT NULL AND ${tryValueSql(text, column, plan)} IS NULL)`,
    correct: (column, isLossy) => (isLossy === true ? { name: column.name, type: 'VARCHAR' } : column),
  },
];
