import type { CopiedTable, SplitGraph } from './split-sources.ts';
import { pick as pickOf, randomOf } from './random.ts';

/** A graph over small tables, and a data source for each of them; always the same for a seed. */
export interface RandomSplit {
  readonly tables: readonly CopiedTable[];
  readonly graph: SplitGraph;
  /** The kind of each table's data source, at least two of them; the first is that of the file. */
  readonly split: Readonly<Record<string, string>>;
}

type Kind = 'number' | 'text' | 'time' | 'truth';

/** Columns of every table: keys that repeat and are missing, references, values that compare across types. */
const columns: readonly { readonly name: string; readonly type: string; readonly kind: Kind }[] = [
  { name: 'id', type: 'bigint', kind: 'number' },
  { name: 'code', type: 'text', kind: 'text' },
  { name: 'ref', type: 'bigint', kind: 'number' },
  { name: 'label', type: 'text', kind: 'text' },
  { name: 'amount', type: 'double precision', kind: 'number' },
  { name: 'placed', type: 'timestamp without time zone', kind: 'time' },
  { name: 'changed', type: 'timestamp without time zone', kind: 'time' },
  { name: 'due', type: 'date', kind: 'time' },
  { name: 'paid', type: 'boolean', kind: 'truth' },
];
const texts = ['a', 'A', 'b ', ' b', 'ä', 'a%', 'a_c', 'abc', "o'k", '"q"', 'x,y', '10', '10.0', '9'];
const operators = ['=', '=', '=', '!=', '<', '<=', '>', '>='];

/** @param kinds of data sources to split over, at least two */
export function randomSplit(seed: number, kinds: readonly string[]): RandomSplit {
  const random = randomOf(seed + 1);
  const below = (limit: number): number => Math.floor(random() * limit);
  const pick = <T>(list: readonly T[]): T => pickOf(random, list);
  const names = Array.from({ length: 3 + below(3) }, (_, index) => `t${index}`);
  const drawn = names.map((name) => ({ name, columns, rows: rowsOf(3 + below(25)) }));

  function rowsOf(count: number) {
    return Array.from({ length: count }, (_, index) => {
      const placed = below(400) * 3600;
      const cells: Readonly<Record<string, () => string>> = {
        id: () => String(below(4) === 0 ? below(count) : index),
        code: () => `K${below(count)}`,
        ref: () => String(below(count)),
        label: () => pick(texts),
        amount: () => String(below(40) / 4),
        placed: () => timeAt(placed),
        changed: () => timeAt(placed + below(5) * 1800 - 1800),
        due: () => timeAt(placed).slice(0, 10),
        paid: () => String(below(2) === 0),
      };
      return columns.map(({ name }) => (below(name === 'id' ? 25 : 9) === 0 ? null : (cells[name]?.() ?? null)));
    });
  }

  const some = <T>(list: readonly T[]): readonly T[] => list.filter(() => below(2) === 0);
  const maybe = (oneIn: number, value: () => Readonly<Record<string, unknown>>) => (below(oneIn) === 0 ? value() : {});
  const keys = new Map(names.map((name) => [name, pick(['id', 'id', 'code', ['code', 'id']])]));
  const byCode = names.filter((name) => keys.get(name) === 'code').map((name) => `type ${name}`);
  const properties = () => some(columns.filter(({ name }) => name !== 'id')).map(({ name }) => name);

  const elements = Array.from({ length: 2 + below(3) }, (_, index) => {
    const dataObject = index === 0 ? (names[0] ?? '') : pick(names);
    return {
      activityName: `A${index}`,
      ...{
        dataObject,
        key: keys.get(dataObject),
        entityType: `type ${dataObject}`,
        startTimestamp: pick(['placed', 'placed', 'due']),
      },
      ...maybe(2, () => ({ changeTimestamp: 'changed' })),
      ...maybe(3, () => ({ sequence: 'ref' })),
      ...maybe(4, () => ({ activityColumn: 'label' })),
      ...maybe(3, () => ({ where: 'amount > 2' })),
      ...maybe(3, () => ({ correlatesWith: [{ entityType: pick(['owner', ...byCode]), key: 'code' }] })),
      properties: properties(),
    };
  });
  const entities = some(names)
    .slice(0, 2)
    .map((dataObject) => ({
      entityType: `master ${dataObject}`,
      dataObject,
      key: keys.get(dataObject),
      properties: properties(),
    }));
  const ends = [...elements.map(({ activityName }) => activityName), ...entities.map(({ entityType }) => entityType)];

  const mapping = (left: string, right: string): Readonly<Record<string, unknown>> => {
    const one = pick(columns);
    const other = pick(columns.filter(({ kind }) => kind === one.kind));
    const operator = one.kind === 'text' && below(4) === 0 ? pick(['like', 'not like']) : pick(operators);
    return { [left]: one.name, [right]: other.name, ...(one.kind === 'truth' ? {} : { operator }) };
  };
  const relationships = Array.from({ length: 2 + below(3) }, (_, index) => ({
    ...{ name: `r${index}`, source: pick(ends), target: pick(ends) },
    correlate: pick(['both', 'source', 'target', 'none']),
    ...pick([
      () => ({ mappings: [mapping('source', 'target')] }),
      () => ({ mappings: [mapping('source', 'target'), mapping('source', 'target')] }),
      () => ({
        mappings: [mapping('source', 'target'), { expression: 'source.ref + target.ref > 5 OR source.paid IS NULL' }],
      }),
      () => ({
        crossTable: {
          dataObject: pick(names),
          sourceMappings: [mapping('source', 'cross')],
          targetMappings: [mapping('cross', 'target')],
        },
      }),
    ])(),
  }));
  const [first, next] = relationships;
  const path =
    first && next && first.target === next.source
      ? [
          {
            name: 'p',
            source: first.source,
            target: next.target,
            path: [first.name, next.name].map((relationship) => ({ relationship, reverse: false })),
            correlate: 'none',
          },
        ]
      : [];

  // Files alone have an order of rows; the first table, which the first element reads, is in a database.
  const [main = '', ...others] = kinds.toSorted(
    (one, other) => Number(one === 'csv') - Number(other === 'csv') || random() - 0.5,
  );
  const second = pick(others);
  const split = Object.fromEntries(names.map((name, at) => [name, at === 0 ? main : at === 1 ? second : pick(kinds)]));
  // Drawn by themselves, so that a seed keeps its graph when rules change.
  const activities = elements.filter((each) => !('activityColumn' in each)).map(({ activityName }) => activityName);
  const types = [...new Set(elements.map(({ entityType }) => entityType))];
  const rules = activities.length === 0 ? [] : randomRules(randomOf(seed + 100_000), activities, types);
  const tables = Object.values(split).includes('mysql') ? drawn.map(withoutBooleans) : drawn;
  return { tables, graph: { elements, entities, relationships: [...relationships, ...path], rules }, split };
}

