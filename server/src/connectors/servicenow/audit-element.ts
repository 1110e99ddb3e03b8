import type { DataObject } from '../../catalog/catalog.ts';
import { embeddedLiteral } from '../../query/quote.ts';
import type { ScaffoldedElement } from '../source-kind.ts';

/**
 * The element of the audit trail, which holds the changes of every table, more than an import may read: state changes of the first
 * of the chosen tables that has a state. Database views and endpoints have no audit trail.
 */
export function auditElement({ name }: DataObject, chosen: readonly DataObject[]): ScaffoldedElement | undefined {
  if (name !== 'sys_audit') return undefined;
  const audited = chosen.find(
    ({ kind, columns }) => kind === 'table' && columns.some((column) => column.name === 'state'),
  );
  if (!audited) return undefined;
  return {
    activityName: `Change state of ${audited.name}`,
    dataObject: name,
    key: 'documentkey',
    entityType: audited.name,
    startTimestamp: 'sys_created_on',
    properties: ['oldvalue', 'newvalue', 'user'],
    where: `tablename = ${embeddedLiteral(audited.name)} AND fieldname = 'state'`,
  };
}
