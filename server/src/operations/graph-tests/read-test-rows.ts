import type { TestRows, TestRowsObject, WantedRows } from '../../../../protocol/test-rows.ts';
import { defaultPreviewRows } from '../../../../protocol/preview-limits.ts';
import { type DataObject, findColumn, findDataObject } from '../../catalog/catalog.ts';
import { catalogOf } from '../../catalog/graph-catalog.ts';
import { distinctRows, mergeTables } from '../../graph-tests/merge-rows.ts';
import { joinedTables, neededColumns } from '../../graph-tests/needed-columns.ts';
import type { OperationOptions, Preview } from '../../connectors/connector.ts';
import { dataSourceNamed } from '../../model/data-sources-used.ts';
import type { EntitySource, MasterData } from '../../model/entity-graph.ts';
import { type GraphFile, type ProjectContext, openProject } from '../../project/open-project.ts';
import { buildMasterDataQuery } from '../../query/build-query.ts';
import type { MasterDataQuery } from '../../query/compiled-query.ts';
import { findTarget } from '../../query/find-target.ts';
import { someRows } from '../../query/some-rows.ts';
import { elementOf, lackingRelationships, tablesInSql } from './other-tables.ts';
import { openSources } from '../imports/open-sources.ts';
import { OperationError, problemFailure, queryFailure } from '../operation-error.ts';

interface ReadTestRowsOptions extends OperationOptions {
  /** Maximum number of rows of each query. */
  readonly limit?: number | undefined;
}

/** Rows of an entity that are read at most, of each data object. */
const mostRows = 1000;

/** The most rows of a data object that only SQL reads, for which all of its rows are given. */
const mostOtherRows = 100;

/**
 * Reads rows of data objects for a test, with the columns that the graph names: rows of some queries or of one entity,
 * rows that their joins add, and small data objects that only their SQL reads. Lists other data objects that the graph
 * reads. Rejects with an `OperationError`, such as when chosen rows no longer exist.
 */
