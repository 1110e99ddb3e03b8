import { type Catalog, type DataObject, findDataObject } from '../catalog/catalog.ts';
import { dialectNamed } from '../dialects/index.ts';
import type { EntityGraph, Relationship } from '../model/entity-graph.ts';
import type { Located } from '../model/source-range.ts';
import type { Problem } from '../model/problem.ts';
import type { CompiledQuery, RelationshipQuery } from './compiled-query.ts';
import { printPairSelect, printRelationSql } from './print-query.ts';
import type { SelectItem } from './query-tree.ts';
import { quotePath } from './quote.ts';
import type { RelationshipSide } from './relationship-side.ts';
import { type Join, buildJoin } from './relationship-query.ts';

type End = 'source' | 'target';

/** The queries with which a dialog shows what a relationship joins (docs/semantics.md#128-preview-of-a-relationship). */
export interface JoinPreviewQueries {
  /** Joined rows: keys, mapped columns and names of both sides. */
  readonly rows: RelationshipQuery;
  /** The end and the name of each column of `rows`. */
  readonly shown: readonly { readonly end: End; readonly name: string }[];
  /** One row with the columns of `countedColumns`. */
  readonly counts: CompiledQuery;
}

/** In the order of the row. */
export const countedColumns = [
  'pairs',
  'sourceRows',
  'sourceNulls',
  'sourceUnmatched',
  'sourceMost',
  'targetRows',
  'targetNulls',
  'targetUnmatched',
  'targetMost',
] as const;

/** Paths have no mapped columns, so they have no such preview. */
export function buildJoinPreview(
  graph: EntityGraph,
  relationship: Relationship,
  catalog: Catalog,
): JoinPreviewQueries | { readonly problems: readonly Problem[] } {
  const built = buildJoin(graph, relationship, catalog);
  if ('problems' in built) return built;
  const { join } = built;
  const mapped = mappedColumns(relationship);
  const sides = (['source', 'target'] as const).map((end) => sideItems(end, join[end], mapped[end], catalog));
  const items = sides.flat();
  const select = { ...join.select, shown: items.map(({ item }) => item) };
  const keys = [...join.query.sourceKey.map(() => 'source'), ...join.query.targetKey.map(() => 'target')] as End[];
  const keyNames = [...join.source.keyNames, ...join.target.keyNames];
  return {
    rows: { ...join.query, ...printPairSelect(select, dialectNamed(catalog.dialect)), columns: [] },
    shown: [
      ...keys.map((end, index) => ({ end, name: keyNames[index] ?? '' })),
      ...items.map(({ end, item }) => ({ end, name: item.column.name })),
    ],
    counts: countQuery(join, mapped, catalog),
  };
}

interface ShownItem {
  readonly end: End;
  readonly item: SelectItem;
}

function sideItems(
  end: End,
  side: RelationshipSide,
  mapped: readonly Located<string>[],
  catalog: Catalog,
): readonly ShownItem[] {
  const keys = new Set(side.keyNames);
  const object = findDataObject(catalog, side.dataObject);
  const columns = mapped.flatMap((name) => {
    const found = side.column(name)?.column;
    return found && !keys.has(name.value) ? [found.name] : [];
  });
  const naming = nameColumn(object, new Set([...keys, ...columns]));
  const names = [...new Set([...columns, ...(naming === undefined ? [] : [naming])])];
  return names.map((name) => ({ end, item: { column: { alias: end, name }, as: `${end} ${name}` } }));
}

/** The column by which people know a record. */
function nameColumn(object: DataObject | undefined, besides: ReadonlySet<string>): string | undefined {
  return object?.columns.find(({ name, sense }) => sense === 'text' && !besides.has(name) && isNaming.test(name))?.name;
}

const isNaming = /(?:^|_|[a-z])(?:name|title|number|label|subject|short_description|email)$/i;

function mappedColumns({ mappings, crossTable }: Relationship): Readonly<Record<End, readonly Located<string>[]>> {
  const own = mappings.filter((mapping) => mapping.kind === 'columns');
  return {
    source: [...own.map(({ source }) => source), ...(crossTable?.sourceMappings ?? []).map(({ column }) => column)],
    target: [...own.map(({ target }) => target), ...(crossTable?.targetMappings ?? []).map(({ column }) => column)],
  };
}

/** The core query as a common table expression, so that positions of its errors only shift. */
function countQuery(
  { query, select, source, target }: Join,
  mapped: Readonly<Record<End, readonly Located<string>[]>>,
  catalog: Catalog,
): CompiledQuery {
  const dialect = dialectNamed(catalog.dialect);
  const { quote } = dialect.identifiers;
  const prefix = `WITH ${quote('pairs')} AS (\n`;
  const ends = { source: { side: source, key: select.sourceKey }, target: { side: target, key: select.targetKey } };
  const count = (from: string): string => `(SELECT count(*) FROM ${from})`;
  const countsOf = (end: End): readonly string[] => {
    const { side, key } = ends[end];
    const columns = [
      ...key.map(({ column }) => column),
      ...mapped[end].flatMap((name) => side.column(name)?.column ?? []),
    ];
    const rows = `(\n${printRelationSql(side.relation, dialect)}\n) AS ${quote(end)}`;
    const isNull = columns.map(({ name }) => `${quotePath([end, name], dialect)} IS NULL`).join(' OR ');
    const isPair = key
      .map(({ column, as }) => `${quotePath(['pairs', as], dialect)} = ${quotePath([end, column.name], dialect)}`)
      .join(' AND ');
    const grouped = key.map(({ as }) => quotePath(['pairs', as], dialect)).join(', ');
    return [
      count(rows),
      count(`${rows} WHERE ${isNull}`),
      count(`${rows} WHERE NOT EXISTS (SELECT 1 FROM ${quote('pairs')} WHERE ${isPair})`),
      `(SELECT max(${quote('n')}) FROM (SELECT count(*) AS ${quote('n')} FROM ${quote('pairs')} GROUP BY ${grouped}) AS ${quote('groups')})`,
    ];
  };
  const values = [count(quote('pairs')), ...countsOf('source'), ...countsOf('target')];
  const items = values.map((value, index) => `${value} AS ${quote(countedColumns[index] ?? '')}`);
  return {
    ...query,
    sql: `${prefix}${query.sql}\n)\nSELECT\n  ${items.join(',\n  ')}`,
    columns: countedColumns,
    fragments: query.fragments.map((each) => ({ ...each, offset: each.offset + prefix.length })),
    references: query.references.map((each) => ({ ...each, offset: each.offset + prefix.length })),
  };
}
