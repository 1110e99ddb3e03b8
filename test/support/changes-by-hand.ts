import type { RowExpectationResult } from '../../protocol/import-progress.ts';
import type { ChangePart } from '../../protocol/graph-changes.ts';
import { openStore } from '../../server/src/store/duckdb-store.ts';

/** How often each change occurs, such as `events Place new`; 0 is left out. */
export type ChangeTable = ReadonlyMap<string, number>;

type Cell = string | number | boolean | null;

/** A graph with names in place of ids. */
interface NamedGraph {
  readonly entities: readonly string[];
  readonly events: readonly NamedEvent[];
  readonly relations: readonly (readonly [name: string, pair: string])[];
  readonly edges: readonly (readonly [entity: string, source: string, target: string])[];
  /** Rows of entries of `entities` by entry. */
  readonly entries: readonly NamedRow[];
  readonly versions: readonly NamedRow[];
  readonly violations: readonly (readonly [rule: string, what: string, event: string | undefined])[];
  /** Which rules, measures and expectations hold; those that cannot be told are left out. */
  readonly holds: Readonly<Record<HeldPart, ReadonlyMap<string, boolean>>>;
}

const heldParts = ['rules', 'measures', 'expectations'] as const;
type HeldPart = (typeof heldParts)[number];

interface NamedEvent {
  readonly id: string;
  readonly identity: string;
  readonly element: string;
  readonly activity: string;
  readonly lifecycle: string;
  readonly time: string;
  readonly values: Readonly<Record<string, Cell>>;
  readonly correlations: readonly (readonly [qualifier: string, entity: string])[];
}

interface NamedRow {
  readonly entry: string;
  readonly identity: string;
  readonly values: Readonly<Record<string, Cell>>;
}

/**
 * The changes between two stores, in JavaScript over all rows of their tables: the rules of
 * docs/semantics.md#20-changes again, without the statements of the product. For small graphs.
 */
export async function changesByHand(before: string, after: string): Promise<ChangeTable> {
  const [old, now] = [await readGraph(before), await readGraph(after)];
  const found = new Map<string, number>();
  const note = (part: ChangePart, name: string, kind: string): void => {
    const key = `${part} ${name} ${kind}`;
    found.set(key, (found.get(key) ?? 0) + 1);
  };
  const compareSets = (
    part: ChangePart,
    one: readonly (readonly [name: string, what: string])[],
    other: readonly (readonly [name: string, what: string])[],
  ): void => {
    const [had, has] = [one, other].map((list) => new Map(list.map((each) => [JSON.stringify(each), each[0]])));
    for (const [key, name] of had ?? []) if (!has?.has(key)) note(part, name, 'gone');
    for (const [key, name] of has ?? []) if (!had?.has(key)) note(part, name, 'new');
  };
  const ofType = (entity: string): readonly [string, string] => [JSON.parse(entity)[0] as string, entity];
  compareSets('entities', old.entities.map(ofType), now.entities.map(ofType));
  const common = commonProperties(old.events, now.events);
  const pairs = pairEvents(old.events, now.events, (event) => valuesOf(event.values, common.get(event.element)));
  const [nameBefore, nameAfter] = [new Map<string, string>(), new Map<string, string>()];
  for (const [index, [b, a]] of pairs.entries()) {
    if (b) nameBefore.set(b.id, String(index));
    if (a) nameAfter.set(a.id, String(index));
    const element = (a ?? b)?.element ?? '';
    if (!b || !a) {
      note('events', element, b ? 'gone' : 'new');
      continue;
    }
    if (b.time !== a.time) note('events', element, 'moved');
    const changed = [...(common.get(element) ?? [])].filter((name) => b.values[name] !== a.values[name]);
    for (const name of changed) note('values', `${element}.${name}`, 'changed');
    if (changed.length > 0) note('events', element, 'changed');
  }
  const correlations = (graph: NamedGraph, names: ReadonlyMap<string, string>) =>
    graph.events.flatMap((event) =>
      event.correlations.map(([qualifier, entity]) => [qualifier, `${names.get(event.id)} ${entity}`] as const),
    );
  compareSets('correlations', correlations(old, nameBefore), correlations(now, nameAfter));
  compareSets('relations', old.relations, now.relations);
  const edges = (graph: NamedGraph, names: ReadonlyMap<string, string>) => {
    const activities = new Map(graph.events.map(({ id, activity }) => [id, activity]));
    return graph.edges.map(([entity, source, target]) => {
      const [type] = ofType(entity);
      const path = `${type}: ${activities.get(source)} → ${activities.get(target)}`;
      return [path, `${entity} ${names.get(source)} ${names.get(target)}`] as const;
    });
  };
  compareSets('paths', edges(old, nameBefore), edges(now, nameAfter));
  for (const [entity, kind] of variantChanges(old, now)) note('variants', ofType(entity)[0], kind);
  compareRows('entries', old.entries, now.entries, note);
  compareRows('versions', old.versions, now.versions, note);
  const violations = (graph: NamedGraph, names: ReadonlyMap<string, string>) =>
    graph.violations.map(
      ([rule, what, event]) => [rule, `${what} ${event === undefined ? '' : names.get(event)}`] as const,
    );
  compareSets('rules', violations(old, nameBefore), violations(now, nameAfter));
  for (const part of heldParts) {
    for (const [name, holds] of now.holds[part]) {
      if (!holds && old.holds[part].get(name) !== false) note(part, name, 'broken');
      if (holds && old.holds[part].get(name) === false) note(part, name, 'mended');
    }
  }
  return found;
}

