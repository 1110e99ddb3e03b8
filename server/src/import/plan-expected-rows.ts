import { type GraphCatalog, catalogOf, dataObjectOf } from '../catalog/graph-catalog.ts';
import {
  type EntityGraph,
  type EntitySource,
  type MasterData,
  type RowExpectations,
  expectedColumns,
  masterDataName,
} from '../model/entity-graph.ts';
import type { Problem } from '../model/problem.ts';
import type { Located } from '../model/source-range.ts';
import { buildMasterDataQuery } from '../query/build-query.ts';
import type { ExpectedRows } from './build/expectation-counts.ts';
import type { StagedMasterData } from './build/master-data.ts';
import type { MasterDataPlan } from './plan-import.ts';

type ExpectingEntry = EntitySource & { readonly expect: RowExpectations };

/** Rows that are read once for all entries with expectations of them. */
export interface ExpectedRead {
  readonly plan: MasterDataPlan;
  readonly entries: readonly ExpectingEntry[];
  /** The key columns of each entry, as they were planned. */
  readonly keys: readonly (readonly Located<string>[])[];
}

/** Reduces a graph to its elements and entries with expectations. */
export function expectingGraph(graph: EntityGraph): EntityGraph {
  return {
    ...graph,
    elements: graph.elements.filter(expectsRows),
    entities: graph.entities.filter(expectsRows),
    relationships: [],
    rules: [],
  };
}

function expectsRows<Entry extends EntitySource>(entry: Entry): entry is Entry & ExpectingEntry {
  return entry.expect !== undefined;
}

/**
 * Plans to read the columns that the expectations of a graph name, and no others. Entries of the same rows (data object,
 * joins and where) are read once.
 */
export function planExpectedRows(
  graph: EntityGraph,
  catalog: GraphCatalog,
): { readonly reads: readonly ExpectedRead[] } | { readonly problems: readonly Problem[] } {
  const entries = [...graph.elements, ...graph.entities].filter(expectsRows);
  const problems: Problem[] = [];
  const reads = bySameRows(entries, graph).flatMap((same, index): readonly ExpectedRead[] => {
    const keys = same.map((entry) => keyRead(entry, catalog));
    const entry = readOf(same, keys, index);
    const built = buildMasterDataQuery(entry, catalog);
    if ('problems' in built) {
      problems.push(...built.problems);
      return [];
    }
    const plan = {
      number: index + 1,
      table: `expected_${index + 1}`,
      entry,
      entityType: '',
      query: built.query,
      dataSource: catalogOf(catalog, entry)?.dataSource ?? '',
      name: same.map(nameOf).join(', '),
    };
    return [{ plan, entries: same, keys }];
  });
  return problems.length > 0 ? { problems } : { reads };
}

/** The staged rows of a read, for each of its entries. */
export function expectedOf({ plan, entries, keys }: ExpectedRead, staged: StagedMasterData): readonly ExpectedRows[] {
  const { expect } = staged;
  if (!expect) throw new Error(`The rows of ${plan.name} were read without what they expect.`);
  const next = { key: 0, unique: 0, notNull: 0, values: 0 };
  const take = <Item>(of: keyof typeof next, items: readonly Item[], count: number): readonly Item[] =>
    items.slice(next[of], (next[of] += count));
  return entries.map((entry, index) => {
    const { expect: written } = entry;
    const isOfEntities = 'isMasterData' in entry;
    return {
      name: nameOf(entry),
      isOfEntities,
      table: plan.table,
      query: plan.query,
      written,
      step: `${isOfEntities ? 'entity_expectations' : 'expectations'}_${entry.index + 1}`,
      key: take('key', staged.key, keys[index]?.length ?? 0),
      expect: {
        unique: take('unique', expect.unique, written.unique.length),
        notNull: take('notNull', expect.notNull, written.notNull.length),
        values: take('values', expect.values, written.values.length),
      },
    };
  });
}

function nameOf(entry: ExpectingEntry): string {
  return ('isMasterData' in entry ? masterDataName(entry) : entry.activityName?.value) ?? '';
}

function bySameRows(entries: readonly ExpectingEntry[], graph: EntityGraph): readonly (readonly ExpectingEntry[])[] {
  const groups = new Map<string, ExpectingEntry[]>();
  for (const entry of entries) {
    const { dataSource = graph.dataSource, dataObject, joins, where } = entry;
    const rows = JSON.stringify([dataSource, dataObject, joins, where].map((part) => part?.value ?? null));
    const group = groups.get(rows) ?? [];
    group.push(entry);
    groups.set(rows, group);
  }
  return [...groups.values()];
}

/** The key columns, which name the row without a value. If no expectation needs them, a column that is read anyway. */
function keyRead(entry: ExpectingEntry, catalog: GraphCatalog): readonly Located<string>[] {
  const [read] = expectedColumns(entry);
  if (read && entry.expect.notNull.length === 0) return [read];
  if (entry.key && entry.key.length > 0) return entry.key;
  const range = entry.dataObject?.range ?? entry.range;
  return (dataObjectOf(entry, catalog)?.primaryKey ?? []).map((value) => ({ value, range }));
}

/** One entry of `entities` that reads the columns of all entries. */
function readOf(
  entries: readonly ExpectingEntry[],
  keys: readonly (readonly Located<string>[])[],
  index: number,
): MasterData {
  const [first] = entries;
  if (!first) throw new Error('A group of entries has one at least.');
  const { range, dataSource, dataObject, joins, where, expect } = first;
  const all = entries.map((entry) => entry.expect);
  return {
    isMasterData: true,
    index,
    range,
    key: keys.flat(),
    properties: { kind: 'list', columns: [] },
    expect: {
      ...expect,
      unique: all.flatMap(({ unique }) => unique),
      notNull: all.flatMap(({ notNull }) => notNull),
      values: all.flatMap(({ values }) => values),
    },
    ...(dataSource && { dataSource }),
    ...(dataObject && { dataObject }),
    ...(joins && { joins }),
    ...(where && { where }),
  };
}
