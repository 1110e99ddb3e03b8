import type {
  CatalogContent,
  DataObject,
  DataObjectKind,
  ForeignKey,
  ObjectStatistics,
} from '../../catalog/catalog.ts';
import type { CatalogRows, ConstraintRow, ObjectRow } from './catalog-queries.ts';
import { readColumns, typeReader } from './catalog-columns.ts';
import { objectName, type PostgresqlConfig } from './read-settings.ts';
import { serverKind } from './server-kind.ts';
import { unusedWatermarks } from './unused-watermarks.ts';

/** Puts the rows of the catalog queries together. Objects that the user may not select are left out, with a warning. */
export function buildCatalog(config: PostgresqlConfig, rows: CatalogRows, readAt: Date): CatalogContent {
  const name: ObjectName = (schema, table) => objectName(config.schemas, schema, table);
  const columnsOf = new Map(rows.columns.map((row) => [row.id, row]));
  const constraintsOf = groupBy(rows.constraints, (row) => row.id);
  const statisticsOf = new Map(rows.statistics.map((row) => [`${row.schema}\0${row.name}`, row]));
  const partitionsOf = groupBy(rows.objects, (row) => row.parent ?? '');
  const typeOf = typeReader(rows.types);
  const objectsById = new Map(rows.objects.map((row) => [row.id, row]));

  const unreadable = rows.objects.filter((row) => !row.readable).map((row) => name(row.schema, row.name));
  const objects = rows.objects
    .filter((row) => row.readable)
    .map((row): DataObject => {
      const constraints = constraintsOf.get(row.id) ?? [];
      const primaryKey = constraints.find((constraint) => constraint.kind === 'p')?.columns ?? [];
      const foreignKeys = constraints
        .filter((constraint) => constraint.kind === 'f')
        .map((row) => foreignKey(row, name));
      const ancestors = ancestorsOf(row, objectsById).map((each) => name(each.schema, each.name));
      const totals = familyTotals(row, partitionsOf);
      const planner = statisticsOf.get(`${row.schema}\0${row.name}`);
      const columns = readColumns(columnsOf.get(row.id), {
        primaryKey,
        foreignKeys,
        planner,
        rows: totals.rows,
        typeOf,
      });
      return {
        name: name(row.schema, row.name),
        kind: objectKind(row),
        path: [row.schema, row.name],
        ...(row.comment !== null && { comment: row.comment }),
        ...(ancestors.length > 0 && { extends: ancestors }),
        columns,
        primaryKey,
        foreignKeys,
        statistics: objectStatistics(row, columns.length, totals),
      };
    });
  const engineVersion = serverKind(rows.schemas[0]?.version ?? '', []).version;
  return {
    ...(engineVersion > 0 && { engineVersion }),
    objects,
    complete: true,
    ...(unreadable.length > 0 && { unreadable }),
    readAt: readAt.toISOString(),
    warnings: catalogWarnings(config, rows, name),
  };
}

type ObjectName = (schema: string, table: string) => string;

function objectKind(row: ObjectRow): DataObjectKind {
  if (row.partition) return 'partition';
  return kinds[row.kind] ?? 'table';
}

const kinds: Readonly<Record<string, DataObjectKind>> = {
  r: 'table',
  p: 'partitioned table',
  v: 'view',
  m: 'materialized view',
  f: 'foreign table',
};

/** The tables from which a table inherits, the nearest last; only those that may be read. */
function ancestorsOf(row: ObjectRow, objects: ReadonlyMap<string, ObjectRow>): readonly ObjectRow[] {
  const parents = (row.inherited ?? []).flatMap((id) => objects.get(id) ?? []);
  const all = [...parents.flatMap((parent) => ancestorsOf(parent, objects)), ...parents];
  return [...new Set(all)].filter(({ readable }) => readable);
}

function foreignKey(row: ConstraintRow, name: ObjectName): ForeignKey {
  return {
    name: row.name,
    columns: row.columns,
    references: { dataObject: name(row.target_schema ?? '', row.target_name ?? ''), columns: row.target_columns ?? [] },
  };
}

interface FamilyTotals {
  readonly rows: number | undefined;
  readonly size: number | undefined;
}

/**
 * A partitioned table has no rows of its own: its size, and its row count before the first ANALYZE, come from its
 * partitions.
 */
function familyTotals(row: ObjectRow, partitionsOf: ReadonlyMap<string, readonly ObjectRow[]>): FamilyTotals {
  const parts = (partitionsOf.get(row.id) ?? []).map((part) => familyTotals(part, partitionsOf));
  const own = row.rows >= 0 && row.kind !== 'v' ? row.rows : undefined;
  const partRows =
    parts.length > 0 && parts.every((part) => part.rows !== undefined)
      ? sum(parts.map((part) => part.rows))
      : undefined;
  return {
    rows: row.kind === 'p' ? (own ?? partRows) : own,
    size: row.size === null ? undefined : row.size + sum(parts.map((part) => part.size)),
  };
}

function objectStatistics(row: ObjectRow, columnCount: number, totals: FamilyTotals): ObjectStatistics {
  return {
    columnCount,
    ...(totals.rows !== undefined && { rowEstimate: totals.rows }),
    ...(totals.size !== undefined && { dataSize: totals.size }),
    ...(row.analyzed !== null && { lastAnalyzed: row.analyzed }),
  };
}

function catalogWarnings(config: PostgresqlConfig, rows: CatalogRows, name: ObjectName): string[] {
  const found = new Set(rows.schemas.map((schema) => schema.name));
  const missing = config.schemas.filter((schema) => !found.has(schema));
  const hidden = rows.objects.filter((row) => !row.readable).map((row) => name(row.schema, row.name));
  const shown = hidden.slice(0, 5).join(', ');
  return [
    ...missing.map((schema) => `Schema ${schema} does not exist in ${config.database}.`),
    ...unusedWatermarks(config, rows.objects),
    ...(hidden.length > 0
      ? [
          `${hidden.length} objects are left out because ${config.user} may not select from them: ${shown}${hidden.length > 5 ? ' …' : ''}.`,
        ]
      : []),
  ];
}

function sum(numbers: readonly (number | undefined)[]): number {
  return numbers.reduce<number>((total, number) => total + (number ?? 0), 0);
}

function groupBy<T>(items: readonly T[], key: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group) group.push(item);
    else groups.set(key(item), [item]);
  }
  return groups;
}