type Note = (part: ChangePart, name: string, kind: string) => void;

function compareRows(
  part: 'entries' | 'versions',
  old: readonly NamedRow[],
  now: readonly NamedRow[],
  note: Note,
): void {
  const [had, has] = [old, now].map((rows) => new Map(rows.map((row) => [`${row.entry} ${row.identity}`, row])));
  const withEntry = (rows: readonly NamedRow[]) => rows.map((row) => ({ ...row, element: row.entry }));
  const common = commonProperties(withEntry(old), withEntry(now));
  for (const [key, row] of had ?? []) {
    const other = has?.get(key);
    if (!other) {
      note(part, row.entry, 'gone');
      continue;
    }
    const changed = [...(common.get(row.entry) ?? [])].filter((name) => row.values[name] !== other.values[name]);
    for (const name of changed) note('values', `${row.entry}.${name}`, 'changed');
    if (changed.length > 0) note(part, row.entry, 'changed');
  }
  for (const [key, row] of has ?? []) if (!had?.has(key)) note(part, row.entry, 'new');
}

/** The properties that an element has in both graphs. */
function commonProperties(
  old: readonly { readonly element: string; readonly values: NamedEvent['values'] }[],
  now: readonly { readonly element: string; readonly values: NamedEvent['values'] }[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const names = new Map<string, Set<string>>();
  for (const { element, values } of old) names.set(element, new Set(Object.keys(values)));
  for (const { element, values } of now) {
    for (const name of names.get(element) ?? []) if (!Object.hasOwn(values, name)) names.get(element)?.delete(name);
  }
  return names;
}

function valuesOf(values: NamedEvent['values'], names: Iterable<string> = []): string {
  return JSON.stringify([...names].map((name) => values[name]));
}

type Pair = readonly [before: NamedEvent | undefined, after: NamedEvent | undefined];

/** Takes the first free partner three times: with time and values, with the time, then any. */
function pairEvents(
  old: readonly NamedEvent[],
  now: readonly NamedEvent[],
  valuesText: (event: NamedEvent) => string,
): readonly Pair[] {
  const pairs: Pair[] = [];
  const [freeOld, freeNow] = [new Set(old), new Set(now)];
  const likenesses: readonly ((event: NamedEvent) => string)[] = [
    (event) => `${event.identity} ${event.time} ${valuesText(event)}`,
    (event) => `${event.identity} ${event.time}`,
    (event) => event.identity,
  ];
  for (const likeness of likenesses) {
    for (const event of [...freeOld]) {
      const partner = [...freeNow].find((other) => likeness(other) === likeness(event));
      if (!partner) continue;
      pairs.push([event, partner]);
      freeOld.delete(event);
      freeNow.delete(partner);
    }
  }
  return [
    ...pairs,
    ...[...freeOld].map((event) => [event, undefined] as const),
    ...[...freeNow].map((event) => [undefined, event] as const),
  ];
}

function variantChanges(old: NamedGraph, now: NamedGraph): readonly (readonly [entity: string, kind: string])[] {
  const variants = (graph: NamedGraph): ReadonlyMap<string, string> => {
    const activities = new Map<string, string[]>();
    for (const event of graph.events) {
      if (event.lifecycle === 'end') continue;
      for (const entity of new Set(event.correlations.map(([, each]) => each)))
        activities.set(entity, [...(activities.get(entity) ?? []), event.activity]);
    }
    return new Map([...activities].map(([entity, list]) => [entity, JSON.stringify(list)]));
  };
  const [had, has] = [variants(old), variants(now)];
  return [...new Set([...had.keys(), ...has.keys()])].flatMap((entity) => {
    const [before, after] = [had.get(entity), has.get(entity)];
    if (before === after) return [];
    return [[entity, before === undefined ? 'new' : after === undefined ? 'gone' : 'changed'] as const];
  });
}

async function readGraph(path: string): Promise<NamedGraph> {
  const store = await openStore(path);
  try {
    const rows = async (sql: string): Promise<readonly Readonly<Record<string, Cell>>[]> => {
      const { columns, rows: cells } = await store.table(sql);
      return cells.map((row) => Object.fromEntries(columns.map(({ name }, index) => [name, row[index] ?? null])));
    };
    const tables = new Set(
      (await rows('SELECT table_name AS name FROM information_schema.tables')).map(({ name }) => name),
    );
    const entity = new Map(
      (await rows('FROM entity')).map((row) => [row['id'], JSON.stringify([row['entity_type'], row['key']])]),
    );
    const named = (id: Cell | undefined): string => entity.get(id ?? null) ?? '';
    const [counts] = await rows('SELECT counts FROM run');
    const names = JSON.parse(String(counts?.['counts'])) as {
      readonly elements: readonly { readonly activityName: string }[];
      readonly entities: readonly { readonly name: string }[];
      readonly expectations?: readonly RowExpectationResult[];
    };
    const values = new Map<Cell | undefined, NamedEvent['values']>();
    for (const index of names.elements.keys()) {
      for (const { event_id: id, ...rest } of await rows(`FROM properties_${index + 1}`)) values.set(id, rest);
    }
    const correlations = await rows('FROM event_entity ORDER BY event_id');
    const entryRows = async (table: string, time: string): Promise<readonly NamedRow[]> => {
      const found: NamedRow[] = [];
      for (const [index, { name }] of names.entities.entries()) {
        if (!tables.has(`${table}_${index + 1}`)) continue;
        const places = new Map<string, number>();
        for (const row of await rows(`FROM ${table}_${index + 1} ORDER BY entity_id ${time && ', value_rank'}`)) {
          const { entity_id: id, value_time: valueTime = null, value_rank: _, ...rest } = row;
          const identity = `${named(id)} ${String(valueTime)}`;
          const place = (places.get(identity) ?? 0) + 1;
          places.set(identity, place);
          found.push({ entry: name, identity: `${identity} ${place}`, values: rest });
        }
      }
      return found;
    };
    const measures = tables.has('measure') ? await rows('FROM measure WHERE met IS NOT NULL AND NOT is_default') : [];
    const hasRules = tables.has('rule');
    const ruleRows = hasRules ? await rows('FROM rule') : [];
    const ruleNames = new Map(ruleRows.map(({ number, name }) => [number, String(name)]));
    return {
      entities: [...entity.values()],
      events: (await rows('FROM event ORDER BY id')).map((row) => {
        const own = correlations.filter((each) => each['event_id'] === row['id']);
        const linked = own.map((each) => [String(each['qualifier']), named(each['entity_id'])] as const);
        const key =
          row['entity_id'] === null
            ? ['row', linked.map((each) => each.join(' ')).toSorted()]
            : ['own', (JSON.parse(named(row['entity_id'])) as string[])[1]];
        return {
          id: String(row['id']),
          identity: JSON.stringify([row['element'], key, row['activity'], row['lifecycle']]),
          element: String(row['element']),
          activity: String(row['activity']),
          lifecycle: String(row['lifecycle']),
          time: String(row['time']),
          values: values.get(row['id']) ?? {},
          correlations: linked,
        };
      }),
      relations: (await rows('FROM relation')).map((row) => [
        String(row['relationship']),
        `${named(row['source_entity_id'])} ${named(row['target_entity_id'])}`,
      ]),
      edges: (await rows('FROM directly_follows')).map((row) => [
        named(row['entity_id']),
        String(row['source_event_id']),
        String(row['target_event_id']),
      ]),
      entries: await entryRows('entity_properties', ''),
      versions: await entryRows('entity_values', 'value_time'),
      violations: (hasRules ? await rows('FROM rule_violation') : []).map((row) => [
        ruleNames.get(row['rule'] ?? null) ?? '',
        `${named(row['entity_id'])} ${String(row['expectation'])}`,
        row['event_id'] === null ? undefined : String(row['event_id']),
      ]),
      holds: {
        rules: new Map(ruleRows.map(({ name, holds }) => [String(name), holds === true])),
        measures: new Map(measures.map(({ name, met }) => [String(name), met === true])),
        expectations: new Map(
          (names.expectations ?? []).map(({ element, expectation, columns, holds }) => [
            `${element} · ${expectation} ${columns.join(', ')}`,
            holds,
          ]),
        ),
      },
    };
  } finally {
    await store.close();
  }
}
