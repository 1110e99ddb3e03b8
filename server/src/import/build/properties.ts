import { propertiesColumns, propertiesTable } from '../../graph-schema/table-names.ts';
import { inOrderOf } from './build-dialect.ts';
import type { StagedElement } from './staged-element.ts';
import type { GraphShape } from './rows.ts';
import { utcTime } from './utc-time.ts';

/** Creates `properties_<n>`: the selected properties of an element at each of its events. Times are UTC, as in `event`. */
export function createPropertiesSql(element: StagedElement, shape: GraphShape): string {
  const { plan, properties } = element;
  const { build, graph, identifiers } = shape.dialect;
  const { quote } = identifiers;
  const names = distinctNames(properties.map(({ name }) => name));
  const columns = properties.map((column, index) => {
    const naive = column.sense === 'timestamp' && column.zoned !== true && shape.timeZone !== 'UTC';
    const staged = { ...column, stagedAs: `staged.${column.stagedAs}` };
    const value = naive ? `coalesce(${utcTime(staged, shape)}, ${staged.stagedAs})` : staged.stagedAs;
    return `${value} AS ${quote(names[index] ?? column.name)}`;
  });
  return `CREATE TABLE ${graph}.${propertiesTable(plan.number)} AS SELECT ${['ranked.id AS event_id', ...columns].join(', ')}
    FROM ranked JOIN ${quote(plan.table)} AS staged ON staged.${build.rowPlace} = ranked.${quote('row')}
    WHERE ranked.element = ${plan.number}${inOrderOf('ranked.id', shape.dialect)}`;
}

/** Names of columns that stay apart in DuckDB, which does not tell upper from lower case: the second `Id` is `Id~2`. */
function distinctNames(names: readonly string[]): readonly string[] {
  const taken = new Set(propertiesColumns);
  return names.map((name) => {
    let free = name;
    for (let number = 2; taken.has(free.toLowerCase()); number += 1) free = `${name}~${number}`;
    taken.add(free.toLowerCase());
    return free;
  });
}
