import { type Catalog, type DataObject, findDataObject } from '../catalog/catalog.ts';
import type { GraphCatalog } from '../catalog/graph-catalog.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { duckdb } from '../dialects/duckdb.ts';
import { dialectNamed } from '../dialects/index.ts';
import type { EntityGraph, Relationship } from '../model/entity-graph.ts';
import type { Located } from '../model/source-range.ts';
import type { Problem } from '../model/problem.ts';
import { buildJoinAcross } from './across-sources.ts';
import type { CompiledQuery, RelationshipQuery } from './compiled-query.ts';
import { printPairSelect, printRelationSql, textByCharacters } from './print-query.ts';
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
  const dialect = dialectNamed(catalog.dialect);
  const mapped = mappedColumns(relationship);
  const sides = (['source', 'target'] as const).map((end) => sideItems(end, join[end], mapped[end], catalog));
  const items = sides.flat();
  const select = { ...join.select, shown: items.map(({ item }) => item) };
  const keys = [...join.query.sourceKey.map(() => 'source'), ...join.query.targetKey.map(() => 'target')] as End[];
  const keyNames = [...join.source.keyNames, ...join.target.keyNames];
  return {
    rows: { ...join.query, ...printPairSelect(select, dialect), columns: [], zones: zonesOfShown(join, items) },
    shown: [
      ...keys.map((end, index) => ({ end, name: keyNames[index] ?? '' })),
      ...items.map(({ end, item }) => ({ end, name: item.column.name })),
    ],
    counts: countQuery(
      join.query,
      {
        source: countedRows('source', join.source, join.select.sourceKey, mapped.source, dialect),
        target: countedRows('target', join.target, join.select.targetKey, mapped.target, dialect),
      },
      dialect,
    ),
  };
}

/** The zones of keys and shown columns: each end may have its own. */
function zonesOfShown(
  { query, ...sides }: Pick<Join, 'query' | End>,
  items: readonly ShownItem[],
): RelationshipQuery['zones'] {
  const shown = items.flatMap(({ end, item }) => {
    const { timeZone } = sides[end];
    return timeZone === undefined ? [] : [[item.as, timeZone] as const];
  });
  return query.zones === undefined && shown.length === 0 ? undefined : { ...query.zones, ...Object.fromEntries(shown) };
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

/** The column that names a record for people, such as `title`. */
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

/** The rows of an end as they are counted. */
interface CountedRows {
  /** An item of FROM, whose alias is the end. */
  readonly from: string;
  readonly key: readonly SelectItem[];
  /** A row with NULL in one of these columns has a NULL key. */
  readonly columns: readonly string[];
}

function countedRows(
  end: End,
  side: RelationshipSide,
  key: readonly SelectItem[],
  mapped: readonly Located<string>[],
  dialect: Dialect,
): CountedRows {
  const columns = [...key.map(({ column }) => column), ...mapped.flatMap((name) => side.column(name)?.column ?? [])];
  const from = `(\n${printRelationSql(side.relation, dialect)}\n) AS ${dialect.identifiers.quote(end)}`;
  return { from, key, columns: columns.map(({ name }) => name) };
}

/** The core query as a common table expression, so that positions of its errors only shift. */
function countQuery(query: CompiledQuery, ends: Readonly<Record<End, CountedRows>>, dialect: Dialect): CompiledQuery {
  const { quote } = dialect.identifiers;
  const prefix = `WITH ${quote('pairs')} AS (\n`;
  const count = (from: string): string => `(SELECT count(*) FROM ${from})`;
  const countsOf = (end: End): readonly string[] => {
    const { from, key, columns } = ends[end];
    const isNull = columns.map((name) => `${quotePath([end, name], dialect)} IS NULL`).join(' OR ');
    const isPair = key
      .map(({ column, as, textType }) => {
        const [one, other] = [quotePath(['pairs', as], dialect), quotePath([end, column.name], dialect)];
        const [left, right] = [one, other].map((sql) => (textType ? textByCharacters(sql, textType, dialect) : sql));
        return `${left} = ${right}`;
      })
      .join(' AND ');
    const grouped = key.map(({ as }) => quotePath(['pairs', as], dialect)).join(', ');
    return [
      count(from),
      count(`${from} WHERE ${isNull}`),
      count(`${from} WHERE NOT EXISTS (SELECT 1 FROM ${quote('pairs')} WHERE ${isPair})`),
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

/**
 * The queries of a relationship whose rows belong to several data sources. Both run on the rows that `rows.ends` reads,
 * including repeated ones.
 */
export function buildJoinPreviewAcross(
  graph: EntityGraph,
  relationship: Relationship,
  catalog: GraphCatalog,
): JoinPreviewQueries | { readonly problems: readonly Problem[] } {
  const mapped = mappedColumns(relationship);
  const namesOf = (end: End): ReadonlySet<string> => new Set(mapped[end].map(({ value }) => value));
  const built = buildJoinAcross(graph, relationship, catalog, {
    shownOf(end, { object }, keyNames) {
      const naming = nameColumn(object, new Set([...keyNames, ...namesOf(end)]));
      const name = naming === undefined ? [] : [{ value: naming, range: relationship.range }];
      const columns = [...mapped[end], ...name].map((column) => [column.value, column] as const);
      return [...new Map(columns).values()].filter(({ value }) => !keyNames.includes(value));
    },
  });
  if ('problems' in built) return built;
  const { query, select, ...ends } = built.join;
  const items = sidesOf((end) =>
    ends[end].shown.map(({ name, as }) => ({
      end,
      name,
      item: { column: { alias: end, name: as }, as: `${end} ${name}` },
    })),
  );
  const rowsOf = (end: End, key: readonly SelectItem[]): CountedRows => {
    const values = ends[end].shown.flatMap(({ name, as }) => (namesOf(end).has(name) ? [as] : []));
    return {
      from: `${quotePath([ends[end].view], duckdb)} AS ${duckdb.identifiers.quote(end)}`,
      key,
      columns: [...key.map(({ column }) => column.name), ...values],
    };
  };
  return {
    rows: { ...query, ...printPairSelect({ ...select, shown: items.map(({ item }) => item) }, duckdb), columns: [] },
    shown: [
      ...sidesOf((end) => ends[end].keyNames.map((name) => ({ end, name }))),
      ...items.map(({ end, name }) => ({ end, name })),
    ],
    counts: countQuery(
      query,
      { source: rowsOf('source', select.sourceKey), target: rowsOf('target', select.targetKey) },
      duckdb,
    ),
  };
}

function sidesOf<T>(each: (end: End) => readonly T[]): readonly T[] {
  return [...each('source'), ...each('target')];
}
