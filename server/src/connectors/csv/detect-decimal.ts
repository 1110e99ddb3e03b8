import type { DuckDbSession } from '../../store/duckdb-store.ts';
import { askColumns } from './ask-columns.ts';
import type { PlanColumn } from './plan-types.ts';

/**
 * Whether the numbers of a file with other delimiters than commas are written with a decimal comma: some column has only
 * such numbers, and none has numbers with a decimal point. `1,234` and `1.234` alone may be thousands, and numbers with
 * uneven fractions that end in zero may be lists of two numbers: they decide nothing.
 * @param columns as detected with a decimal point
 * @param texts SQL of the sampled rows, all columns as texts, that can stand after FROM
 */
export async function hasDecimalComma(
  session: DuckDbSession,
  columns: readonly PlanColumn[],
  texts: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const withPoint = columns.filter(({ type }) => type === 'DOUBLE' || type.startsWith('DECIMAL'));
  const withComma = columns.filter(({ type }) => type === 'VARCHAR');
  if (withComma.length === 0) return false;
  const points = await askColumns(session, texts, questions(withPoint, hasPoint), signal);
  if ([...points.values()].includes(true)) return false;
  const commas = await askColumns(session, texts, questions(withComma, hasOnlyCommas), signal);
  return [...commas.values()].includes(true);
}

function questions(columns: readonly PlanColumn[], aggregate: (text: string) => string) {
  return columns.map((column) => ({ column, aggregate }));
}

const hasPoint = (text: string): string =>
  String.raw`bool_or(contains(${text}, '.') AND NOT regexp_full_match(${text}, '\s*-?[1-9][0-9]{0,2}([.][0-9]{3})+\s*'))`;

const hasOnlyCommas = (text: string): string => {
  const fraction = `CASE WHEN contains(${text}, ',') THEN trim(split_part(${text}, ',', 2)) END`;
  return String.raw`bool_and(${text} IS NULL OR regexp_full_match(${text}, '\s*-?(0|[1-9][0-9]*)(,[0-9]+)?\s*'))
  AND bool_or(contains(${text}, ',') AND NOT regexp_full_match(${text}, '\s*-?[1-9][0-9]{0,2},[0-9]{3}\s*'))
  AND (min(strlen(${fraction})) = max(strlen(${fraction})) OR NOT bool_or(ends_with(${fraction}, '0')))`;
};
