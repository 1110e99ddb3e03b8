import { embeddedDialect } from '../dialects/index.ts';
import { type EntityGraph, type EntitySource, type Relationship, elementEntityType } from '../model/entity-graph.ts';
import { type Measure, measureValuesIn } from '../model/measure.ts';
import { type ProcessRule, valuesIn } from '../model/process-rule.ts';
import { endsByName } from '../model/relationship-ends.ts';
import type { Located, LocatedSql } from '../model/source-range.ts';
import { identifierKey, mentionedNames } from '../query/sql-names.ts';
import type { EntryOutputs } from './entry-outputs.ts';
import type { Output, OutputKind } from './output.ts';

/** An output for each rule and each measure, made of the parts of the graph that it names. */
export function judgedOutputs(
  graph: EntityGraph,
  entries: EntryOutputs,
  relationships: ReadonlyMap<Relationship, Output>,
): readonly Output[] {
  const parts = namedParts(graph, entries, relationships);
  const outputOf = (kind: 'rule' | 'measure', judged: Judged, names: Names): Output => {
    const { name, range } = judged;
    const from = [...partsOf(names, parts), ...relationsOf(names, parts)];
    return { kind, name: name?.value ?? '', range: (name ?? { range }).range, columns: [], from };
  };
  return [
    ...graph.rules.map((rule) => outputOf('rule', rule, namesOfRule(rule))),
    ...graph.measures.map((measure) => outputOf('measure', measure, namesOfMeasure(measure))),
  ];
}

type Judged = Pick<ProcessRule | Measure, 'name' | 'range'>;

/** What a rule or measure names. */
interface Names {
  readonly activities: readonly string[];
  readonly entityTypes: readonly string[];
  readonly relationships: readonly string[];
  /** Folded names of properties, and other names in its SQL. */
  readonly properties: ReadonlySet<string>;
  /** Without activities, all events of the entities count. */
  readonly countsEvents: boolean;
}

function namesOfRule(rule: ProcessRule): Names {
  const properties = namesInSql(valuesIn(rule, 'sql'));
  return {
    activities: texts(valuesIn(rule, 'activity')),
    entityTypes: texts(valuesIn(rule, 'entityType')),
    relationships: texts(valuesIn(rule, 'relationship')),
    properties,
    countsEvents: namesEvents(properties),
  };
}

function namesOfMeasure(measure: Measure): Names {
  const { what, by } = measure;
  const named = [...by, ...(what.kind === 'value' ? [what.value] : [])];
  const inSql = namesInSql(measureValuesIn(measure, 'sql'));
  return {
    activities: texts(measureValuesIn(measure, 'activity')),
    entityTypes: texts(measureValuesIn(measure, 'entityType')),
    relationships: texts(measureValuesIn(measure, 'relationship')),
    properties: new Set([...named.map(({ value }) => identifierKey(value, embeddedDialect)), ...inSql]),
    countsEvents: what.kind === 'duration' || (what.kind === 'count' && !what.count.relationship) || namesEvents(inSql),
  };
}

/** SQL names the number of events, or the first or last one, as `entity.events` (docs/semantics.md#171-what-is-judged). */
function namesEvents(names: ReadonlySet<string>): boolean {
  return names.has('entity') || names.has('event');
}

function texts(names: readonly Located<string>[]): readonly string[] {
  return names.map(({ value }) => value);
}

/** Rules and measures are SQL of the embedded engine, whatever the source. */
function namesInSql(sql: readonly LocatedSql[]): ReadonlySet<string> {
  return new Set(sql.flatMap(({ value }) => [...mentionedNames(value, embeddedDialect)]));
}

/** What may be named, by its names, so that a rule of a large graph looks at nothing else. */
interface NamedParts {
  readonly entries: EntryOutputs;
  readonly byActivity: ReadonlyMap<string, readonly EntitySource[]>;
  /** Elements with an activity column, which may have any activity. */
  readonly ofAnyActivity: readonly EntitySource[];
  readonly byType: ReadonlyMap<string, readonly EntitySource[]>;
  /** By the type as it is in SQL. */
  readonly byFoldedType: ReadonlyMap<string, readonly EntitySource[]>;
  /** In the order of the file. */
  readonly places: ReadonlyMap<EntitySource | Relationship, number>;
  readonly relationships: ReadonlyMap<Relationship, Output>;
  readonly relationshipsByName: ReadonlyMap<string, readonly Relationship[]>;
  /** By the type of one end: the relationship, and the type of its other end. */
  readonly relationshipsByType: ReadonlyMap<string, readonly (readonly [Relationship, other: string])[]>;
}

