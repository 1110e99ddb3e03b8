import type { TestRows, TestRowsObject, WantedRows } from '../../../../protocol/test-rows.ts';
import { defaultPreviewRows } from '../../../../protocol/preview-limits.ts';
import { type DataObject, findDataObject } from '../../catalog/catalog.ts';
import { catalogOf } from '../../catalog/graph-catalog.ts';
import { mergeTables } from '../../graph-tests/merge-rows.ts';
import { joinedTables, neededColumns } from '../../graph-tests/needed-columns.ts';
import type { Connector, OperationOptions } from '../../connectors/connector.ts';
import { dataSourceNamed } from '../../model/data-sources-used.ts';
import type { EntityElement, EntityGraph, MasterData } from '../../model/entity-graph.ts';
import { type GraphFile, type ProjectContext, openProject } from '../../project/open-project.ts';
import { buildMasterDataQuery } from '../../query/build-query.ts';
import { findTarget } from '../../query/find-target.ts';
import { someRows } from '../../query/some-rows.ts';
import { elementOf, lackingRelationships, tablesInSql } from './other-tables.ts';
import { type OpenedSources, openSources } from '../imports/open-sources.ts';
import { type ReadRows, namesOf, onlyChosen, rowsOf, tableOf } from './read-tables.ts';
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
  const entries = targets.flatMap((target): ReadEntry[] => {
    const found = findTarget(graph, target);
    if (!found || found.kind === 'relationship' || target.kind === 'relationship') return [];
    const entry = found.kind === 'element' ? found.element : found.entry;
    return [{ target, entry }];
  });
  const read = {
    ...graph,
    elements: [],
    relationships: [],
    entities: entries.map(({ entry }) => rowsOf(entry, [], ['joins'])),
  };
  const opened = await openSources({ ...whole, parsed: { ...whole.parsed, graph: read } }, projectContext, {
    signal,
    onProgress,
    mayReuse: true,
  });
  const tables: TestRowsObject[] = [];
  const missing: string[] = [];
  const reading: Reading = { file, graph, opened, limit, signal, onProgress };
  try {
    const seen = new Set<string>();
    for (const each of entries) {
      const same = sameRows(graph, each);
      if (same !== undefined && seen.has(same)) continue;
      if (same !== undefined) seen.add(same);
      tables.push(...(await tablesOfEntry(reading, each, chosen)));
    }
    const others = await readOtherTables(reading, entries, new Set(tables.map(({ dataObject }) => dataObject)));
    tables.push(...others.tables);
    missing.push(...others.missing);
  } finally {
    await opened.close();
  }
  const objects = mergeTables(tables).filter(({ rows }) => rows.length > 0);
  if (objects.length === 0) {
    throw new OperationError({
      code: 'no-rows',
      message: 'These rows are not in the data source any more.',
      file: file.path,
      remedy: 'Run the query again, and choose from its rows.',
    });
  }
  missing.push(...missingEnds(graph, entries, tables));
  return { objects, missing: missing.length > 0 ? missing : undefined };
}

/** An entry whose rows are read. */
interface ReadEntry {
  readonly target: Exclude<WantedRows['targets'][number], { readonly kind: 'relationship' }>;
  readonly entry: EntityElement | MasterData;
}

/** What all queries need. */
interface Reading extends OperationOptions {
  readonly file: GraphFile;
  readonly graph: EntityGraph;
  readonly opened: OpenedSources;
  readonly limit: number;
}

function keyOf({ target }: ReadEntry): string | undefined {
  return target.only?.kind === 'key' ? target.only.key : undefined;
}

/** Equal for entries with the same rows of one entity; undefined if an entry is not read by a key. */
function sameRows(graph: EntityGraph, read: ReadEntry): string | undefined {
  const { dataObject, key, joins } = read.entry;
  const wanted = keyOf(read);
  if (wanted === undefined) return undefined;
  return JSON.stringify([dataSourceNamed(graph, read.entry), dataObject?.value, key, joins?.value, wanted], ownValue);
}

