import type { TestRows, TestRowsObject, WantedRows } from '../../../../protocol/test-rows.ts';
import { defaultPreviewRows } from '../../../../protocol/query-results.ts';
import { type DataObject, findColumn, findDataObject } from '../../catalog/catalog.ts';
import { catalogOf } from '../../catalog/graph-catalog.ts';
import { graphColumns } from '../../graph-tests/graph-columns.ts';
import type { Preview } from '../../connectors/connector.ts';
import { dataSourceNamed } from '../../model/data-sources-used.ts';
import type { EntityGraph, EntitySource, MasterData } from '../../model/entity-graph.ts';
import { type GraphFile, type ProjectContext, openProject } from '../../project/open-project.ts';
import { buildMasterDataQuery } from '../../query/build-query.ts';
import type { MasterDataQuery } from '../../query/compiled-query.ts';
import { findTarget } from '../../query/find-target.ts';
import { someRows } from '../../query/some-rows.ts';
import { identifierKey, mentionedNames } from '../../query/sql-names.ts';
import { openSources } from '../imports/open-sources.ts';
import { OperationError, problemFailure, queryFailure } from '../operation-error.ts';

/** Rows of an entity that are read at most, of each data object. */
const mostRows = 1000;

/**
 * Reads rows of data objects for a test: the columns that the graph names, of the rows of some queries, or of one
 * entity. Rejects with an `OperationError`, such as when chosen rows are not there any more.
 */
export async function readTestRows(
  file: GraphFile,
  { targets, chosen }: WantedRows,
  projectContext: ProjectContext,
  { signal, limit = defaultPreviewRows }: { readonly signal: AbortSignal; readonly limit?: number | undefined },
): Promise<TestRows> {
  const whole = await openProject(file, projectContext);
  const { graph } = whole.parsed;
  const entries = targets.flatMap((target) => {
    const found = findTarget(graph, target);
    if (!found || found.kind === 'relationship' || target.kind === 'relationship') return [];
    const entry = found.kind === 'element' ? found.element : found.entry;
    return [{ target, entry }];
  });
  const read = { ...whole.parsed.graph, elements: [], relationships: [], entities: entries.map(entityOf) };
  const opened = await openSources({ ...whole, parsed: { ...whole.parsed, graph: read } }, projectContext, {
    signal,
    mayReuse: true,
  });
  const objects: TestRowsObject[] = [];
  try {
    const seen = new Set<string>();
    for (const { target, entry } of entries) {
      const key = target.only?.kind === 'key' ? target.only.key : undefined;
      const same = JSON.stringify([dataSourceNamed(graph, entry), entry.dataObject?.value, entry.key, key], ownValue);
      if (key !== undefined && seen.has(same)) continue;
      seen.add(same);
      const catalog = catalogOf(opened.catalog, entry);
      const source = opened.sources.find(({ name }) => name === catalog?.dataSource);
      const object = catalog && entry.dataObject && findDataObject(catalog, entry.dataObject.value);
      if (!catalog || !source || !object) continue;
      const columns = neededColumns(graph, entry, object, catalog);
      const built = buildMasterDataQuery(rowsOf(entry, columns, key !== undefined), opened.catalog);
      if ('problems' in built) throw problemFailure(built.problems, file);
      const query = target.only ? someRows(built.query, target.only, source.connector.timeZone) : built.query;
      if (!query) throw cannotTell(target.name, file);
      const preview = await source.connector
        .preview(query, { limit: key === undefined ? limit : mostRows, signal })
        .catch((error: unknown) => {
          throw queryFailure(error, query, file, undefined);
        });
      objects.push(tableOf(object, columns, query, preview));
    }
  } finally {
    await opened.close();
  }
  const kept = chosen ? objects.map((object) => onlyChosen(object, chosen, file)) : objects;
  if (kept.some(({ rows }) => rows.length > 0)) return { objects: kept.filter(({ rows }) => rows.length > 0) };
  throw new OperationError({
    code: 'no-rows',
    message: 'These rows are not in the data source any more.',
    file: file.path,
    remedy: 'Run the query again, and choose from its rows.',
  });

  function entityOf({ entry }: (typeof entries)[number]): MasterData {
    return rowsOf(entry, [], true);
  }
}

/** Places in the text do not tell keys apart. */
function ownValue(key: string, value: unknown): unknown {
  return key === 'range' ? undefined : value;
}

