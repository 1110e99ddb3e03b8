import type { TestQueryResult } from '../../../protocol/query-results.ts';
import { t } from '../ui/translate.ts';

export type CellValue = TestQueryResult['rows'][number][number];

/** A value as it is read, and as it is copied. */
export function cellText(value: CellValue | undefined): string {
  return value === null || value === undefined ? 'NULL' : String(value);
}

const numericTypes =
  /^(u?(tiny|small|big|huge)?int(eger)?\d*|serial|numeric|decimal|number|real|double|float\d*|money)\b/i;

/** Whether values of a type stand at the right, digit under digit. */
export function isNumericType(type: string): boolean {
  return numericTypes.test(type) && !type.endsWith('[]');
}

/** Such as `3 nulls`; a column without any says so too, as that is what a key or a timestamp needs. */
export function nullsText(nulls: number, rows: number): string {
  if (nulls === 0) return t('no nulls');
  if (nulls === rows) return t('all null');
  return nulls === 1 ? t('1 null') : t('{0} nulls', nulls.toLocaleString('en'));
}
