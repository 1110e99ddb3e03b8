import { embeddedDialect } from '../dialects/index.ts';
import { type EntityGraph, type EntitySource, type Relationship, elementEntityType } from '../model/entity-graph.ts';
import { type Measure, measureValuesIn } from '../model/measure.ts';
import { type ProcessRule, valuesIn } from '../model/process-rule.ts';
import { endNamed } from '../model/relationship-ends.ts';
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
  const outputOf = (kind: 'rule' | 'measure', judged: Judged, names: Names): Output => {
    const { name, range } = judged;
    const from = [...partsOf(names, entries), ...relationsOf(names, graph, relationships)];
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

/** The parts of entries that the names concern. */
function partsOf(names: Names, entries: EntryOutputs): readonly Output[] {
  return [...entries].flatMap(([entry, outputs]) => {
    const isNamed = givesActivity(entry, names.activities);
    const type = elementEntityType(entry);
    const isOfType = type !== undefined && isTypeNamed(type, names);
    const countsEvents = isNamed || (isOfType && names.activities.length === 0 && names.countsEvents);
    const kinds: readonly OutputKind[] = countsEvents
      ? ['rows', 'key', 'time', 'column']
      : isOfType
        ? ['rows', 'key']
        : [];
    return outputs.filter(
      ({ kind, name }) =>
        kinds.includes(kind) ||
        ((isNamed || isOfType) && kind === 'property' && names.properties.has(identifierKey(name, embeddedDialect))) ||
        (isNamed && kind === 'correlation' && names.entityTypes.length > 0),
    );
  });
}

function isTypeNamed(type: string, { entityTypes, properties }: Names): boolean {
  return entityTypes.includes(type) || properties.has(identifierKey(type, embeddedDialect));
}

/** The named relationships, and those by which events of the named activities are also events of the judged entities. */
function relationsOf(
  names: Names,
  graph: EntityGraph,
  relationships: ReadonlyMap<Relationship, Output>,
): readonly Output[] {
  return [...relationships].flatMap(([relationship, output]) => {
    if (names.relationships.includes(output.name)) return [output];
    if (relationship.correlate === 'none') return [];
    const ends = [relationship.source, relationship.target].map((end) => end && endNamed(graph, end.value));
    const isReached = ends.some((end, index) => {
      const other = ends[1 - index];
      const [type, its] = [end && elementEntityType(end), other && elementEntityType(other)];
      if (end === undefined || type === undefined || its === undefined || type === its) return false;
      return names.entityTypes.includes(its) && hasActivityOf(type, names, graph);
    });
    return isReached ? [output] : [];
  });
}

function hasActivityOf(type: string, { activities }: Names, { elements }: EntityGraph): boolean {
  return elements.some((element) => elementEntityType(element) === type && givesActivity(element, activities));
}

/** Whether an entry has events of one of the activities: by its name, or by a column. */
function givesActivity(entry: EntitySource, activities: readonly string[]): boolean {
  if ('isMasterData' in entry || activities.length === 0) return false;
  return entry.activityColumn !== undefined || activities.includes(entry.activityName?.value ?? '');
}
