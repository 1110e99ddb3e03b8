import type {
  EventGraphQuestion,
  EventGraphQuestions,
  ExportForm,
  GraphFilter,
  MapMeasure,
  MapParams,
  SnippetKind,
} from '../event-graph.ts';
import { type Shape, choice, count, flag, number, object, optional, text } from './shape.ts';

export const exportForm: Shape<ExportForm> = choice<ExportForm>({
  parquet: true,
  csv: true,
  'ocel-json': true,
  'ocel-xml': true,
  'ocel-sqlite': true,
  neo4j: true,
  xes: true,
  'csv-log': true,
});

export const snippetKind: Shape<SnippetKind> = choice<SnippetKind>({
  path: true,
  duckdb: true,
  python: true,
  cypher: true,
});

const filter: Shape<GraphFilter> = object<GraphFilter>({
  entityType: optional(text),
  from: optional(text),
  to: optional(text),
  property: optional(object<NonNullable<GraphFilter['property']>>({ element: count, name: text, value: text })),
});

const mapMeasure: Shape<MapMeasure> = choice<MapMeasure>({ events: true, objects: true, pairs: true });

/** The parameters of each query. */
export const questionShapes: { readonly [Q in EventGraphQuestion]: Shape<EventGraphQuestions[Q]['params']> } = {
  overview: object({}),
  map: object<MapParams>({
    filter,
    measure: optional(mapMeasure),
    lifecycle: optional(flag),
    activities: optional(number),
    paths: optional(number),
  }),
  findEntities: object<EventGraphQuestions['findEntities']['params']>({ text, entityType: optional(text) }),
  timeline: object<EventGraphQuestions['timeline']['params']>({ entity: number }),
  events: object<EventGraphQuestions['events']['params']>({ filter }),
  property: object<EventGraphQuestions['property']['params']>({
    element: count,
    property: text,
    filter: optional(filter),
  }),
  sql: object<EventGraphQuestions['sql']['params']>({ sql: text, limit: count }),
  tables: object({}),
};

export const question: Shape<EventGraphQuestion> = choice<EventGraphQuestion>({
  overview: true,
  map: true,
  findEntities: true,
  timeline: true,
  events: true,
  property: true,
  sql: true,
  tables: true,
});

interface AskedQuestion {
  readonly uri: string;
  readonly question: EventGraphQuestion;
  readonly params: unknown;
}

/** A query with its parameters. */
export const askedQuestion: Shape<AskedQuestion> = (value, name) => {
  const outer = object<Omit<AskedQuestion, 'params'>>({ uri: text, question })(value, name);
  if (outer !== undefined) return outer;
  const asked = value as AskedQuestion;
  return questionShapes[asked.question](asked.params, name === '' ? 'params' : `${name}.params`);
};