export async function readTestRows(
  file: GraphFile,
  { targets, chosen }: WantedRows,
  projectContext: ProjectContext,
  { signal, onProgress, limit = defaultPreviewRows }: ReadTestRowsOptions,
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
    onProgress,
    mayReuse: true,
  });
  const tables: TestRowsObject[] = [];
  const missing: string[] = [];
  try {
    const seen = new Set<string>();
    for (const { target, entry } of entries) {
      const key = target.only?.kind === 'key' ? target.only.key : undefined;
      const { joins } = entry;
      const same = JSON.stringify(
        [dataSourceNamed(graph, entry), entry.dataObject?.value, entry.key, joins?.value, key],
        ownValue,
      );
      if (key !== undefined && seen.has(same)) continue;
      seen.add(same);
      const catalog = catalogOf(opened.catalog, entry);
      const source = opened.sources.find(({ name }) => name === catalog?.dataSource);
      const object = catalog && entry.dataObject && findDataObject(catalog, entry.dataObject.value);
      if (!catalog || !source || !object) continue;
      const own = { object, columns: neededColumns(graph, object, catalog), names: (column: string) => column };
      const joined = joinedTables(graph, entry, object, catalog).map(({ alias, ...table }) => ({
        ...table,
        names: (column: string) => `${alias}.${column}`,
      }));
      const read = async (rows: MasterData): Promise<ReadRows | undefined> => {
        const built = buildMasterDataQuery(rows, opened.catalog);
        if ('problems' in built) {
          // The key of an entity may be a column of a joined table.
          if (joins && !rows.joins) return undefined;
          throw problemFailure(built.problems, file);
        }
        const query = target.only ? someRows(built.query, target.only, source.connector.timeZone) : built.query;
        if (!query) throw cannotTell(target.name, file);
        onProgress?.(`Reading the rows of ${object.name}`);
        const preview = await source.connector
          .preview(query, { limit: key === undefined ? limit : mostRows, signal, onProgress })
          .catch((error: unknown) => {
            throw queryFailure(error, query, file, undefined);
          });
        return { columns: namesOf(rows), query, preview };
      };
      const wide = [own, ...joined].flatMap(({ columns, names }) => columns.map(names));
      // All rows of an entity, including rows that its joins and filters exclude.
      const alone = key === undefined ? undefined : await read(rowsOf(entry, own.columns, []));
      if (alone) tables.push(tableOf(own, alone, { isJoined: false }));
      if (alone && joined.length === 0) continue;
      const whole = await read(rowsOf(entry, wide, key === undefined ? ['joins', 'where'] : ['joins']));
      if (!whole) continue;
      const kept = chosen ? onlyChosen(whole, chosen, file) : whole;
      if (!alone) tables.push(tableOf(own, kept, { isJoined: joins !== undefined }));
      tables.push(...joined.map((table) => tableOf(table, kept, { isJoined: true })));
    }
    await readOtherTables();
  } finally {
    await opened.close();
  }
  const objects = mergeTables(tables).filter(({ rows }) => rows.length > 0);
  if (objects.length > 0) {
    for (const { relationship, dataObjects } of lackingRelationships(
      graph,
      entries.map(({ entry }) => entry),
      new Set(tables.map(({ dataObject }) => dataObject)),
    )) {
      const { source, target } = relationship;
      const name = relationship.name?.value ?? `${source?.value ?? ''} -> ${target?.value ?? ''}`;
      missing.push(`Not given: rows of ${dataObjects.join(' and ')}, which the relationship "${name}" reads.`);
    }
    return { objects, missing: missing.length > 0 ? missing : undefined };
  }
  throw new OperationError({
    code: 'no-rows',
    message: 'These rows are not in the data source any more.',
    file: file.path,
    remedy: 'Run the query again, and choose from its rows.',
  });

  /** Reads data objects in subqueries and parentheses completely, if they are small and make no events. */
  async function readOtherTables(): Promise<void> {
    const asked = new Set<string>();
    for (const { target, entry } of entries) {
      const catalog = catalogOf(opened.catalog, entry);
      const source = opened.sources.find(({ name }) => name === catalog?.dataSource);
      if (!catalog || !source) continue;
      for (const object of tablesInSql(entry, catalog)) {
        if (asked.has(object.name) || tables.some(({ dataObject }) => dataObject === object.name)) continue;
        asked.add(object.name);
        const lacks = (why: string): void =>
          void missing.push(`Not given: rows of ${object.name}, which the SQL of "${target.name}" reads: ${why}.`);
        const element = elementOf(graph, object.name, catalog.dataSource);
        if (element) {
          lacks(`they would be events of "${element.activityName?.value ?? ''}"`);
          continue;
        }
        const columns = neededColumns(graph, object, catalog);
        const { range, dataSource } = entry;
        // A query of rows has a key; which column it is does not matter here.
        const key = columns.slice(0, 1).map((value) => ({ value, range }));
        const dataObject = { value: object.name, range };
        const all = { index: 0, range, dataObject, key, ...(dataSource && { dataSource }) };
        const rows = rowsOf(all, columns, []);
        const built = columns.length === 0 ? undefined : buildMasterDataQuery(rows, opened.catalog);
        if (!built || 'problems' in built) {
          lacks('the graph names none of its columns');
          continue;
        }
        const { query } = built;
        const preview = await source.connector
          .preview(query, { limit: mostOtherRows, signal })
          .catch((error: unknown) => {
            throw queryFailure(error, query, file, undefined);
          });
        if (preview.truncated) lacks(`there are more than ${mostOtherRows}`);
        else {
          const own = { object, columns, names: (column: string) => column };
          tables.push(tableOf(own, { columns: namesOf(rows), query, preview }, { isJoined: false }));
        }
      }
    }
  }

  function entityOf({ entry }: (typeof entries)[number]): MasterData {
    return rowsOf(entry, [], ['joins']);
  }
}

/** Places in the text do not tell keys apart. */
function ownValue(key: string, value: unknown): unknown {
  return key === 'range' ? undefined : value;
}

type RowsSource = Pick<EntitySource, 'index' | 'range' | 'dataSource' | 'dataObject' | 'key' | 'joins' | 'where'>;

