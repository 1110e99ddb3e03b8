import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EntityGraph } from '../../server/src/model/entity-graph.ts';
import type { Drafted } from '../support/draft-projects.ts';
import { projectFolder } from '../support/vscode-host.ts';

type OneOf = readonly string[] | { readonly any: readonly string[] };

/** The expert's choice; see test/data/drafts.json. */
export interface Expectation {
  readonly key?: OneOf;
  readonly time?: OneOf;
  readonly activity?: OneOf;
  readonly change?: OneOf | Readonly<Record<string, string>>;
  readonly end?: OneOf;
  readonly sequence?: string;
  readonly objects?: OneOf;
  readonly times?: readonly string[] | Readonly<Record<string, string>>;
  readonly neverTimes?: readonly string[];
  readonly never?: Readonly<Record<string, string>>;
  readonly notEvents?: readonly string[];
  readonly keys?: Readonly<Record<string, readonly string[]>>;
  readonly timesOfDay?: Readonly<Record<string, string>>;
  readonly rows?: Readonly<Record<string, number>>;
  readonly related?: readonly (readonly [string, string])[];
  readonly kept?: { readonly elements: readonly string[]; readonly relationships: readonly string[] };
}

export type Expectations = Readonly<Record<string, Expectation>>;

export async function readExpectations(): Promise<Expectations> {
  return JSON.parse(await readFile(join(projectFolder, 'test/data/drafts.json'), 'utf8')) as Expectations;
}

/** Fails for a draft that differs from the expert's choice. */
export function expectExpertsChoice({ chosen, graph, text }: Drafted, expected: Expectation | undefined): void {
  assert.ok(expected, 'There are no expectations.');
  const columnsOf = (role: string, table?: string): readonly string[] =>
    chosen
      .filter((each) => each.role === role && (table === undefined || each.dataObject === table))
      .flatMap(({ columns }) => columns);
  const key = columnsOf('case').length > 0 ? columnsOf('case') : columnsOf('key');
  expectOne('key', key, expected.key);
  expectOne('time', columnsOf('time'), expected.time);
  expectOne('activity', columnsOf('activity'), expected.activity);
  if (expected.end !== undefined) expectOne('end', columnsOf('end'), expected.end);
  if (expected.sequence !== undefined) expectOne('sequence', columnsOf('sequence'), [expected.sequence]);
  const { change, times, objects } = expected;
  if (change !== undefined) {
    if (Array.isArray(change) || 'any' in change) expectOne('change', columnsOf('change'), change as OneOf);
    else expectEach('change', change as Readonly<Record<string, string>>, columnsOf);
  }
  if (Array.isArray(times)) assert.deepEqual(columnsOf('time'), times);
  else if (times) expectEach('time', times as Readonly<Record<string, string>>, columnsOf);
  for (const [table, columns] of Object.entries(expected.keys ?? {})) {
    assert.deepEqual(columnsOf('key', table), columns, `key of ${table}`);
  }
  for (const column of Object.values(expected.timesOfDay ?? {})) assert.ok(text.includes(column), column);
  const used = new Set([...columnsOf('time'), ...columnsOf('change')]);
  for (const column of expected.neverTimes ?? []) assert.ok(!used.has(column), column);
  for (const [table, column] of Object.entries(expected.never ?? {})) {
    const ofTable = table === '*' ? undefined : table;
    assert.ok(![...columnsOf('time', ofTable), ...columnsOf('change', ofTable)].includes(column), column);
  }
  const elements = graph.elements.map(({ dataObject }) => dataObject?.value);
  for (const table of expected.notEvents ?? []) assert.ok(!elements.includes(table), `${table} is no event`);
  if (objects && 'any' in objects) {
    const types = graph.elements.flatMap(({ correlatesWith = [] }) => correlatesWith.flatMap(({ key = [] }) => key));
    const columns = types.map(({ value }) => value);
    assert.deepEqual(new Set(columnsOf('object')), new Set(columns), 'objects in the graph are those that are told of');
    assert.ok(
      columns.some((column) => objects.any.includes(column)),
      `objects ${columns.join()}`,
    );
  } else if (objects) {
    const things = graph.entities.map(({ dataObject }) => dataObject?.value);
    for (const table of objects as readonly string[]) assert.ok(things.includes(table), `${table} is an object`);
  }
  const pairs = relatedTables(graph);
  for (const pair of expected.related ?? []) {
    assert.ok(pairs.has(pair.toSorted().join()), `${pair.join(' and ')} are related`);
  }
  if (expected.kept) expectKept(graph, expected.kept);
}

/** At least nine of ten elements, entities and relationships of a draft are among the expert's choices. */
function expectKept(graph: EntityGraph, kept: NonNullable<Expectation['kept']>): void {
  const tables = [...graph.elements, ...graph.entities].map(({ dataObject }) => dataObject?.value ?? '');
  const names = graph.relationships.map(({ name }) => name?.value ?? '');
  const wrong = [
    ...tables.filter((table) => !kept.elements.includes(table)),
    ...names.filter((name) => !kept.relationships.includes(name)),
  ];
  const all = tables.length + names.length;
  assert.ok(wrong.length <= 0.1 * all, `Of ${all}, these would not be kept: ${wrong.join(', ')}`);
}

/** Pairs of data objects with a relationship, each sorted. */
function relatedTables(graph: EntityGraph): ReadonlySet<string> {
  const tables = new Map([
    ...graph.elements.map(({ activityName, dataObject }) => [activityName?.value, dataObject?.value] as const),
    ...graph.entities.map(
      ({ name, entityType, dataObject }) => [(name ?? entityType)?.value, dataObject?.value] as const,
    ),
  ]);
  return new Set(
    graph.relationships.map(({ source, target }) =>
      [tables.get(source?.value) ?? '', tables.get(target?.value) ?? ''].toSorted().join(),
    ),
  );
}

function expectOne(role: string, found: readonly string[], expected: OneOf | undefined): void {
  if (expected === undefined) return;
  if ('any' in expected)
    assert.ok(found.length === 1 && expected.any.includes(found[0] ?? ''), `${role}: ${found.join()}`);
  else assert.deepEqual(found, expected, role);
}

function expectEach(
  role: string,
  expected: Readonly<Record<string, string>>,
  columnsOf: (role: string, table: string) => readonly string[],
): void {
  for (const [table, column] of Object.entries(expected))
    assert.deepEqual(columnsOf(role, table), [column], `${role} of ${table}`);
}
