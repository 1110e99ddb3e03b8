import type { Lifecycle } from '../../../../protocol/lifecycles.ts';
import type { StagedColumn } from '../../connectors/connector.ts';
import { rowPropertiesTable } from '../../graph-schema/storage-tables.ts';
import { propertiesColumns, propertiesTable } from '../../graph-schema/table-names.ts';
import { type BuildDialect, type BuildStorage, inOrderOf } from './build-dialect.ts';
import { isPhaseSql, timesOfElement } from './phases.ts';
import { type RowRange, inParts, rangeSql, rowRanges } from './row-ranges.ts';
import type { StagedElement } from './staged-element.ts';
import type { GraphShape } from './rows.ts';
import { placeOfColumn, utcTime } from './utc-time.ts';
import type { GraphStatement } from './plan-statement.ts';

/**
 * Creates `properties_<n>`: the selected properties of an element for each of its events. Times are UTC, as in `event`.
 * Where the engine has tables behind views, rows with several times are written once. Many rows are joined in
 * parts, by ranges of staged rows: a join of all would exceed the memory limit, and writing it to disk and reading it
 * again takes twice as long.
 */
export function createPropertiesSql(
  element: StagedElement,
  shape: GraphShape,
  cellsAtOnce = 8_000_000,
): readonly GraphStatement[] {
  const storage = rowStorage(element, shape.dialect);
  return storage
    ? rowGraphStatements(element, shape, storage, cellsAtOnce)
    : eventGraphStatements(element, shape, cellsAtOnce);
}

/** Where rows are stored instead of events, with a view of events. */
function rowStorage(element: StagedElement, { storage }: BuildDialect): BuildStorage | undefined {
  return timesOfElement(element).length > 1 && element.properties.length > 0 ? storage : undefined;
}

function eventGraphStatements(
  element: StagedElement,
  shape: GraphShape,
  cellsAtOnce: number,
): readonly GraphStatement[] {
  const name = propertiesTable(element.plan.number);
  return inParts({ name, table: `${shape.dialect.graph}.${name}` }, partsOf(element, shape, cellsAtOnce), (range) =>
    eventPropertiesSql(element, shape, range),
  );
}

/** The rows of `properties_<n>`, of a range of staged rows. */
function eventPropertiesSql({ plan, properties }: StagedElement, shape: GraphShape, range: RowRange): string {
  const { quote } = shape.dialect.identifiers;
  const columns = propertyColumnsSql(properties, propertiesColumns, shape);
  const places = [`ranked.${quote('row')}`, 'staged.rowid'];
  return `SELECT ${['ranked.id AS event_id', ...columns].join(', ')}
    FROM ranked JOIN ${quote(plan.table)} AS staged ON staged.rowid = ranked.${quote('row')}
    WHERE ranked.element = ${plan.number}${places.flatMap((place) => rangeSql(place, range)).join('')}${inOrderOf('ranked.id', shape.dialect)}`;
}

/**
 * A row for each staged row, with the event of each of its times, and a view that has a row for each event.
 */
function rowGraphStatements(
  element: StagedElement,
  shape: GraphShape,
  storage: BuildStorage,
  cellsAtOnce: number,
): readonly GraphStatement[] {
  const { plan, properties } = element;
  const { graph, identifiers } = shape.dialect;
  const { quote } = identifiers;
  const [view, name] = [propertiesTable(plan.number), rowPropertiesTable(plan.number)];
  const order = rowOrder(element, quote('row'));
  const steps = inParts({ name, table: `${storage.tables}.${name}` }, partsOf(element, shape, cellsAtOnce), (range) => {
    const rows = (condition: string): string => `${rowPropertiesSql(element, shape, range)} AND ${condition}`;
    return `${rows(order.isKept)}
    UNION ALL (${rows(`NOT ${order.isKept}`)}
    ORDER BY coalesce(${aliasesOf(element)
      .map((alias) => `${alias}.id`)
      .join(', ')}))`;
  });
  const names = propertyNames(properties, propertiesColumns).map(quote);
  const ids = eventColumnsOf(element);
  const stored = propertyNames(properties, ids).map(quote);
  const eventsOf = (id: string): string => {
    const listed = names.map((each, index) => (each === stored[index] ? each : `${stored[index]} AS ${each}`));
    return `SELECT ${id} AS event_id, ${listed.join(', ')} FROM ${storage.inViews}.${name} WHERE ${id} IS NOT NULL`;
  };
  const sql = `CREATE VIEW ${graph}.${view} AS ${ids.map(eventsOf).join('\n    UNION ALL ')}`;
  return [order.statement, ...steps, { name: view, sql }];
}

