import { quoteIdentifier } from '../../query/quote.ts';
import type { DuckDbSession } from '../../store/duckdb-store.ts';
import { isMadeOfText, tryValueSql } from './cell-values.ts';
import type { CsvPlan, JsonPlan, PlanColumn } from './plan-types.ts';

/** Columns of the same names whose values are texts. */
export function asTexts(columns: readonly PlanColumn[]): readonly PlanColumn[] {
  return columns.map(({ name }) => ({ name, type: 'VARCHAR' }));
}

/** Times have a zone when their format has one. */
export function inFormat(column: PlanColumn, { timestampFormat }: Pick<CsvPlan, 'timestampFormat'>): PlanColumn {
  const isTime = column.type === 'TIMESTAMP' || column.type === 'TIMESTAMP WITH TIME ZONE';
  if (timestampFormat === undefined || !isTime || column.isIso) return column;
  const isZoned = /%[zZ]/.test(timestampFormat);
  return { ...column, type: isZoned ? 'TIMESTAMP WITH TIME ZONE' : 'TIMESTAMP' };
}

/** Rows whose texts are looked at. */
const lookedAt = 20_480;

/**
 * The columns of a plan with types that lose nothing of the texts at the beginning of the file, where DuckDB takes them for something else.
 *
 * @param texts the reader of the file, all columns as texts
 */
export async function correctedTypes(
  session: DuckDbSession,
  texts: string,
  plan: CsvPlan | JsonPlan,
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
  const [found = {}] = await session.query(sql, { ...(signal && { signal }) });
  return plan.columns.map((column) => {
    const test = tests.find((each) => each.column === column);
    return test ? test.suspicion.correct(column, found[test.name], plan) : column;
  });
}

/** A type that DuckDB finds, and what texts tell of it. */
interface Suspicion {
  readonly isSuspect: (column: PlanColumn, plan: CsvPlan | JsonPlan) => boolean;
  /** SQL of an aggregate over the texts of the column. */
  readonly finding: (text: string, column: PlanColumn, plan: CsvPlan | JsonPlan) => string;
  readonly correct: (column: PlanColumn, finding: unknown, plan: CsvPlan | JsonPlan) => PlanColumn;
}

const zoned = 'TIMESTAMP WITH TIME ZONE';

const suspicions: readonly Suspicion[] = [
  {
    // Times are zoned ones to DuckDB where the format given fits another column, and never are in JSON. Texts keep what each of them says.
    isSuspect: ({ type }, { kind }) => type === zoned || (kind === 'json' && type === 'TIMESTAMP'),
    finding: (text) => `list(DISTINCT time_with_zone(${text}) IS NOT NULL)`,
    correct({ name }, found, plan) {
      const kinds = JSON.parse(String(found ?? '[]')) as readonly boolean[];
      if (kinds.length > 1) return { name, type: 'VARCHAR' };
      const isIso = plan.timestampFormat !== undefined && plan.kind === 'csv';
      return { name, type: kinds[0] === true ? zoned : 'TIMESTAMP', ...(isIso && { isIso }) };
    },
  },
  {
    // Integers beyond 64 bits are floating-point numbers to DuckDB, the word `epoch` is a date, and one format of dates is enough for it.
    isSuspect: (column, plan) => isMadeOfText(column, plan),
    finding: (text, column, plan) => `bool_or(${tryValueSql(text, column, plan)} IS NULL)`,
    correct: (column, isLossy) => (isLossy === true ? { name: column.name, type: 'VARCHAR' } : column),
  },
];