/** MySQL has no booleans, only the integers 0 and 1: then the column is one everywhere, as graphs show the difference. */
function withoutBooleans({ name, columns, rows }: CopiedTable): CopiedTable {
  const isBoolean = columns.map(({ type }) => type === 'boolean');
  return {
    name,
    columns: columns.map((column, at) => (isBoolean[at] ? { ...column, type: 'bigint' } : column)),
    rows: rows.map((row) =>
      row.map((cell, at) => (isBoolean[at] && cell !== null ? (cell === 'true' ? '1' : '0') : cell)),
    ),
  };
}

/** Rules of entities, which are judged over events of several data sources that relationships bring together. */
function randomRules(random: () => number, activities: readonly string[], types: readonly string[]) {
  const pick = <T>(list: readonly T[]): T => pickOf(random, list);
  return Array.from({ length: 3 }, (_, index) => {
    const activity = pick(activities);
    const expectation = pick([
      () => ({ activity, count: pick(['0', '1..2', '2..']) }),
      () => ({ activity, [pick(['after', 'before'])]: pick(activities), within: pick(['36h', '3d', '1w']) }),
      () => ({ never: activity, [pick(['after', 'before'])]: pick(activities) }),
      () => ({ from: activity, to: pick(activities), atMost: pick(['12h', '3d']), take: pick(['first', 'last']) }),
    ])();
    return { name: `rule ${index}`, each: { entityType: pick(types) }, expect: [expectation] };
  });
}

function timeAt(seconds: number): string {
  return new Date(Date.UTC(2024, 2, 28) + seconds * 1000).toISOString().slice(0, 19).replace('T', ' ');
}
