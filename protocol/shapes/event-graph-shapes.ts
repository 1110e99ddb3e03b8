import { type ChangeKind, type ChangePart, changeKinds, changeParts } from '../graph-changes.ts';
import type { GraphTotals } from '../import-progress.ts';
import { type MapWords, englishMapWords } from '../map-words.ts';
import { notedInGraph } from './import-note-shapes.ts';
import { type Fields, choice, count, flag, list, nullable, number, object, optional, tagged, text } from './shape.ts';

export const exportFormatName = choice({
  parquet: true,
  csv: true,
  'ocel-json': true,
  'ocel-xml': true,
  'ocel-sqlite': true,
  neo4j: true,
  xes: true,
  'csv-log': true,
});

export const snippetKind = choice({ path: true, duckdb: true, python: true, cypher: true });

/** Whether an entity has events of an activity. */
export const activityCondition = object({
  activity: text,
  occurs: flag,
  /** The activity is named as on a map that shows start and change events separately, and means one of the two. */
  lifecycle: optional(flag),
});

/** That the events of an entity are of some activities, in their order. */
export const variantCondition = object({
  /** A hash of the activities. */
  id: text,
  /** Number of events. */
  events: count,
  /** Start and change events are separate. */
  lifecycle: optional(flag),
  /** Its activities in words, for the legend of a map. */
  path: optional(text),
});

/** That the events of an entity go from one activity to another. */
export const pathCondition = object({
  source: text,
  target: text,
  /** Whether the target is the next event, or any later one. */
  follows: choice({ directly: true, eventually: true }),
  /**
   * Milliseconds: only entities with a step that takes longer, or less. `eventually` is timed from the first source to
   * the first later target.
   */
  slower: optional(number),
  faster: optional(number),
  /** The activities are named as on a map that shows start and change events separately. */
  lifecycle: optional(flag),
});

/** The last known value of a property of an entity: one of some texts (null: no value), and in a range. */
export const valueCondition = object({
  property: text,
  values: optional(list(nullable(text))),
  /** A number or a time as text, the end exclusive. */
  from: optional(text),
  to: optional(text),
});

const filterFields = {
  /** Entities with an event in this time range: ISO 8601, UTC, end exclusive. */
  from: optional(text),
  to: optional(text),
  /** Entities with an event with this property value, as text. */
  property: optional(object({ element: count, name: text, value: text })),
  /** Entities that break a rule, or whose events break it. The number is that in the table `rule`, the name is displayed. */
  rule: optional(object({ number: count, name: text })),
  /** Entities with, or without, an event of each of these activities. */
  activities: optional(list(activityCondition)),
  /** Entities of one variant. */
  variant: optional(variantCondition),
  /** Entities that take each of these paths. */
  paths: optional(list(pathCondition)),
  /** Entities whose throughput time is longer, or shorter, in milliseconds. */
  throughput: optional(object({ slower: optional(number), faster: optional(number) })),
  /** Entities related to one of these, in either direction. */
  related: optional(list(count)),
  /** Entities with these values. */
  values: optional(list(valueCondition)),
  /** SQL conditions over the last known values of an entity, as `where` of process rules. */
  where: optional(list(text)),
};

/** Entity filter; all conditions must hold. */
export const graphFilter = object({ entityType: optional(text), ...filterFields });

/** The filter of a question about entities of one type. */
export const typeFilter = object({ entityType: text, ...filterFields });

/** The entities that those of a filter are compared with: all others of the type, or those of another filter. */
export const comparedEntities = tagged('kind', { others: {}, filter: { filter: typeFilter } });

/** What a map of all types counts: distinct events (the default), distinct objects, or pairs of both. */
export const mapMeasure = choice({ events: true, objects: true, pairs: true });

/** What paths of a map show by width, colour and label. Times are those between the events of a path. */
export const pathMeasure = choice({ count: true, median: true, p90: true, total: true });

export const mapWords = object<MapWords>(
  Object.fromEntries(Object.keys(englishMapWords).map((word) => [word, text])) as Fields<MapWords>,
);

const counted = {
  /** Without an entity type the map is that of all types, with a path for each of them. */
  filter: graphFilter,
  measure: optional(mapMeasure),
  /** Shows start and change events of an activity separately. */
  lifecycle: optional(flag),
};

const mapFields = {
  ...counted,
  /** Share of the most frequent activities and paths to show, 0 to 1. Default: a readable share. */
  activities: optional(number),
  paths: optional(number),
  /** Default: their count. */
  pathMeasure: optional(pathMeasure),
  /** On a map of one type: others, whose numbers stand beside those of the filter. */
  compare: optional(comparedEntities),
  /** Language of the drawing; default: English. */
  words: optional(mapWords),
};
export const mapParams = object(mapFields);

/** A map as a picture that is read elsewhere: with the name of the graph, and in colours for paper unless those of the page are wanted. */
export const mapPictureParams = object({ ...mapFields, inPageColours: optional(flag) });

const totals = choice<keyof GraphTotals>({
  events: true,
  entities: true,
  correlations: true,
  relations: true,
  directlyFollows: true,
});

export const shownNumber = tagged('kind', {
  /** At an activity of the map: its count, its distinct events, the entities whose first or last event it is, its service time. */
  node: {
    activity: text,
    number: choice({ count: true, events: true, starts: true, ends: true, serviceMedian: true, serviceP90: true }),
  },
  path: {
    source: text,
    target: text,
    entityType: optional(text),
    number: pathMeasure,
  },
  /** All entities of the filter, and all their events. */
  entities: {},
  events: {},
  /** Events in a part of the time, as `EventDistribution` has them. */
  time: { unit: text, start: text },
  value: { element: count, property: text, value: nullable(text) },
  /** Rows of a whole table. */
  total: { total: totals },
  /** The events of one entity. */
  entity: { id: number },
  event: { id: number },
  /** All violations of a rule, by its number in the table `rule`. */
  broken: { rule: number },
  /** The values of a property that are not shown: their number, or the number of their events. */
  otherValues: {
    element: count,
    property: text,
    shown: list(nullable(text)),
    number: choice({ values: true, events: true }),
  },
  /** Rows of a table of the graph. */
  table: { table: text },
  entityType: { entityType: text },
  relationship: { relationship: text },
  ...notedInGraph,
  /** The values that a property of an entity had, one after the other. */
  history: { entity: number, property: text },
});

/** A number that the page shows, of the map or the distributions of a filter. */
export const numberFields = { ...counted, number: shownNumber };
/** With `withProperties`, the entities have their last known values. */
export const numberParams = object({ ...numberFields, withProperties: optional(flag) });

const oneOf = <T extends string>(names: readonly T[]) =>
  choice(Object.fromEntries(names.map((name) => [name, true])) as Record<T, true>);

/** A number of a comparison, of one thing or, without `name`, of all. */
export const changeFields = {
  part: oneOf<ChangePart>(changeParts),
  kind: oneOf<ChangeKind>(changeKinds),
  name: optional(text),
};
export const changeNumber = object(changeFields);

/** The part of a number to open: rows in the grid of results, or its SQL in a console. */
export const numberPart = choice({ events: true, entities: true, rows: true, sql: true });
