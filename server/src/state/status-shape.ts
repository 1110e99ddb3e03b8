import {
  type Shape,
  choice,
  count,
  flag,
  list,
  nullable,
  number,
  object,
  optional,
  text,
} from '../../../protocol/shapes/shape.ts';
import { queryTarget } from '../../../protocol/shapes/query-shapes.ts';
import type {
  ElementActivities,
  KeptExpectation,
  RelatedEntities,
  RelationshipCounts,
} from '../../../protocol/import-progress.ts';
import type { ImportSlice } from '../../../protocol/import-request.ts';
import type { BrokenGuard } from '../../../protocol/query-results.ts';
import type { KeptRowsView } from '../../../protocol/kept-rows.ts';
import type { EntityStatus, ImportedCounts, MeasureCounts, RuleCounts, SourceGraph } from './entity-status.ts';

const version: Shape<1> = (value) => (value === 1 ? undefined : '"version" must be 1.');
const isTrue: Shape<true> = (value, name) => (value === true ? undefined : `"${name}" must be true.`);

const relatedEntities = object<RelatedEntities>({ name: text, entities: count, related: count });

const elementCounts = list(
  object<ImportedCounts['elements'][number]>({
    activityName: text,
    events: count,
    entities: count,
    activities: optional(object<ElementActivities>({ column: text, names: list(text), count })),
  }),
);
const entityCounts = list(object({ name: text, entities: count }));

const brokenGuards = optional(list(object<BrokenGuard>({ guard: text, message: text })));

const counts = object<ImportedCounts>({
  guards: brokenGuards,
  elements: elementCounts,
  entities: entityCounts,
  relationships: list(
    object<RelationshipCounts>({
      name: text,
      pairs: count,
      source: optional(relatedEntities),
      target: optional(relatedEntities),
    }),
  ),
  totals: object({ events: count, entities: count }),
  rules: optional(
    list(
      object<RuleCounts>({
        name: text,
        judged: count,
        concerned: optional(count),
        broken: count,
        pending: count,
        holds: flag,
        undecided: count,
        examples: optional(list(text)),
        error: optional(text),
      }),
    ),
  ),
  measures: optional(
    list(
      object<MeasureCounts>({
        name: text,
        unit: choice({ ms: true, 'working ms': true, number: true }),
        count,
        missing: count,
        mean: nullable(number),
        median: nullable(number),
        p90: nullable(number),
        met: nullable(flag),
        missed: optional(list(text)),
        error: optional(text),
      }),
    ),
  ),
  expectations: optional(
    list(
      object<KeptExpectation>({
        element: text,
        isOfEntities: optional(isTrue),
        expectation: choice({ unique: true, notNull: true, values: true, rows: true }),
        index: count,
        columns: list(text),
        judged: count,
        broken: count,
        holds: flag,
        expected: optional(text),
        warning: optional(text),
        rows: optional(queryTarget),
      }),
    ),
  ),
});

/** What a status file must hold: it may come with a stranger's repository. */
export const statusShape: Shape<EntityStatus> = object<EntityStatus>({
  version,
  status: choice({ 'Not Imported': true, Imported: true }),
  progress: optional(text),
  hasFailed: optional(isTrue),
  failedWith: optional(text),
  stoppedBy: brokenGuards,
  imported: optional(text),
  run: optional(text),
  store: optional(text),
  previous: optional(text),
  schema: optional(text),
  inSources: optional(
    list(object<SourceGraph>({ dataSource: text, schema: text, run: optional(text), begun: optional(list(text)) })),
  ),
  counts: optional(counts),
  wholeCounts: optional(
    object<NonNullable<EntityStatus['wholeCounts']>>({ elements: elementCounts, entities: entityCounts }),
  ),
  durationMs: optional(count),
  keptRows: optional(list(object<KeptRowsView>({ dataSource: text, readAt: text }))),
  slice: optional(object<ImportSlice>({ sample: optional(number), since: optional(text) })),
  text: optional(text),
});
