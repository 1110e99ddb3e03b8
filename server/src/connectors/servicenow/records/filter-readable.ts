import type { ObjectRead } from '../../../query/compiled-query.ts';
import type { ReadOptions } from '../../fetched/record-source.ts';
import { retryWithHalfSize } from './retry-with-half-size.ts';
import type { CallOptions } from '../api/call-platform.ts';
import type { ServiceNowClient } from '../api/client.ts';
import type { ServiceNowConfig } from '../read-settings.ts';
import { filterColumns, unreadableFilter } from './read-fields.ts';
import { fieldOf } from './record-cells.ts';

/** Number of records examined to see whether a field is readable. */
const looked = 10;

/**
 * Some instances select nothing for a condition on an unreadable field. Throws `permission-denied` if no record of an
 * unfiltered query has the field.
 */
export async function checkFilterReadable(
  { displayValue }: ServiceNowConfig,
  { tables }: ServiceNowClient,
  read: ObjectRead,
  { onWarning, ...options }: CallOptions & Pick<ReadOptions, 'onWarning'>,
): Promise<void> {
  const columns = filterColumns(read);
  if (columns.length === 0) return;
  const names = columns.map((column) => fieldOf(column, displayValue));
  const parameters = { fields: ['sys_id', ...names], excludeReferenceLink: true, noCount: true };
  const page = await retryWithHalfSize(looked, (limit) =>
    tables.list(read.dataObject, { ...parameters, limit }, options),
  );
  if (!page) {
    onWarning(
      `No record of ${read.dataObject} meets where. Whether the user may read what it filters by is not known: the instance cancels the query that tells.`,
    );
    return;
  }
  // Unreadable records may arrive as empty ones.
  const readable = page.records.filter((record) => Object.keys(record).length > 0);
  const unreadable = columns.find((_, index) => readable.every((record) => !((names[index] ?? '') in record)));
  if (readable.length > 0 && unreadable) throw unreadableFilter(read, unreadable);
}
