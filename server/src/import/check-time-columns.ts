import { timeRoles, elementFields } from '../../../protocol/fields/element.ts';
import { masterDataFields } from '../../../protocol/fields/master-data.ts';
import type { QueryColumn } from '../connectors/connector.ts';
import type { Located, SourceRange } from '../model/source-range.ts';
import { atEndOfDay, timeExpression, timeRange } from '../model/time-expression.ts';
import { isTimeColumn } from './build/utc-time.ts';
import { ImportError } from './import-error.ts';
import type { ElementPlan, MasterDataPlan } from './plan-import.ts';

/** Rejects an element whose start or change timestamp has a type without times, before rows are read. */
export function checkTimeColumns(plan: ElementPlan, columns: readonly QueryColumn[]): void {
  const { roles, columns: names } = plan.query;
  for (const key of timeRoles) {
    const column = roles[key];
    const range = timeRange(plan.element, key);
    const found = column === undefined ? undefined : columns[names.indexOf(column)];
    if (!found) continue;
    rejectTimeOfDay(found, atEndOfDay(plan.element, key), `${key} of "${plan.activityName}"`);
    if (timeExpression(plan.element, key)) {
      rejectNonTimestamps(found, { key, activity: plan.activityName, range });
      continue;
    }
    if (!isTimeColumn(found))
      throw holdsNoTime(`The ${elementFields[key].label} "${column}" of "${plan.activityName}"`, found, range);
  }
}

/** Rejects an entry of `entities` whose values have a time of a type without times. */
export function checkValidFrom({ name, entry, query }: MasterDataPlan, columns: readonly QueryColumn[]): void {
  const { roles, columns: names } = query;
  const found = roles.validFrom === undefined ? undefined : columns[names.indexOf(roles.validFrom)];
  if (found) rejectTimeOfDay(found, entry.validFromAtEndOfDay, `validFrom of "${name}"`);
  if (!found || isTimeColumn(found)) return;
  throw holdsNoTime(
    `The column ${masterDataFields.validFrom.label} "${entry.validFrom?.value ?? ''}" of "${name}"`,
    found,
    entry.validFrom?.range,
  );
}

/** Only a date can be the end of its day. */
function rejectTimeOfDay({ sense, type }: QueryColumn, flag: Located<boolean> | undefined, subject: string): void {
  if (flag?.value !== true || sense === 'date') return;
  throw new ImportError(
    'type-mismatch',
    `The ${subject} is of type ${type}, and atEndOfDay is for dates without time of day.`,
    {
      remedy: 'Remove atEndOfDay, or choose a column with dates.',
      range: flag.range,
    },
  );
}

function holdsNoTime(subject: string, { type }: QueryColumn, range: SourceRange | undefined): ImportError {
  return new ImportError('type-mismatch', `${subject} is of type ${type}, which holds no time.`, {
    remedy: 'Choose a column with timestamps or dates.',
    range,
  });
}

/** A text may be read as a time in several ways: a computed time states which. */
function rejectNonTimestamps(
  { sense, type }: QueryColumn,
  {
    key,
    activity,
    range,
  }: { readonly key: string; readonly activity: string; readonly range: SourceRange | undefined },
): void {
  if (sense === 'timestamp' || sense === 'date') return;
  const message = `The expression of ${key} of "${activity}" gives values of type ${type}: it must give timestamps or dates.`;
  const remedy = 'Convert them in the expression, with a function or CAST of the data source.';
  throw new ImportError('type-mismatch', message, { remedy, range });
}
