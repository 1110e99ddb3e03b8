import type {
  ActivityCondition,
  EventGraphQuestion,
  EventGraphQuestions,
  ExportFormatName,
  GraphFilter,
  MapMeasure,
  MapParams,
  NumberParams,
  NumberPart,
  ShownNumber,
  SnippetKind,
  VariantCondition,
} from '../event-graph.ts';
import { type MapWords, englishMapWords } from '../map-words.ts';
import { notedInGraph } from './import-note-shapes.ts';
import {
  type Fields,
  type Shape,
  choice,
  count,
  flag,
  list,
  nullable,
  number,
  object,
  optional,
  tagged,
  text,
} from './shape.ts';

export const exportFormatName: Shape<ExportFormatName> = choice<ExportFormatName>({
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
  rule: optional(object<NonNullable<GraphFilter['rule']>>({ number: count, name: text })),
  activities: optional(list(object<ActivityCondition>({ activity: text, occurs: flag, lifecycle: optional(flag) }))),
  variant: optional(object<VariantCondition>({ id: text, events: count, lifecycle: optional(flag) })),
});

const mapMeasure: Shape<MapMeasure> = choice<MapMeasure>({ events: true, objects: true, pairs: true });

const mapWords = object<MapWords>(
  Object.fromEntries(Object.keys(englishMapWords).map((word) => [word, text])) as Fields<MapWords>,
);

const shownNumber: Shape<ShownNumber> = tagged<ShownNumber, 'kind'>('kind', {
  node: { activity: text, number: choice({ count: true, events: true, starts: true, ends: true }) },
  path: {
    source: text,
    target: text,
    entityType: optional(text),
    number: choice({ count: true, median: true, p90: true }),
  },
  entities: {},
  events: {},
  time: { unit: text, start: text },
  value: { element: count, property: text, value: nullable(text) },
  total: {
    total: choice({ events: true, entities: true, correlations: true, relations: true, directlyFollows: true }),
  },
  entity: { id: number },
  event: { id: number },
  broken: { rule: number },
  otherValues: {
    element: count,
    property: text,
    shown: list(nullable(text)),
    number: choice({ values: true, events: true }),
  },
  table: { table: text },
  entityType: { entityType: text },
  relationship: { relationship: text },
  ...notedInGraph,
  history: { entity: number, property: text },
});

/** Fields that identify a number. */
export const numberFields = {
  number: shownNumber,
  filter,
  measure: optional(mapMeasure),
  lifecycle: optional(flag),
};

export const numberPart: Shape<NumberPart> = choice<NumberPart>({
  events: true,
  entities: true,
  rows: true,
  sql: true,
});

/** The parameters of each query. */
export const questionShapes: { readonly [Q in EventGraphQuestion]: Shape<EventGraphQuestions[Q]['params']> } = {
  overview: object({}),
  map: object<MapParams>({
    filter,
    measure: optional(mapMeasure),
    lifecycle: optional(flag),
    activities: optional(number),
    paths: optional(number),
    words: optional(mapWords),
  }),
  variants: object<EventGraphQuestions['variants']['params']>({ filter, lifecycle: optional(flag) }),
  findEntities: object<EventGraphQuestions['findEntities']['params']>({ text, entityType: optional(text) }),
  timeline: object<EventGraphQuestions['timeline']['params']>({ entity: number }),
  events: object<EventGraphQuestions['events']['params']>({ filter }),
  property: object<EventGraphQuestions['property']['params']>({
    element: count,
    property: text,
    filter: optional(filter),
  }),
  rules: object<EventGraphQuestions['rules']['params']>({ text: optional(text) }),
  rule: object<EventGraphQuestions['rule']['params']>({
    rule: count,
    property: optional(text),
    text: optional(text),
  }),
  suggestRules: object<EventGraphQuestions['suggestRules']['params']>({ text: optional(text) }),
  numberSql: object<NumberParams>(numberFields),
  sql: object<EventGraphQuestions['sql']['params']>({ sql: text, limit: count }),
  tables: object({}),
  snippet: object<EventGraphQuestions['snippet']['params']>({ kind: snippetKind, file: text }),
};

export const question: Shape<EventGraphQuestion> = choice<EventGraphQuestion>({
  overview: true,
  map: true,
  variants: true,
  findEntities: true,
  timeline: true,
  events: true,
  property: true,
  rules: true,
  rule: true,
  suggestRules: true,
  numberSql: true,
  sql: true,
  tables: true,
  snippet: true,
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