/** The rows of the data object of an entry, and of those that it joins. */
async function tablesOfEntry(
  reading: Reading,
  read: ReadEntry,
  chosen: WantedRows['chosen'],
): Promise<readonly TestRowsObject[]> {
  const { graph, opened, file } = reading;
  const { entry } = read;
  const key = keyOf(read);
  const catalog = catalogOf(opened.catalog, entry);
  const source = opened.sources.find(({ name }) => name === catalog?.dataSource);
  const object = catalog && entry.dataObject && findDataObject(catalog, entry.dataObject.value);
  if (!catalog || !source || !object) return [];
  const own = { object, columns: neededColumns(graph, object, catalog), names: (column: string) => column };
  const joined = joinedTables(graph, entry, object, catalog).map(({ alias, ...table }) => ({
    ...table,
    names: (column: string) => `${alias}.${column}`,
  }));
  const wide = [own, ...joined].flatMap(({ columns, names }) => columns.map(names));
  // All rows of an entity, including rows that its joins and filters exclude.
  const ofEntity = { ...reading, read, connector: source.connector, object };
  const alone = key === undefined ? undefined : await rowsOfEntry(ofEntity, rowsOf(entry, own.columns, []));
  const tables = alone ? [tableOf(own, alone, { isJoined: false })] : [];
  if (alone && joined.length === 0) return tables;
  const whole = await rowsOfEntry(ofEntity, rowsOf(entry, wide, key === undefined ? ['joins', 'where'] : ['joins']));
  if (!whole) return tables;
  const { timeZone = { value: '' } } = entry;
  const zones = timeZone.value === '' ? undefined : { own: timeZone.value, ofSource: source.connector.timeZone };
  const kept = chosen ? onlyChosen(whole, chosen, file, zones) : whole;
  if (!alone) tables.push(tableOf(own, kept, { isJoined: entry.joins !== undefined }));
  return [...tables, ...joined.map((table) => tableOf(table, kept, { isJoined: true }))];
}

interface EntryReading extends Reading {
  readonly read: ReadEntry;
  readonly connector: Connector;
  readonly object: DataObject;
}

/** Undefined if the key of an entity is not among these rows. */
async function rowsOfEntry(
  { read, connector, object, opened, file, limit, signal, onProgress }: EntryReading,
  rows: MasterData,
): Promise<ReadRows | undefined> {
  const { target, entry } = read;
  const built = buildMasterDataQuery(rows, opened.catalog);
  if ('problems' in built) {
    // The key of an entity may be a column of a joined table.
    if (entry.joins && !rows.joins) return undefined;
    throw problemFailure(built.problems, file);
  }
  const query = target.only ? someRows(built.query, target.only, connector.timeZone) : built.query;
  if (!query) throw cannotTell(target.name, file);
  onProgress?.(`Reading the rows of ${object.name}`);
  const most = keyOf(read) === undefined ? limit : mostRows;
  const preview = await connector.preview(query, { limit: most, signal, onProgress }).catch((error: unknown) => {
    throw queryFailure(error, query, file, undefined);
  });
  return { columns: namesOf(rows), query, preview };
}

/** Reads data objects in subqueries and parentheses completely, if they are small and make no events. */
async function readOtherTables(
  { graph, opened, file, signal }: Reading,
  entries: readonly ReadEntry[],
  given: ReadonlySet<string>,
): Promise<{ readonly tables: readonly TestRowsObject[]; readonly missing: readonly string[] }> {
  const tables: TestRowsObject[] = [];
  const missing: string[] = [];
  const asked = new Set(given);
  for (const { target, entry } of entries) {
    const catalog = catalogOf(opened.catalog, entry);
    const source = opened.sources.find(({ name }) => name === catalog?.dataSource);
    if (!catalog || !source) continue;
    for (const object of tablesInSql(entry, catalog)) {
      if (asked.has(object.name)) continue;
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
  return { tables, missing };
}

/** Relationships for which a data object is not given. */
function missingEnds(
  graph: EntityGraph,
  entries: readonly ReadEntry[],
  tables: readonly TestRowsObject[],
): readonly string[] {
  const given = new Set(tables.map(({ dataObject }) => dataObject));
  const read = entries.map(({ entry }) => entry);
  return lackingRelationships(graph, read, given).map(({ relationship, dataObjects }) => {
    const { source, target } = relationship;
    const name = relationship.name?.value ?? `${source?.value ?? ''} -> ${target?.value ?? ''}`;
    return `Not given: rows of ${dataObjects.join(' and ')}, which the relationship "${name}" reads.`;
  });
}

/** Places in the text do not tell keys apart. */
function ownValue(key: string, value: unknown): unknown {
  return key === 'range' ? undefined : value;
}

function cannotTell(name: string, file: GraphFile): OperationError {
  return new OperationError({
    code: 'no-rows',
    message: `The rows of one entity of ${name} cannot be told: the type of its key is not compared exactly.`,
    file: file.path,
    remedy: 'Choose rows in the results of Test Query.',
  });
}
