import type { DataObject } from '../../catalog/catalog.ts';
import type { ScaffoldedElement } from '../source-kind.ts';

/**
 * A new graph's element for the audit trail, which contains changes of every table and must be filtered: state changes
 * of the first chosen table with a state.
 */
export function auditElement({ name }: DataObject, chosen: readonly DataObject[]): ScaffoldedElement | undefined {
  if (name !== 'sys_audit') return undefined;
  const audited = chosen.find(({ columns }) => columns.some((column) => column.name === 'state'));
  if (!audited) return undefined;
  return {
    activityName: `Change state of ${audited.name}`,
    dataObject: name,
    key: 'documentkey',
    entityType: audited.name,
    startTimestamp: 'sys_created_on',
    properties: ['oldvalue', 'newvalue', 'user'],
    where: `tablename = '${audited.name}' AND fieldname = 'state'`,
  };
}
