import type { ObjectRead } from '../../../query/compiled-query.ts';
import { SourceError } from '../../source-error.ts';
import { translateFilters } from './translate-filters.ts';

/** Indexed columns of the audit trail that identify the changed table. */
const narrowing = /^(?:tablename|documentkey)(?:=|IN|STARTSWITH)/;

/** Whether a table is the audit trail. */
export function isTrail(table: string): boolean {
  return table === 'sys_audit';
}

/**
 * The audit trail contains changes of every table and cannot be read as a whole, so every read needs a filter on
 * tables. Throws `source-config` without one.
 */
export function checkAuditFilter({ dataObject, columns, filters, keys }: ObjectRead): void {
  if (!isTrail(dataObject) || keys) return;
  const { branches } = translateFilters(filters, dataObject, columns);
  // A condition connected by OR does not narrow the result.
  const isNarrow = (branch: string): boolean =>
    branch.split(/(?<!\^)\^(?!\^|OR)/).some((group) => group.split('^OR').every((term) => narrowing.test(term)));
  if (branches.length > 0 && branches.every(isNarrow)) return;
  throw new SourceError('source-config', 'sys_audit holds the changes of every table, too many to read.', {
    remedy:
      "Say in where of each element that reads it which ones are wanted, such as: tablename = 'incident' AND fieldname = 'state'.",
  });
}