/** A row for each staged row of a range, with its events. Ends with a condition. */
function rowPropertiesSql(element: StagedElement, shape: GraphShape, range: RowRange): string {
  const { plan, properties } = element;
  const { quote } = shape.dialect.identifiers;
  const ids = eventColumnsOf(element);
  const aliases = aliasesOf(element);
  const joins = timesOfElement(element).map(({ lifecycle }) => {
    const events = `(SELECT id, ${quote('row')} FROM ranked WHERE element = ${plan.number} AND ${isPhaseSql(lifecycle)}${rangeSql(quote('row'), range).join('')})`;
    return `LEFT JOIN ${events} AS ${aliasOf[lifecycle]} ON ${aliasOf[lifecycle]}.${quote('row')} = staged.rowid`;
  });
  return `SELECT ${[...ids.map((id, index) => `${aliases[index] ?? ''}.id AS ${id}`), ...propertyColumnsSql(properties, ids, shape)].join(', ')}
    FROM ${quote(plan.table)} AS staged
      ${joins.join('\n      ')}
    WHERE (${aliases.map((alias) => `${alias}.id IS NOT NULL`).join(' OR ')})${rangeSql('staged.rowid', range).join('')}`;
}

const aliasOf: Readonly<Record<Lifecycle, string>> = { start: 'started', change: 'changed', end: 'ended' };

function aliasesOf(element: StagedElement): readonly string[] {
  return timesOfElement(element).map(({ lifecycle }) => aliasOf[lifecycle]);
}

/** The columns of `row_properties_<n>` before the properties: the events of a row, NULL where it has none. */
function eventColumnsOf(element: StagedElement): readonly string[] {
  return timesOfElement(element).map(({ lifecycle }) => `${lifecycle}_event_id`);
}

/** Rows in a row group. DuckDB skips a row group by its smallest and largest values. */
const rowGroup = 122_880;

/**
 * Stores in a variable whether staged rows are nearly in the order of their events, as in most files. These rows need
 * no sorting: ranges of events are in few row groups anyway. Later statements treat the variable as a constant, and
 * DuckDB skips the branch that does not apply.
 */
function rowOrder(
  { plan }: StagedElement,
  row: string,
): { readonly statement: GraphStatement; readonly isKept: string } {
  const name = `rows_${plan.number}_in_order`;
  const spans = `SELECT min(id) AS first, max(id) AS last FROM ranked WHERE element = ${plan.number} AND ${isPhaseSql('start')} GROUP BY ${row} // ${rowGroup}`;
  return {
    statement: {
      name,
      sql: `SET VARIABLE ${name} = (SELECT coalesce(sum(last - first) <= 2 * (max(last) - min(first)), true) FROM (${spans}) AS span)`,
    },
    isKept: `getvariable('${name}')`,
  };
}

/** Each part reads the ids of all events, so many parts would take longer than one join that exceeds memory. */
const maxParts = 16;

function partsOf(
  { rows, properties }: StagedElement,
  { dialect }: GraphShape,
  cellsAtOnce: number,
): readonly RowRange[] {
  const cells = dialect.build.keepsRowOrder ? rows * properties.length : 0;
  return rowRanges(rows, Math.min(Math.ceil(cells / cellsAtOnce), maxParts));
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

/** The column names of properties in a table that also has the `fixed` columns. */
export function propertyNames(properties: readonly StagedColumn[], fixed: readonly string[]): readonly string[] {
  return distinctNames(
    properties.map(({ name }) => name),
    fixed,
  );
}

/** Distinct column names for DuckDB, which ignores case: the second `Id` becomes `Id~2`. */
export function distinctNames(names: readonly string[], fixed: readonly string[]): readonly string[] {
  const taken = new Set(fixed);
  return names.map((name) => {
    let free = name;
    for (let number = 2; taken.has(free.toLowerCase()); number += 1) free = `${name}~${number}`;
    taken.add(free.toLowerCase());
    return free;
  });
}
