import { codedEventsTable } from '../../graph-schema/storage-tables.ts';
import type { BuildStorage } from './build-dialect.ts';
import { nameSql } from './code-types.ts';
import { byPhaseSql } from './phases.ts';
import type { GraphShape } from './rows.ts';
import type { StagedElement } from './staged-element.ts';
import type { GraphStatement } from './plan-statement.ts';

/** The activity of a row as a code, or else as a text in a column of its own. */
export function codedActivityColumns(storage: BuildStorage): readonly string[] {
  const code = `TRY_CAST(rows.activity AS ${storage.tables}.activity)`;
  return [`${code} AS activity`, `CASE WHEN ${code} IS NULL THEN rows.activity END AS other_activity`];
}

/**
 * Creates the view `event` and the table behind it from `ranked`. Writing the same few texts for all events takes longer
 * than all other columns together.
 */
export function createCodedEventsSql(
  elements: readonly StagedElement[],
  shape: GraphShape,
  storage: BuildStorage,
): readonly GraphStatement[] {
  const { dialect, activities } = shape;
  const table = `${storage.tables}.${codedEventsTable}`;
  const text = (code: string): string => `CAST(${code} AS VARCHAR)`;
  const columns = [
    'id',
    `${nameOfElement('element', elements, dialect)} AS element`,
    ...(activities ? activityCodeColumns(elements, dialect) : []),
    `${byPhaseSql((name) => nameSql('lifecycle', name, dialect))} AS lifecycle`,
    ...['time', 'entity_id'],
  ];
  const activity = activities ? `coalesce(${text('activity')}, other_activity)` : text('element');
  return [
    {
      name: codedEventsTable,
      sql: `CREATE TABLE ${table} AS\n    SELECT ${columns.join(', ')}\n    FROM ranked`,
      table,
    },
    {
      name: 'event',
      sql: `CREATE VIEW ${dialect.graph}.event AS SELECT id, ${text('element')} AS element, ${activity} AS activity, ${text('lifecycle')} AS lifecycle, time, entity_id
    FROM ${storage.inViews}.${codedEventsTable}`,
    },
  ];
}

/** The activity of an event of `ranked`, by its row or else by its element: a code, or a text in a column of its own. */
export function activityCodeColumns(
  elements: readonly StagedElement[],
  dialect: GraphShape['dialect'],
): readonly [activity: string, otherActivity: string] {
  const ofElement = nameOfElement('activity', elements, dialect);
  return [`CASE WHEN other_activity IS NULL THEN coalesce(activity, ${ofElement}) END AS activity`, 'other_activity'];
}

/** The activity name of the element of an event, from its number. */
function nameOfElement(
  type: 'element' | 'activity',
  elements: readonly StagedElement[],
  dialect: GraphShape['dialect'],
): string {
  const names = new Map(elements.map(({ plan }) => [plan.number, nameSql(type, plan.activityName, dialect)]));
  const [only, ...others] = names.values();
  if (only !== undefined && others.length === 0) return only;
  const last = Math.max(0, ...names.keys());
  const list = Array.from({ length: last }, (_, index) => names.get(index + 1) ?? 'NULL');
  return dialect.build.elementAt(list, 'element');
}
