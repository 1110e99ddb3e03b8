import type { ChangeKind, ChangePart } from '../../../../protocol/graph-changes.ts';
import type { SchemaChange } from '../../../../protocol/graph-diff.ts';
import type { TestQueryResult } from '../../../../protocol/query-results.ts';
import { elementTables } from '../../export/element-tables.ts';
import { masterDataTables } from '../../export/master-data-tables.ts';
import { type ComparedChanges, type ComparedGraphs, compareGraphs } from '../../graph-changes/compare-graphs.ts';
import type { MeasuredSides } from '../../graph-changes/measure-changes.ts';
import { type PropertyTable, comparedTables } from '../../graph-changes/compared-schema.ts';
import { storedTables } from '../../graph-schema/stored-tables.ts';
import { embeddedLiteral } from '../../query/quote.ts';
import { type DuckDbSession, openScratch } from '../../store/duckdb-store.ts';
import { judgedBy } from '../../lineage/dependents.ts';
import { lineageOf } from '../../lineage/lineage.ts';
import { unitOf } from '../../measure-kinds/measure-sql.ts';
import { parseEntityGraph } from '../../model/parse-model.ts';
import { openGraphStore } from './open-graph-store.ts';

/** The tables of a store whose columns depend on its entity graph. */
interface StoredProperties {
  readonly elements: readonly PropertyTable[];
  /** The entries of `entities`, and their tables of values over time. */
  readonly entries: readonly PropertyTable[];
  readonly versions: readonly PropertyTable[];
  /** Whether it has the tables of rules. */
  readonly isJudged: boolean;
  /** Whether it has the tables of the process map. */
  readonly isMapped: boolean;
  /** The units of its measures, by name; undefined without tables of measures. */
  readonly measures: MeasuredSides['before'];
  /** Its text. */
  readonly text: string;
}

/** Rejects like `openGraphStore`. */
export async function propertyTables(path: string): Promise<StoredProperties> {
  const store = await openGraphStore(path);
  try {
    const elements = (await elementTables(store)).map(({ activityName: name, table, properties }) => ({
      name,
      table,
      properties,
    }));
    const entries = await masterDataTables(store);
    const versions = entries.flatMap(({ valuesTable, ...entry }) =>
      valuesTable === undefined ? [] : [{ ...entry, table: valuesTable }],
    );
    const schemas = new Set((await storedTables(store)).map(({ schema }) => schema));
    const [run] = await store.query('SELECT config FROM run');
    const text = String(run?.['config']);
    const measures = schemas.has('measure') ? unitsOf(text) : undefined;
    return {
      elements,
      entries,
      versions,
      measures,
      text,
      isJudged: schemas.has('rule'),
      isMapped: schemas.has('process_map'),
    };
  } finally {
    await store.close();
  }
}

/** The store has the values of durations; whether they are working time is in its text only. */
function unitsOf(text: string): NonNullable<MeasuredSides['before']> {
  const { measures } = parseEntityGraph(text).graph;
  return new Map(measures.map((measure) => [measure.name?.value ?? '', unitOf(measure)]));
}

/** What two stores are compared by. */
export function comparedGraphs(before: StoredProperties, after: StoredProperties): ComparedGraphs {
  return {
    elements: comparedTables(before.elements, after.elements),
    entries: comparedTables(before.entries, after.entries),
    versions: comparedTables(before.versions, after.versions),
    judged: { before: before.isJudged, after: after.isJudged },
    measured: { before: before.measures, after: after.measures },
    mapped: { before: before.isMapped, after: after.isMapped },
  };
}

/** By the names of elements, entries of `entities` and properties: their order does not matter. */
export function schemaChanges(before: StoredProperties, after: StoredProperties): readonly SchemaChange[] {
  const [old, now] = [propertyTypes(before), propertyTypes(after)];
  const differing = [...new Set([...old.keys(), ...now.keys()])].filter((key) => old.get(key) !== now.get(key));
  if (differing.length === 0) return [];
  const users = [before, after].map(({ text }) => usersOfProperties(text));
  return differing.map((key) => {
    const [element = '', property = ''] = JSON.parse(key) as string[];
    const [was, is] = [old.get(key), now.get(key)];
    const usedBy = [...new Set(users.flatMap((of) => of.get(key) ?? []))];
    return {
      element,
      property,
      ...(was === undefined ? {} : { before: was }),
      ...(is === undefined ? {} : { after: is }),
      ...(usedBy.length > 0 && { usedBy }),
    };
  });
}

/** The rules and measures of a text that depend on each property, in words. */
function usersOfProperties(text: string): ReadonlyMap<string, readonly string[]> {
  const lineage = lineageOf(parseEntityGraph(text).graph, undefined);
  const users = judgedBy(lineage);
  const found = new Map<string, readonly string[]>();
  for (const output of lineage) {
    if (output.kind !== 'property') continue;
    const key = JSON.stringify([output.of, output.name]);
    found.set(key, [...(found.get(key) ?? []), ...users([output])]);
  }
  return found;
}

function propertyTypes({ elements, entries }: StoredProperties): ReadonlyMap<string, string> {
  return new Map(
    [...elements, ...entries].flatMap((table) =>
      table.properties.map(({ name, storedType }) => [JSON.stringify([table.name, name]), storedType] as const),
    ),
  );
}

/** A number of a comparison, of one thing or, without `name`, of all. */
export interface ChangedRowsOf {
  readonly part: ChangePart;
  readonly kind: ChangeKind;
  readonly name?: string | undefined;
  /** Maximum number of rows. */
  readonly limit: number;
}

/** The rows behind a number, for the results grid. @param started in the clock of `performance.now()` */
export async function changedRowsTable(
  compared: ComparedChanges,
  { part, kind, name, limit }: ChangedRowsOf,
  started: number,
): Promise<TestQueryResult> {
  const { columns, rows, truncated } = await compared.rows(part, kind, limit, name);
  return {
    columns: columns.map((column, place) => ({
      name: column,
      type: '',
      nulls: rows.filter((row) => row[place] === null).length,
    })),
    rows,
    truncated,
    durationMs: performance.now() - started,
    warnings: [],
  };
}

/** Compares two stores; the rows of the changes can be read until `use` is done. Rejects like the store. */
export async function compareStores<T>(
  { before, after }: { readonly before: string; readonly after: string },
  signal: AbortSignal,
  use: (compared: ComparedChanges, schema: readonly SchemaChange[], both: DuckDbSession) => Promise<T>,
): Promise<T> {
  const [old, now] = [await propertyTables(before), await propertyTables(after)];
  const both = await openScratch({ memoryLimit: '1GB' });
  try {
    await both.run(`ATTACH ${embeddedLiteral(before)} AS before (READ_ONLY)`);
    await both.run(`ATTACH ${embeddedLiteral(after)} AS after (READ_ONLY)`);
    return await use(await compareGraphs(both, comparedGraphs(old, now), { signal }), schemaChanges(old, now), both);
  } finally {
    await both.close();
  }
}
