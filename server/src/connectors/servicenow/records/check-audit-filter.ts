import type { ObjectRead } from '../../../query/compiled-query.ts';
import { translateFilters } from '../../../query/servicenow-filter.ts';
import { SourceError } from '../../source-error.ts';

/** The columns of the trail that it is indexed by and that tell whose changes are wanted. */
const narrowing = /^(?:tablename|documentkey)(?:=|IN|STARTSWITH)/;

/** Whether a table is the audit trail. */
export function isTrail(table: string): boolean {
  return table === 'sys_audit';
}

/**
 * The audit trail holds the changes of every table, more than an instance can hand out: an import has to say whose it wants.
 * Throws `source-config` when a place that reads it does not.
 */
export function checkAuditFilter({ dataObject, columns, filters, keys }: ObjectRead): void {
  if (!isTrail(dataObject) || keys) return;
  const { branches } = translateFilters(filters, dataObject, columns);
  // A condition that OR joins to the one before it narrows nothing by itself.
  const isNarrow = (branch: string): boolean =>
    branch.split(/(?<!\^)\^(?!\^|OR)/).some((group) => group.split('^OR').every((term) => narrowing.test(term)));
  if (branches.length > 0 && branches.every(isNarrow)) return;
  throw new SourceError('source-config', 'sys_audit holds the changes of every table, too many to read.', {
    remedy:
      "Say in where of each element that reads it which ones are wanted, such as: tablename = 'incident' AND fieldname = 'state'.",
  });
}
