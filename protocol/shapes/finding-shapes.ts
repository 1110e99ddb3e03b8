import type { TimeRole } from '../fields/element.ts';
import { choice, count, flag, list, nullable, number, object, optional, tagged, text } from './shape.ts';

/** The kinds of findings, in the order of the manual (docs/data-quality.md). */
export const findingKinds = [
  'same-time-order',
  'midnight-times',
  'dates-beside-times',
  'whole-hours',
  'zone-shift',
  'order-anomalies',
  'duplicate-events',
  'near-equal-labels',
  'time-gap',
  'number-gaps',
  'late-arrivals',
  'truncated-cases',
  'dominant-entity',
  'exploded-keys',
  'almost-key',
  'changing-attribute',
  'batch-bursts',
  'duration-outliers',
  'shared-events',
  'diverging-events',
] as const;
export type FindingKind = (typeof findingKinds)[number];

const kind = choice(Object.fromEntries(findingKinds.map((each) => [each, true])) as Record<FindingKind, true>);
const timeRole = choice<TimeRole>({ startTimestamp: true, changeTimestamp: true, endTimestamp: true });

/** Evidence of a finding, from which an edit of the file follows. */
export const findingHint = tagged('kind', {
  /** Columns that number the rows of these elements in their order. */
  sequence: { elements: list(text), columns: list(text) },
  /** Names of elements, or texts of their activity columns, that mean another name. */
  names: { names: list(object({ element: text, text: optional(text), name: text })) },
  /** Hours to be added to all times of the element; `times` are some of those that are off. */
  shift: { hours: number, times: list(text) },
  /** Dates, or midnights among times, that mean the end of the day. */
  endOfDay: { field: timeRole, areDates: flag },
  /** A value of the key columns of these elements that stands for a missing key. */
  leaveOut: { value: text, places: list(object({ element: text, column: text })) },
  /** Columns that group the rows of these elements into cases, the best first. */
  key: { elements: list(text), columns: list(text) },
  /** Times from this date on are wrong. */
  before: { date: text },
  /** Rows that agree in these columns are one. */
  keepOne: { columns: list(text) },
  /** Values of the column should be different in each row. */
  unique: {},
});

const example = object({
  entity: nullable(object({ id: count, type: text, key: text })),
  event: object({ id: count, activity: text, time: text }),
});

/** A finding as a search gives it. */
export const finding = object({
  kind,
  severity: choice({ warning: true, info: true }),
  /** The element of the file; null where it is about several, or about entities. */
  element: nullable(text),
  /** The column behind it, as the file names it; null where it is an expression or several. */
  column: nullable(text),
  /** One sentence. */
  message: text,
  /** What to do about it in the file. */
  remedy: text,
  count,
  of: count,
  /** What `count` and `of` count. */
  counts: choice({ events: true, entities: true, steps: true, days: true, numbers: true }),
  /** The share of directly-follows rows with at least one of the events; null in a graph without such rows. */
  explains: nullable(number),
  /** The share of the variants with an entity that has one of the events; null without entities. */
  explainsVariants: nullable(number),
  /** The share of the broken rules, of each entity or event, that are about one of the events; null where none is broken. */
  explainsViolations: nullable(number),
  /** The first ones. */
  examples: list(example),
  /** Absent where no edit of the file mends it. */
  hint: optional(findingHint),
});
