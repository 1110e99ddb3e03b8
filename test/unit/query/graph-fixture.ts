import type { Catalog, ColumnSense, DataObject, SqlDialect } from '../../../server/src/catalog/catalog.ts';
import type {
  CrossMapping,
  EntityElement,
  EntityGraph,
  Mapping,
  MappingOperator,
  Relationship,
} from '../../../server/src/model/entity-graph.ts';
import type { Located, LocatedSql, SourceRange } from '../../../server/src/model/source-range.ts';

/** An element in plain values. */
export interface PlainElement {
  readonly activityName?: string;
  readonly dataObject?: string;
  readonly key?: readonly string[];
  readonly startTimestamp?: string;
  readonly changeTimestamp?: string;
  readonly sequence?: string;
  readonly activityColumn?: string;
  readonly properties?: 'all' | readonly string[];
  readonly joins?: string;
  readonly where?: string;
}

export interface PlainRelationship {
  readonly name?: string;
  readonly source?: string;
  readonly target?: string;
  /** `[source, target]`, `[source, operator, target]`, or an expression. */
  readonly mappings?: readonly (string | PlainMapping)[];
  readonly crossTable?: {
    readonly dataObject?: string;
    /** `[column, cross]` or `[column, operator, cross]`. */
    readonly source?: readonly PlainMapping[];
    readonly target?: readonly PlainMapping[];
  };
}

type PlainMapping = readonly [string, string] | readonly [string, MappingOperator, string];

/** A graph over a document of its values only, one per line: `text.slice(range.start, range.end)` is the value. */
export function graphOf(
  elements: readonly PlainElement[],
  relationships: readonly PlainRelationship[] = [],
): { readonly graph: EntityGraph; readonly text: string } {
  let text = '';
  const range = (value: string): SourceRange => {
    const start = text.length;
    text += `${value}\n`;
    return { start, end: start + value.length };
  };
  const located = (value: string): Located<string> => ({ value, range: range(value) });
  const sql = (value: string): LocatedSql => {
    const at = range(value);
    return {
      value,
      range: at,
      sourceOffsets: Array.from({ length: value.length + 1 }, (_, index) => at.start + index),
    };
  };
  const given = <Key extends string, Value>(key: Key, value: string | undefined, as: (value: string) => Value) =>
    (value === undefined ? {} : { [key]: as(value) }) as { readonly [K in Key]?: Value };

  const element = (plain: PlainElement, index: number): EntityElement => ({
    index,
    range: range(`element ${index}`),
    ...given('activityName', plain.activityName, located),
    ...given('dataObject', plain.dataObject, located),
    ...(plain.key && { key: plain.key.map(located) }),
    ...given('startTimestamp', plain.startTimestamp, located),
    ...given('changeTimestamp', plain.changeTimestamp, located),
    ...given('sequence', plain.sequence, located),
    ...given('activityColumn', plain.activityColumn, located),
    properties:
      plain.properties === 'all'
        ? { kind: 'all', range: range('all') }
        : { kind: 'list', columns: (plain.properties ?? []).map(located) },
    ...given('joins', plain.joins, sql),
    ...given('where', plain.where, sql),
  });
  const parts = (mapping: PlainMapping) => ({
    left: located(mapping[0]),
    operator: (mapping.length === 3 ? mapping[1] : '=') as MappingOperator,
    right: located(mapping[mapping.length - 1] ?? ''),
    range: range(mapping.join(' ')),
  });
  const mapping = (plain: string | PlainMapping): Mapping => {
    if (typeof plain === 'string') return { kind: 'expression', expression: sql(plain), range: range('expression') };
    const { left, right, ...rest } = parts(plain);
    return { kind: 'columns', source: left, target: right, ...rest };
  };
  const toCross = (plain: PlainMapping): CrossMapping => {
    const { left, right, ...rest } = parts(plain);
    return { column: left, cross: right, ...rest };
  };
  const fromCross = (plain: PlainMapping): CrossMapping => {
    const { left, right, ...rest } = parts(plain);
    return { column: right, cross: left, ...rest };
  };
  const relationship = (plain: PlainRelationship, index: number): Relationship => ({
    index,
    range: range(`relationship ${index}`),
    ...given('name', plain.name, located),
    ...given('source', plain.source, located),
    ...given('target', plain.target, located),
    mappings: (plain.mappings ?? []).map(mapping),
    ...(plain.crossTable && {
      crossTable: {
        range: range('cross table'),
        ...given('dataObject', plain.crossTable.dataObject, located),
        sourceMappings: (plain.crossTable.source ?? []).map(toCross),
        targetMappings: (plain.crossTable.target ?? []).map(fromCross),
      },
    }),
    correlate: 'both',
  });

  const graph: EntityGraph = {
    elements: elements.map(element),
    entities: [],
    relationships: relationships.map(relationship),
    dataObjects: [],
    rules: [],
    measures: [],
    calendars: [],
    guards: [],
    accepted: [],
    import: { engine: 'embedded' },
    range: { start: 0, end: text.length },
  };
  return { graph, text };
}

export interface PlainObject {
  /** Without it: `public.<name>` in PostgreSQL, the view `<name>` in DuckDB. */
  readonly path?: readonly string[];
  /** Names with their types; text if absent. */
  readonly columns: readonly (string | readonly [string, ColumnSense])[];
  readonly primaryKey?: readonly string[];
}

/** A catalog of the named objects. */
export function catalogOf(
  dialect: SqlDialect,
  objects: Readonly<Record<string, PlainObject>>,
  complete = true,
): Catalog {
  return {
    dataSource: 'source',
    kind: dialect === 'duckdb' ? 'csv' : 'postgresql',
    hasRowOrder: dialect === 'duckdb',
    dialect,
    objects: Object.entries(objects).map(([name, plain]): DataObject => ({
      name,
      kind: dialect === 'duckdb' ? 'file' : 'table',
      path: dialect === 'duckdb' ? [name] : (plain.path ?? ['public', name]),
      columns: plain.columns.map((column) => {
        const [columnName, sense] = typeof column === 'string' ? [column, 'text' as const] : column;
        const primaryKey = plain.primaryKey?.includes(columnName) ?? false;
        return { name: columnName, type: sense, sense, nullable: !primaryKey, primaryKey };
      }),
      primaryKey: plain.primaryKey ?? [],
      foreignKeys: [],
      statistics: { columnCount: plain.columns.length },
    })),
    complete,
    readAt: '2024-01-01T00:00:00Z',
    warnings: [],
  };
}
