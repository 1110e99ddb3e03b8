import type { QueryColumn } from '../connectors/connector.ts';
import { isTimeColumn } from './build/utc-time.ts';
import { ImportError } from './import-error.ts';
import type { ElementPlan } from './plan-import.ts';

/** Refuses an element whose start or change timestamp is of a type that holds no time, before any row is read. */
export function checkTimeColumns(plan: ElementPlan, columns: readonly QueryColumn[]): void {
  const { roles, columns: names } = plan.query;
  const { startTimestamp, changeTimestamp } = plan.element;
  const uses = [
    { column: roles.startTimestamp, range: startTimestamp?.range, role: 'Start Timestamp' },
    { column: roles.changeTimestamp, range: changeTimestamp?.range, role: 'Change Timestamp' },
  ];
  for (const { column, range, role } of uses) {
    const found = column === undefined ? undefined : columns[names.indexOf(column)];
    if (!found || isTimeColumn(found)) continue;
    throw new ImportError(
      'type-mismatch',
      `The ${role} "${column}" of "${plan.activityName}" is of type ${found.type}, which holds no time.`,
      {
        remedy: 'Choose a column with timestamps or dates.',
        ...(range ? { range } : {}),
      },
    );
  }
}
