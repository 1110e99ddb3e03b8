import type {
  ActivitiesAnswer,
  BatchesAnswer,
  CausesAnswer,
  EntityCases,
  MeasureAnswer,
  StepsAnswer,
  WorkloadAnswer,
} from '../../../../protocol/analysis.ts';
import type { EntityTimeline, VariantsView } from '../../../../protocol/event-graph.ts';
import { QuestionError } from '../../analysis/question-error.ts';
import { answerMeasures, countSubjects } from '../../analysis/answer-measures.ts';
import { findCauses } from '../../analysis/causes/find-causes.ts';
import { readActivities } from '../../analysis/read-activities.ts';
import { type BatchesQuestion, readBatches } from '../../analysis/read-batches.ts';
import { readCases } from '../../analysis/read-cases.ts';
import { allOf, readEachCondition } from '../../analysis/read-conditions.ts';
import { type StepsQuestion, readSteps } from '../../analysis/read-steps.ts';
import { readVariants } from '../../analysis/read-variants.ts';
import { type WorkloadQuestion, readWorkload } from '../../analysis/read-workload.ts';
import { findEntities, readTimeline } from '../../event-graph/read-entities.ts';
import type { Measure } from '../../model/measure.ts';
import { didYouMean, nearestNames } from '../../model/nearest-name.ts';
import { parseEntityGraph } from '../../model/parse-model.ts';
import { measureName } from '../../process-rules/measure-graph.ts';
import type { ProjectContext } from '../../project/open-project.ts';
import { type AskedEntities, type AskedGraph, askImportedGraph } from './asked-graph.ts';

/** An answer with what it is about. */
export interface Answered<T> {
  readonly answer: T;
  readonly entityType: string;
  /** The entities that were meant, of all of the type, and those for comparison. */
  readonly entities: number;
  readonly all: number;
  readonly compared?: number | undefined;
  /** Sentences that belong to the answer, such as that the graph is a slice. */
  readonly notes: readonly string[];
}

/** The file and the entities of a question. */
export interface Question extends AskedEntities {
  /** Absolute path of the entity graph. */
  readonly path: string;
}

interface AskedMeasures extends Question {
  readonly measures?: readonly string[] | undefined;
  readonly by?: readonly string[] | undefined;
}

/**
 * Measures of entities by groups; without an entity type, of that of the first written measure, and without `by` in the
 * groups of the only one that is asked for. Rejects as `askImportedGraph` does.
 */
export function analyzeGraph(
  { measures, by, ...question }: AskedMeasures,
  projectContext: ProjectContext,
  signal: AbortSignal,
): Promise<Answered<readonly MeasureAnswer[]>> {
  const written = (text: string): Measure | undefined =>
    parseEntityGraph(text).graph.measures.find((measure) => measures?.includes(measureName(measure)));
  const typeOf = (text: string): string | undefined => written(text)?.each?.entityType?.value;
  const groupsOf = (text: string): readonly string[] | undefined =>
    measures?.length === 1 ? written(text)?.by.map(({ value }) => value) : undefined;
  return answered({ typeOf, ...question }, projectContext, signal, ({ store, filter, compare, text, options }) =>
    answerMeasures(store, { filter, compare, measures, by: by ?? groupsOf(text), text }, options),
  );
}

/** The variants of entities with their numbers. Rejects as `askImportedGraph` does. */
export function listVariants(
  { limit, ...question }: Question & { readonly limit: number },
  projectContext: ProjectContext,
  signal: AbortSignal,
): Promise<Answered<VariantsView>> {
  return answered(question, projectContext, signal, ({ store, filter, options }) =>
    readVariants(store, { filter, limit, isNumbered: true }, options),
  );
}

/** Entities with their measures, sorted. Rejects as `askImportedGraph` does. */
export function listCases(
  {
    sort,
    ascending,
    limit,
    ...question
  }: Question & { readonly sort?: string | undefined; readonly ascending: boolean; readonly limit: number },
  projectContext: ProjectContext,
  signal: AbortSignal,
): Promise<Answered<EntityCases>> {
  return answered(question, projectContext, signal, ({ store, filter, options }) =>
    readCases(store, { filter, sort, ascending, limit }, options),
  );
}

