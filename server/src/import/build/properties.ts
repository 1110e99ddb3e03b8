import type { StagedColumn } from '../../connectors/connector.ts';
import { propertiesColumns, propertiesTable } from '../../graph-schema/table-names.ts';
import { inOrderOf } from './build-dialect.ts';
import type { StagedElement } from './staged-element.ts';
import type { GraphShape } from './rows.ts';
import { placeOfColumn, utcTime } from './utc-time.ts';

/**
 * Creates `properties_<n>`: the selected properties of an element for each of its events. Times are UTC, as in `event`.
 */
export function createPropertiesSql(element: StagedElement, shape: GraphShape): string {
  const { plan, properties } = element;
  const { build, graph, identifiers } = shape.dialect;
  const { quote } = identifiers;
  const columns = propertyColumnsSql(properties, propertiesColumns, shape);
  return `CREATE TABLE ${graph}.${propertiesTable(plan.number)} AS SELECT ${['ranked.id AS event_id', ...columns].join(', ')}
    FROM ranked JOIN ${quote(plan.table)} AS staged ON staged.${build.rowPlace} = ranked.${quote('row')}
    WHERE ranked.element = ${plan.number}${inOrderOf('ranked.id', shape.dialect)}`;
}

/** The values of properties, of a relation `staged`. @param fixed names of further columns of the table */
export function propertyColumnsSql(
  properties: readonly StagedColumn[],
  fixed: readonly string[],
  shape: GraphShape,
): readonly string[] {
  const names = distinctNames(
    properties.map(({ name }) => name),
    fixed,
  );
  return properties.map((column, index) => {
    const naive =
      column.sense === 'timestamp' && column.zoned !== true && placeOfColumn(column, shape).timeZone !== 'UTC';
    const staged = { ...column, stagedAs: `staged.${column.stagedAs}` };
    const value = naive ? `coalesce(${utcTime(staged, shape)}, ${staged.stagedAs})` : staged.stagedAs;
    return `${value} AS ${shape.dialect.identifiers.quote(names[index] ?? column.name)}`;
  });
}

/** Names of columns that stay apart in DuckDB, which does not tell upper from lower case: the second `Id` is `Id~2`. */
function distinctNames(names: readonly string[], fixed: readonly string[] = propertiesColumns): readonly string[] {
  const taken = new Set(fixed);
  return names.map((name) => {
    let free = name;
    for (let number = 2; taken.has(free.toLowerCase()); number += 1) free = `${name}~${number}`;
    taken.add(free.toLowerCase());
    return free;
  });
}