/** The rows of an entry, read as an entry of `entities`. @param parts the parts of its SQL that apply */
function rowsOf(entry: RowsSource, columns: readonly string[], parts: readonly ('joins' | 'where')[]): MasterData {
  const { index, range, dataSource, dataObject, key, joins, where } = entry;
  return {
    isMasterData: true,
    index,
    range,
    properties: { kind: 'list', columns: columns.map((value) => ({ value, range })) },
    ...(dataSource && { dataSource }),
    ...(dataObject && { dataObject }),
    ...(key && { key }),
    ...(parts.includes('joins') && joins && { joins }),
    ...(parts.includes('where') && where && { where }),
  };
}

function namesOf({ properties }: MasterData): readonly string[] {
  return properties.kind === 'list' ? properties.columns.map(({ value }) => value) : [];
}

/** The rows of a query, and the names of its columns. */
interface ReadRows {
  readonly columns: readonly string[];
  readonly query: MasterDataQuery;
  readonly preview: Pick<Preview, 'columns' | 'rows'>;
}

/** A data object in a query. */
interface ReadObject {
  readonly object: DataObject;
  readonly columns: readonly string[];
  /** The name of a column in the query. */
  readonly names: (column: string) => string;
}

/**
 * The rows of a data object. Joins repeat them, and have none where everything is NULL.
 * @param isJoined whether they went through joins
 */
function tableOf(
  { object, columns, names }: ReadObject,
  { query, columns: read, preview }: ReadRows,
  { isJoined }: { readonly isJoined: boolean },
): TestRowsObject {
  const place = placesIn(query, preview);
  const places = columns.map((column) => place(names(column), read));
  const valuesOf = (row: Preview['rows'][number]): TestRowsObject['rows'][number] =>
    places.map((at) => row[at] ?? null);
  const { rowOrder } = query.roles;
  const order = rowOrder === undefined ? -1 : preview.columns.findIndex(({ name }) => name === rowOrder);
  const isOwn = columns.every((column) => names(column) === column);
  const rows = isJoined
    ? // The number of a row tells equal rows of a file apart.
      distinctRows(preview.rows, (row) => (isOwn && order >= 0 ? row[order] : valuesOf(row)))
    : preview.rows;
  return {
    dataObject: object.name,
    columns: columns.map((name) => {
      const column = findColumn(object, name);
      const sense = column?.sense;
      return {
        name,
        isKey: object.primaryKey.includes(name),
        ...(column && { type: column.type }),
        isTime: sense === 'timestamp' || sense === 'date',
        isNumber: sense === 'integer' || sense === 'number',
      };
    }),
    rows: rows.map(valuesOf).filter((row) => !isJoined || row.some((value) => value !== null)),
  };
}

/** The index of a column in the rows, by its name in the query; negative if missing. */
function placesIn(
  { roles, known = [] }: MasterDataQuery,
  preview: Pick<Preview, 'columns'>,
): (name: string, read: readonly string[]) => number {
  // A key is the text that a file has.
  const keyed = new Map(known.filter(({ name }) => roles.key.includes(name)).map((each) => [each.column, each.name]));
  return (name, read) => {
    const result = keyed.get(name) ?? roles.properties[read.indexOf(name)];
    return preview.columns.findIndex((column) => column.name === result);
  };
}

/** The rows that equal a chosen row in all common columns. */
function onlyChosen(read: ReadRows, { columns, rows }: NonNullable<WantedRows['chosen']>, file: GraphFile): ReadRows {
  const place = placesIn(read.query, read.preview);
  const shared = columns.flatMap((name, index) => {
    const at = read.columns.includes(name) ? place(name, read.columns) : -1;
    return at < 0 ? [] : [{ index, at }];
  });
  const wanted = new Map<string, number>();
  for (const row of rows) {
    const values = JSON.stringify(shared.map(({ index }) => String(row[index] ?? '')));
    wanted.set(values, (wanted.get(values) ?? 0) + 1);
  }
  const kept = read.preview.rows.filter((row) => {
    const values = JSON.stringify(shared.map(({ at }) => String(row[at] ?? '')));
    const left = wanted.get(values) ?? 0;
    wanted.set(values, left - 1);
    return left > 0;
  });
  if (kept.length === rows.length) return { ...read, preview: { ...read.preview, rows: kept } };
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
