import type { TestQueryResult } from '../../../protocol/query-results.ts';
import { t } from '../ui/translate.ts';

export type CellValue = TestQueryResult['rows'][number][number];

/** A value as displayed and copied. */
export function cellText(value: CellValue | undefined): string {
  return value === null || value === undefined ? 'NULL' : String(value);
}

const numericTypes =
  /^(u?(tiny|small|big|huge)?int(eger)?\d*|serial|numeric|decimal|number|real|double|float\d*|money)\b/i;

/** Whether values of a type are right-aligned. */
export function isNumericType(type: string): boolean {
  return numericTypes.test(type) && !type.endsWith('[]');
}

/** Such as `3 nulls`; zero is shown too, because it matters for keys and timestamps. */
export function nullsText(nulls: number, rows: number): string {
  if (nulls === 0) return t('no nulls');
  if (nulls === rows) return t('all null');
  return nulls === 1 ? t('1 null') : t('{0} nulls', nulls.toLocaleString('en'));
}
