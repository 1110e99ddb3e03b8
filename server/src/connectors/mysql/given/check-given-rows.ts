import type { Column, DataObject } from '../../../catalog/catalog.ts';
import { mysql } from '../../../dialects/mysql.ts';
import type { GivenData } from '../../given/given-data.ts';
import { GivenRowsError } from '../../given/given-rows.ts';
import { givenTimeReader } from '../../given/given-time.ts';
import { rowsError } from '../../given/online/rows-error.ts';
import type { OperationOptions } from '../../connector.ts';
import type { Session } from '../session.ts';
import { givenText } from './given-table.ts';

/**
 * Compares the rows as read by the server with the given ones, because MariaDB converts an invalid number to 0. Rejects
 * with `GivenRowsError`.
 */
export async function checkGivenRows(
  session: Session,
  { name, columns }: DataObject,
  { objects, timeZone }: GivenData,
  body: string,
  { signal }: OperationOptions,
): Promise<void> {
  const { quote } = mysql.identifiers;
  const items = columns.map((column, index) => `CAST(${quote(column.name)} AS CHAR) AS ${quote(String(index))}`);
  const sql = `SELECT ${items.join(', ')} FROM (${body}) AS q`;
  const read = await session.rows<Readonly<Record<string, string | null>>>(sql, [], signal).catch((error: unknown) => {
    throw rowsError({ name }, error);
  });
  const times = givenTimeReader(timeZone);
  const rows = objects.find(({ dataObject }) => dataObject === name)?.rows ?? [];
  rows.forEach((row, at) => {
    columns.forEach((column, index) => {
      const value = row.get(column.name);
      if (!value || value.kind === 'null') return;
      const text = givenText(value, column, times);
      if (isSame(text, read[at]?.[index] ?? null, column)) return;
      throw new GivenRowsError(name, new Error(`${value.text} is no ${column.type} (${column.name})`));
    });
  });
}

function isSame(given: string, read: string | null, { sense, type }: Column): boolean {
  if (read === null) return false;
  switch (sense) {
    case 'integer':
      return given === read || (given.trim() !== '' && Number(given) === Number(read));
    case 'number': {
      const scale = Number(/,\s*(\d+)\)/.exec(type)?.[1] ?? 15);
      const [one, other] = [Number(given), Number(read)];
      // A decimal is rounded, and a float has seven digits.
      const mayDiffer = Math.max(10 ** -scale, Math.abs(one) * 1e-6);
      return given.trim() !== '' && Number.isFinite(one) && Math.abs(one - other) <= mayDiffer;
    }
    case 'timestamp':
    case 'date':
      return (
        Math.abs(Date.parse(`${given.replace(' ', 'T')}Z`) - Date.parse(`${read.replace(' ', 'T')}Z`)) < 1000 ||
        given === read
      );
    case 'text':
      return given.trimEnd() === read.trimEnd();
    default:
      return true;
  }
}