function namedParts(
  graph: EntityGraph,
  entries: EntryOutputs,
  relationships: ReadonlyMap<Relationship, Output>,
): NamedParts {
  const all = [...entries.keys()];
  const typed = all.map((entry) => [elementEntityType(entry), entry] as const);
  const ends = endsByName(graph);
  const typeOf = (end: Located<string> | undefined): string | undefined => {
    const entry = end && ends.get(end.value);
    return entry && elementEntityType(entry);
  };
  return {
    entries,
    byActivity: grouped(all.map((entry) => ['isMasterData' in entry ? undefined : entry.activityName?.value, entry])),
    ofAnyActivity: all.filter((entry) => !('isMasterData' in entry) && entry.activityColumn !== undefined),
    byType: grouped(typed),
    byFoldedType: grouped(
      typed.map(([type, entry]) => [type === undefined ? type : identifierKey(type, embeddedDialect), entry]),
    ),
    places: new Map([...all, ...relationships.keys()].map((each, place) => [each, place])),
    relationships,
    relationshipsByName: grouped([...relationships].map(([each, { name }]) => [name, each])),
    relationshipsByType: grouped(
      [...relationships.keys()].flatMap((each): readonly [string | undefined, readonly [Relationship, string]][] => {
        const [source, target] = [typeOf(each.source), typeOf(each.target)];
        const isCorrelating = each.correlate !== 'none' && source !== target;
        if (!isCorrelating || source === undefined || target === undefined) return [];
        return [
          [source, [each, target]],
          [target, [each, source]],
        ];
      }),
    ),
  };
}

function grouped<T>(named: readonly (readonly [name: string | undefined, of: T])[]): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const [name, of] of named) {
    if (name === undefined) continue;
    const group = groups.get(name);
    if (group) group.push(of);
    else groups.set(name, [of]);
  }
  return groups;
}

/** Each once, in the order of the file. */
function inOrder<T extends EntitySource | Relationship>(found: readonly T[], { places }: NamedParts): readonly T[] {
  return [...new Set(found)].toSorted((one, other) => (places.get(one) ?? 0) - (places.get(other) ?? 0));
}

function allOf<T>(names: Iterable<string>, by: ReadonlyMap<string, readonly T[]>): readonly T[] {
  return [...names].flatMap((name) => by.get(name) ?? []);
}

/** Entries with events of the named activities: by their name, or by a column. */
function entriesOfActivities({ activities }: Names, parts: NamedParts): readonly EntitySource[] {
  return activities.length === 0 ? [] : [...parts.ofAnyActivity, ...allOf(activities, parts.byActivity)];
}

/** The parts of entries that the names concern. */
function partsOf(names: Names, parts: NamedParts): readonly Output[] {
  const named = new Set(entriesOfActivities(names, parts));
  const ofType = new Set([...allOf(names.entityTypes, parts.byType), ...allOf(names.properties, parts.byFoldedType)]);
  return inOrder([...named, ...ofType], parts).flatMap((entry) => {
    const isNamed = named.has(entry);
    const countsEvents = isNamed || (names.activities.length === 0 && names.countsEvents);
    const kinds: readonly OutputKind[] = countsEvents ? ['rows', 'key', 'time', 'column'] : ['rows', 'key'];
    return (parts.entries.get(entry) ?? []).filter(
      ({ kind, name }) =>
        kinds.includes(kind) ||
        (kind === 'property' && names.properties.has(identifierKey(name, embeddedDialect))) ||
        (isNamed && kind === 'correlation' && names.entityTypes.length > 0),
    );
  });
}

/** The named relationships, and those by which events of the named activities are also events of the judged entities. */
function relationsOf(names: Names, parts: NamedParts): readonly Output[] {
  const typesOfActivities = new Set(entriesOfActivities(names, parts).map(elementEntityType));
  const reached = allOf(names.entityTypes, parts.relationshipsByType).flatMap(([relationship, other]) =>
    typesOfActivities.has(other) ? [relationship] : [],
  );
  const named = allOf(names.relationships, parts.relationshipsByName);
  return inOrder([...named, ...reached], parts).flatMap((each) => parts.relationships.get(each) ?? []);
}
