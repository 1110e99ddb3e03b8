import type { OperationOptions } from '../connector.ts';
import { executed } from './error-position.ts';
import type { Session } from './session.ts';
import { plainTime } from './time-text.ts';

/** The rows of a statement that we made. @param options with `mayWrite`, it is sent once */
export async function records(
  session: Session,
  sql: string,
  options: OperationOptions & { readonly mayWrite?: boolean },
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const found: Record<string, unknown>[] = [];
  for await (const { columns, rows } of session.pages(executed(sql), options)) {
    for (const row of rows)
      found.push(Object.fromEntries(columns.map(({ name, type }, index) => [name, cell(row[index], type)])));
  }
  return found;
}

/** Times as other engines print them: without zeros at the end of the fraction. */
function cell(value: unknown, type: string): unknown {
  if (typeof value !== 'string' || !type.startsWith('timestamp')) return value;
  return plainTime(value, (date, clock) => `${date}${clock} BC`)
    .replace(/\.?0+$(?<=\.\d*)/, '')
    .replace(/\.$/, '');
}
