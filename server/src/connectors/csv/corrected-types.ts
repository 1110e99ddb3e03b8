import { quoteIdentifier } from '../../query/quote.ts';
import type { DuckDbSession } from '../../store/duckdb-store.ts';
import { isMadeOfText, tryValueSql } from './cell-values.ts';
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
const lookedAt = 20_480;

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
  const tests = plan.columns.flatMap((column, index) => {
    const suspicion = suspicions.find(({ isSuspect }) => isSuspect(column, plan));
    return suspicion ? [{ column, suspicion, name: `t${index}` }] : [];
  });
  if (tests.length === 0) return plan.columns;
  const findings = tests.map(({ column, suspicion, name }) => {
    const text = quoteIdentifier(column.name);
    return `${suspicion.finding(text, column, plan)} FILTER (${text} IS NOT NULL) AS ${name}`;
  });
  const sql = `SELECT ${findings.join(', ')} FROM (SELECT * FROM ${texts} LIMIT ${lookedAt})`;
  const [found = {}] = await session.query(sql, { signal });
  return plan.columns.map((column) => {
    const test = tests.find((each) => each.column === column);
    return test ? test.suspicion.correct(column, found[test.name], plan) : column;
  });
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
    finding: (text) => `list(DISTINCT time_with_zone(${text}) IS NOT NULL)`,
    correct({ name }, found, plan) {
      const kinds = JSON.parse(String(found ?? '[]')) as readonly boolean[];
      if (kinds.length > 1) return { name, type: 'VARCHAR' };
      const isIso = plan.timestampFormat !== undefined;
      return { name, type: kinds[0] === true ? zoned : 'TIMESTAMP', ...(isIso && { isIso }) };
    },
  },
  {
    // DuckDB reads integers beyond 64 bits as floating-point numbers, the word `epoch` as a date, and supports one date
    // format only.
    isSuspect: (column, plan) => isMadeOfText(column, plan),
    finding: (text, column, plan) => `bool_or(${tryValueSql(text, column, plan)} IS NULL)`,
    correct: (column, isLossy) => (isLossy === true ? { name: column.name, type: 'VARCHAR' } : column),
  },
];
