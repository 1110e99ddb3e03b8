import type { GraphCatalog } from '../../catalog/graph-catalog.ts';
import { duckdb } from '../../dialects/duckdb.ts';
import type { Dialect } from '../../dialects/dialect.ts';
import { dialectNamed } from '../../dialects/index.ts';
import type { SqlDialect } from '../../catalog/catalog.ts';
import type { EntityGraph } from '../../model/entity-graph.ts';
import { entityTypesOf } from '../../model/related-types.ts';
import { entriesOf, knownProperties } from '../checks/measures.ts';
import { prose } from '../markdown.ts';
import type { Markdown } from '../markdown.ts';

/** A name in the SQL of a rule or a measure, and what it means (docs/semantics.md#172-expectations). */
export interface JudgedName {
  readonly label: string;
  readonly kind: 'column' | 'dataObject';
  readonly sql: string;
  readonly documentation: Markdown;
}

/** The lists of a file whose SQL judges or measures the graph. */
export const judgedLists: ReadonlySet<string> = new Set(['rules', 'measures']);

/** The dialect of their SQL: that of the engine that has the graph. @param source the dialect of the data source */
export function judgedDialect({ import: { engine } }: EntityGraph, source: SqlDialect | undefined): Dialect {
  return engine === 'source' && source !== undefined ? dialectNamed(source) : duckdb;
}

const ofEntities = [
  ['key', 'The key.'],
  ['events', 'The number of its distinct events.'],
  ['first', 'The time of its first event.'],
  ['last', 'The time of its last event.'],
] as const;
const ofEvents = [
  ['time', 'The time of the event.'],
  ['activity', 'The activity of the event.'],
] as const;

/**
 * The names that may stand at a place: behind a point those of the qualifier, else properties and what may stand before a
 * point.
 * @param index of the rule or measure in its list
 */
export function judgedNames(
  {
    graph,
    list,
    index,
    catalog,
  }: {
    readonly graph: EntityGraph;
    readonly list: string;
    readonly index: number;
    readonly catalog?: GraphCatalog | undefined;
  },
  qualifier: string | undefined,
  { identifiers }: Dialect,
): readonly JudgedName[] {
  const written = (name: string): string => (identifiers.isBare(name) ? name : identifiers.quote(name));
  const named = (label: string, kind: JudgedName['kind'], says: string): JudgedName => {
    const [sql, documentation] = [written(label), prose(says)];
    return { label, kind, sql, documentation };
  };
  const column = (name: string, says: string): JudgedName => named(name, 'column', says);
  const properties = (of: Pick<EntityGraph, 'elements' | 'entities'>): readonly string[] => [
    ...(knownProperties(of, catalog) ?? []),
  ];
  const judgesEvents = (list === 'rules' ? graph.rules : graph.measures)[index]?.each?.activity !== undefined;
  const types = [...entityTypesOf(graph)];
  const type = types.find((each) => each === qualifier);
  if (type !== undefined) {
    return [
      ...properties(entriesOf(type, graph)).map((name) =>
        column(name, `Property of the related entity of the type "${type}".`),
      ),
      ...ofEntities.map(([name, says]) => column(name, `Of the related entity of the type "${type}": ${says}`)),
    ];
  }
  const subject = qualifier?.toLowerCase();
  if (subject === 'entity') {
    const whose = judgesEvents ? 'Of the entity of the event' : 'Of the entity';
    return ofEntities.map(([name, says]) => column(name, `${whose}: ${says}`));
  }
  if (subject === 'event') return judgesEvents ? ofEvents.map(([name, says]) => column(name, says)) : [];
  if (qualifier !== undefined) return [];
  const before = (name: string, says: string): JudgedName => named(name, 'dataObject', says);
  const values = judgesEvents ? 'Its value of the judged event.' : 'Its last known value of the judged entity.';
  return [
    ...properties(graph).map((name) => column(name, values)),
    ...(judgesEvents ? [before('event', 'The judged event: event.time, event.activity.')] : []),
    before('entity', 'The entity: entity.key, entity.events, entity.first, entity.last.'),
    ...types.map((name) =>
      before(
        name,
        'The related entity of this type: its properties, key, events, first and last. Of several, aggregates.',
      ),
    ),
  ];
}