/** The steps from event to event with their times. Rejects as `askImportedGraph` does. */
export function listSteps(
  { by, sort, limit, ...question }: Question & Omit<StepsQuestion, 'filter'>,
  projectContext: ProjectContext,
  signal: AbortSignal,
): Promise<Answered<StepsAnswer>> {
  return answered(question, projectContext, signal, ({ store, filter, options }) =>
    readSteps(store, { filter, by, sort, limit }, options),
  );
}

/** The activities of entities. Rejects as `askImportedGraph` does. */
export function listActivities(
  { limit, ...question }: Question & { readonly limit: number },
  projectContext: ProjectContext,
  signal: AbortSignal,
): Promise<Answered<ActivitiesAnswer>> {
  return answered(question, projectContext, signal, ({ store, filter, options }) =>
    readActivities(store, { filter, limit }, options),
  );
}

/** Entities in progress over time. Rejects as `askImportedGraph` does. */
export function listWorkload(
  { by, limit, ...question }: Question & Omit<WorkloadQuestion, 'filter'>,
  projectContext: ProjectContext,
  signal: AbortSignal,
): Promise<Answered<WorkloadAnswer>> {
  return answered(question, projectContext, signal, ({ store, filter, options }) =>
    readWorkload(store, { filter, by, limit }, options),
  );
}

/** What is done in batches. Rejects as `askImportedGraph` does. */
export function listBatches(
  { by, limit, ...question }: Question & Omit<BatchesQuestion, 'filter'>,
  projectContext: ProjectContext,
  signal: AbortSignal,
): Promise<Answered<BatchesAnswer>> {
  return answered(question, projectContext, signal, ({ store, filter, options }) =>
    readBatches(store, { filter, by, limit }, options),
  );
}

/**
 * The events of one entity, named by its key, or by a text that a property of no other one has. Rejects as
 * `askImportedGraph` does, also where there is none.
 */
export function readEntityTimeline(
  { key, ...question }: Question & { readonly key: string },
  projectContext: ProjectContext,
  signal: AbortSignal,
): Promise<Answered<EntityTimeline>> {
  return answered(question, projectContext, signal, async ({ store, filter: { entityType }, options }) => {
    const hits = await findEntities(store, { search: key, entityType }, options);
    const named = hits.filter(({ found }) => found?.value === key);
    const found = hits.find((hit) => hit.key === key) ?? (named.length === 1 ? named[0] : undefined);
    const timeline = found && (await readTimeline(store, found.id, options));
    if (timeline) return timeline;
    if (named.length > 1) {
      const keys = named.slice(0, 5).map((hit) => hit.key);
      throw new QuestionError(
        `Several entities of the type ${entityType} have "${key}" in a property.`,
        `Name one by its key: ${keys.join(', ')}${named.length > keys.length ? ', …' : ''}.`,
      );
    }
    const near = didYouMean(
      nearestNames(
        key,
        hits.map((hit) => hit.found?.value ?? hit.key),
      ),
    );
    throw new QuestionError(
      `No entity of the type ${entityType} has the key "${key}".`,
      near ?? 'entity-graph entities lists entities; --entity-type names another type.',
    );
  });
}

/** What goes with an outcome. Rejects as `askImportedGraph` does. */
export function explainOutcome(
  { outcome, ...question }: Question & { readonly outcome: readonly string[] },
  projectContext: ProjectContext,
  signal: AbortSignal,
): Promise<Answered<CausesAnswer>> {
  return answered({ outcome, ...question }, projectContext, signal, async ({ store, filter, named, options }) => {
    const conditions = await readEachCondition(outcome, named, options);
    return findCauses(store, { filter, conditions, outcome: await allOf(conditions, named, options) }, options);
  });
}

function answered<T>(
  { path, ...entities }: Question,
  projectContext: ProjectContext,
  signal: AbortSignal,
  ask: (graph: AskedGraph) => Promise<T>,
): Promise<Answered<T>> {
  return askImportedGraph(path, entities, projectContext, signal, async (graph) => {
    const { store, filter, compare, notes, options } = graph;
    const answer = await ask(graph);
    const { entityType } = filter;
    return {
      answer,
      entityType,
      entities: await countSubjects(store, filter, options),
      all: await countSubjects(store, { entityType }, options),
      compared: compare && (await countSubjects(store, compare, options)),
      notes,
    };
  });
}