/** The rows of an entry as those of an entry of `entities`. @param isOfEntity all rows, not only those that the entry keeps */
function rowsOf(entry: EntitySource, columns: readonly string[], isOfEntity: boolean): MasterData {
  const { index, range, dataSource, dataObject, key, joins, where } = entry;
  return {
    ...{ isMasterData: true, index, range },
    properties: { kind: 'list', columns: columns.map((value) => ({ value, range })) },
    ...(dataSource && { dataSource }),
    ...(dataObject && { dataObject }),
    ...(key && { key }),
    ...(!isOfEntity && joins && { joins }),
    ...(!isOfEntity && where && { where }),
  };
}

/** The columns that the graph names, also in its SQL, in the order of the data object. */
function neededColumns(
  graph: EntityGraph,
  entry: EntitySource,
  object: DataObject,
  { dataSource, dialect }: { readonly dataSource: string; readonly dialect: Parameters<typeof graphColumns>[2] },
): readonly string[] {
  const name = entry.dataObject?.value ?? '';
  const named = graphColumns(graph, dataSource, dialect).get(name)?.columns;
  const isOfObject = (each: EntitySource): boolean => each.dataObject?.value === name;
  const readers = [...graph.elements, ...graph.entities].filter(isOfObject);
  const readsAll = readers.some(({ properties }) => properties.kind === 'all');
  const sql = [
    ...[...graph.elements, ...graph.entities].flatMap(({ joins, where }) => [joins, where]),
    ...graph.elements.flatMap(({ startExpression, changeExpression }) => [startExpression, changeExpression]),
    ...graph.relationships.flatMap(({ mappings }) =>
      mappings.map((mapping) => (mapping.kind === 'expression' ? mapping.expression : undefined)),
    ),
  ];
  const mentioned = new Set(sql.flatMap((each) => (each ? [...mentionedNames(each.value, dialect)] : [])));
  return object.columns
    .filter(
      ({ name: column }) =>
        readsAll ||
        named?.has(column) === true ||
        object.primaryKey.includes(column) ||
        mentioned.has(identifierKey(column, dialect)),
    )
    .map(({ name: column }) => column);
}

function tableOf(
  object: DataObject,
  columns: readonly string[],
  { roles, known = [] }: MasterDataQuery,
  preview: Preview,
): TestRowsObject {
  const keyed = new Map(known.filter(({ name }) => roles.key.includes(name)).map((each) => [each.column, each.name]));
  const places = columns.map((column, index) => {
    // A key is the text that a file has.
    const result = keyed.get(column) ?? roles.properties[index];
    return preview.columns.findIndex(({ name }) => name === result);
  });
  return {
    dataObject: object.name,
    columns: columns.map((name) => {
      const column = findColumn(object, name);
      const sense = column?.sense;
      return {
        ...{ name, isKey: object.primaryKey.includes(name) },
        ...(column && { type: column.type }),
        isTime: sense === 'timestamp' || sense === 'date',
        isNumber: sense === 'integer' || sense === 'number',
      };
    }),
    rows: preview.rows.map((row) => places.map((place) => row[place] ?? null)),
  };
}

/** The rows that have the values of those that were chosen, in the columns that both have. */
function onlyChosen(
  object: TestRowsObject,
  { columns, rows }: NonNullable<WantedRows['chosen']>,
  file: GraphFile,
): TestRowsObject {
  const shared = columns.flatMap((name, index) => {
    const at = object.columns.findIndex((column) => column.name === name);
    return at < 0 ? [] : [{ index, at }];
  });
  const wanted = new Map<string, number>();
  for (const row of rows) {
    const values = JSON.stringify(shared.map(({ index }) => String(row[index] ?? '')));
    wanted.set(values, (wanted.get(values) ?? 0) + 1);
  }
  const kept = object.rows.filter((row) => {
    const values = JSON.stringify(shared.map(({ at }) => String(row[at] ?? '')));
    const left = wanted.get(values) ?? 0;
    wanted.set(values, left - 1);
    return left > 0;
  });
  if (kept.length === rows.length) return { ...object, rows: kept };
  throw new OperationError({
    code: 'no-rows',
    message: `${rows.length - kept.length} of the ${rows.length} rows are not there any more, or have changed.`,
    file: file.path,
    remedy: 'Run the query again, and choose from its rows.',
  });
}

function cannotTell(name: string, file: GraphFile): OperationError {
  return new OperationError({
    code: 'no-rows',
    message: `The rows of one entity of ${name} cannot be told: the type of its key is not compared exactly.`,
    file: file.path,
    remedy: 'Choose rows in the results of Test Query.',
  });
}
