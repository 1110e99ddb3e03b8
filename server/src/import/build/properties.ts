import type { StagedColumn } from '../../connectors/connector.ts';
import { propertiesColumns, propertiesTable } from '../../graph-schema/table-names.ts';
import { inOrderOf } from './build-dialect.ts';
import type { StagedElement } from './staged-element.ts';
import type { GraphShape } from './rows.ts';
import { placeOfColumn, utcTime } from './utc-time.ts';

/**
 * Creates `properties_<n>`: the selected properties of an element for each of its events. Times are UTC, as in `event`.
 * Many rows are joined in parts, by ranges of staged rows: a join of all would exceed the memory limit, and writing it to
 * disk and reading it again takes twice as long.
 * @returns statements, of which the first creates the table
 */
export function createPropertiesSql(
  element: StagedElement,
  shape: GraphShape,
  cellsAtOnce = 8_000_000,
): readonly [string, ...string[]] {
  const { plan, properties } = element;
  const { build, graph, identifiers } = shape.dialect;
  const { quote } = identifiers;
  const table = `${graph}.${propertiesTable(plan.number)}`;
  const columns = propertyColumnsSql(properties, propertiesColumns, shape);
  const select = (range: string): string => `SELECT ${['ranked.id AS event_id', ...columns].join(', ')}
    FROM ranked JOIN ${quote(plan.table)} AS staged ON staged.${build.rowPlace} = ranked.${quote('row')}
    WHERE ranked.element = ${plan.number}${range}${inOrderOf('ranked.id', shape.dialect)}`;
  const cells = build.keepsRowOrder ? element.rows * properties.length : 0;
  const [first, ...others] = partsOf(element.rows, cells, cellsAtOnce);
  const places = [`ranked.${quote('row')}`, `staged.${build.rowPlace}`];
  const rangeSql = ({ from, until }: RowRange): string =>
    places
      .flatMap((place) => [
        ...(from === undefined ? [] : [` AND ${place} >= ${from}`]),
        ...(until === undefined ? [] : [` AND ${place} < ${until}`]),
      ])
      .join('');
  return [
    `CREATE TABLE ${table} AS ${select(rangeSql(first))}`,
    ...others.map((range) => `INSERT INTO ${table} ${select(rangeSql(range))}`),
  ];
}

/** Places of staged rows; without an end for all up to there. */
interface RowRange {
  readonly from?: number;
  readonly until?: number;
}

/** Each part reads the ids of all events, so that many parts would take longer than a join that is too large. */
const maxParts = 16;

function partsOf(rows: number, cells: number, cellsAtOnce: number): readonly [RowRange, ...RowRange[]] {
  const count = Math.max(1, Math.min(Math.ceil(cells / cellsAtOnce), maxParts));
  const end = (part: number): number => Math.ceil((rows * part) / count);
  const range = (part: number): RowRange => ({
    ...(part > 0 && { from: end(part) }),
    ...(part < count - 1 && { until: end(part + 1) }),
  });
  return [range(0), ...Array.from({ length: count - 1 }, (_, index) => range(index + 1))];
}

/** The values of properties, of a relation `staged`. @param fixed names of further columns of the table */
export function propertyColumnsSql(
  properties: readonly StagedColumn[],
  fixed: readonly string[],
  shape: GraphShape,
): readonly string[] {
  const names = propertyNames(properties, fixed);
  return properties.map((column, index) => {
    const naive =
      column.sense === 'timestamp' && column.zoned !== true && placeOfColumn(column, shape).timeZone !== 'UTC';
    const staged = { ...column, stagedAs: `staged.${column.stagedAs}` };
    const value = naive ? `coalesce(${utcTime(staged, shape)}, ${staged.stagedAs})` : staged.stagedAs;
    return `${value} AS ${shape.dialect.identifiers.quote(names[index] ?? column.name)}`;
  });
}

/** The columns of properties in a table with these further columns. */
export function propertyNames(properties: readonly StagedColumn[], fixed: readonly string[]): readonly string[] {
  return distinctNames(
    properties.map(({ name }) => name),
    fixed,
  );
}

/** Names of columns that stay apart in DuckDB, which does not tell upper from lower case: the second `Id` is `Id~2`. */
function distinctNames(names: readonly string[], fixed: readonly string[]): readonly string[] {
  const taken = new Set(fixed);
  return names.map((name) => {
    let free = name;
    for (let number = 2; taken.has(free.toLowerCase()); number += 1) free = `${name}~${number}`;
    taken.add(free.toLowerCase());
    return free;
  });
}
