import type { PlanStepView } from '../../../../protocol/import-plan.ts';
import type { StagedColumn } from '../../connectors/connector.ts';
import type { BuildDialect } from '../../import/build/build-dialect.ts';
import type { BuildSource } from '../../import/build/build-source.ts';
import { type BuildStep, compileBuild } from '../../import/build/compile-build.ts';
import {
  type StagedRelationship,
  correlatingRelationships,
  mayCorrelateTwice,
} from '../../import/build/correlations.ts';
import {
  elementCountsStep,
  eventCountsStep,
  entityTimesStep,
  noTimeStep,
  pairsStep,
} from '../../import/build/count-steps.ts';
import { expectationsStep, expectedRows } from '../../import/build/expectation-counts.ts';
import { transitionValuesStep } from '../../import/build/transition-values.ts';
import { unpairedStep } from '../../import/build/unpaired-transitions.ts';
import { datesBeforeTimesStep } from '../../import/build/dates-before-times.ts';
import { eventsWithoutEntityStep, noListStep, unmatchedKeysStep } from '../../import/build/link-counts.ts';
import { masterDataCountsStep } from '../../import/build/master-data-counts.ts';
import { type StagedMasterData, stagedMasterData } from '../../import/build/master-data.ts';
import type { StatementsStep } from '../../import/build/plan-statement.ts';
import { runStep } from '../../import/build/run-record.ts';
import { type StagedElement, stagedElement } from '../../import/build/staged-element.ts';
import { checksStep, timeRangeStep } from '../../import/checks.ts';
import { sharedKeysStep } from '../../import/shared-keys.ts';
import { lateEventsStep } from '../../import/late-events.ts';
import { baseRowsStep } from '../../import/multiplied-rows.ts';
import { inZone } from '../../import/pulling.ts';
import { type StagedEnd, joinEndsStep, joinedPairs } from '../../import/join-ends.ts';
import { type ImportPlan, type PlannedPull, hasEnds, mayLackEntity } from '../../import/plan-import.ts';
import { QueryFailure } from '../../import/query-failure.ts';
import type { CompiledQuery } from '../../query/compiled-query.ts';

/** How the engine that builds the graph reads its sources and stages rows. */
interface PlannedEngine {
  readonly dialect: BuildDialect;
  readonly timeZone: string;
  readonly hasRowOrder: boolean;
  /** The time zone of a data source. */
  zoneOf(dataSource: string): string;
  columnsOf(query: CompiledQuery, dataSource: string): Promise<readonly StagedColumn[]>;
  pullParts(query: CompiledQuery, table: string, dataSource: string): Promise<PlanStepView['parts']>;
  /** Statements before the first row. */
  readonly opening: readonly StatementsStep[];
  /** Statements after the last row of a graph. */
  readonly staged: readonly StatementsStep[];
  /** Statements that judge and publish the graph. */
  publishing(source: BuildSource): readonly StatementsStep[];
}

/** All steps of an import, in order. */
export async function planSteps(plan: ImportPlan, engine: PlannedEngine): Promise<readonly PlanStepView[]> {
  const { dialect, timeZone, hasRowOrder, opening } = engine;
  const { pulls, elements, entities, relationships } = await planPulls(plan, engine);
  const place = { dialect, timeZone };
  const source = { ...place, elements, entities, relationships, paths: plan.paths, hasRowOrder };
  const checked = {
    dialect,
    mayCorrelateTwice: mayCorrelateTwice(correlatingRelationships(relationships, plan.paths), elements),
    mayLackEntity: mayLackEntity(plan),
    hasEnds: hasEnds(plan),
  };
  const counted = { elements, entities };
  const stated =
    (phase: PlanStepView['phase']) =>
    (step: StatementsStep | undefined): readonly PlanStepView[] =>
      step === undefined ? [] : [statedStep(step, phase, dialect)];
  return [
    ...opening.flatMap(stated('data pull')),
    ...pulls,
    ...[
      ...engine.staged,
      ...elements.flatMap((element) => [noTimeStep(element, place), noListStep(element, place)]),
      ...entities.map((entry) => entityTimesStep(entry, place)),
    ].flatMap(stated('graph build')),
    ...compileBuild(source).map((step) => builtStep(step, dialect)),
    ...[
      eventCountsStep(dialect),
      ...elements.map((element) => elementCountsStep(element, counted, place)),
      ...entities.map((entry) => masterDataCountsStep(entry, place)),
      ...expectedRows(elements, entities).map((rows) => expectationsStep(rows, place)),
      unmatchedKeysStep(counted, { ...place, hasRowOrder }),
      eventsWithoutEntityStep(elements, dialect),
      datesBeforeTimesStep(elements, dialect),
      ...elements.map((element) => transitionValuesStep(element, place)),
      unpairedStep(elements, dialect),
    ].flatMap(stated('graph build')),
    ...[
      checksStep(checked),
      ...(relationships.length + plan.paths.length > 0 ? [pairsStep(dialect)] : []),
      timeRangeStep(dialect, new Date()),
      sharedKeysStep(plan, dialect),
      lateEventsStep(plan, dialect),
      runStep(dialect),
      ...engine.publishing(source),
    ].flatMap(stated('post-load checks')),
  ];
}

/** The steps that pull rows, and all rows as an import would stage them, without any of them. */
async function planPulls(
  plan: ImportPlan,
  engine: PlannedEngine,
): Promise<Pick<BuildSource, 'elements' | 'entities' | 'relationships'> & { readonly pulls: readonly PlanStepView[] }> {
  const { dialect, timeZone } = engine;
  const place = { dialect, timeZone };
  const pulls: PlanStepView[] = [];
  const partsOf = async ({ name, query, table, dataSource }: PlannedPull): Promise<PlanStepView['parts']> =>
    (await engine.pullParts(query, table, dataSource).catch(failedFor(query, name))).map(shownPart);
  const describe = async (planned: PlannedPull) => {
    const { name, query, table, dataSource } = planned;
    pulls.push({ name: table, title: `Rows of ${name}`, phase: 'data pull', parts: await partsOf(planned) });
    const columns = await engine.columnsOf(query, dataSource).catch(failedFor(query, name));
    const loaded = { sourceRows: 0, warnings: [], columns };
    return inZone(loaded, query, engine.zoneOf(dataSource), timeZone);
  };
  const elements: StagedElement[] = [];
  for (const element of plan.elements) {
    const { activityName, dataSource, query, table } = element;
    const described = stagedElement(element, await describe({ name: activityName, dataSource, query, table }));
    elements.push(described);
    const base = baseRowsStep(described, place);
    if (!base) continue;
    const parts = base.query
      ? await partsOf({ name: activityName, dataSource, query: base.query, table: base.name })
      : [];
    const title = `Rows of the data object of ${activityName}, which its joins may multiply`;
    const counting = sqlPart(dialect, 'Their number', base.sql);
    pulls.push({ name: base.name, title, phase: 'data pull', parts: [...parts, counting] });
  }
  const entities: StagedMasterData[] = [];
  for (const entry of plan.entities) entities.push(stagedMasterData(entry, await describe(entry)));
  const relationships: StagedRelationship[] = [];
  for (const relationship of plan.relationships) {
    const { name, dataSource, query, table } = relationship;
    if (dataSource !== undefined) {
      relationships.push({ plan: relationship, loaded: await describe({ name, dataSource, query, table }) });
      continue;
    }
    const ends: StagedEnd[] = [];
    for (const end of query.ends ?? []) {
      ends.push({
        end,
        loaded: await describe({ name, dataSource: end.dataSource, query: end.query, table: end.table }),
      });
    }
    pulls.push(statedStep(joinEndsStep(relationship, ends, place), 'data pull', dialect));
    relationships.push({ plan: relationship, loaded: joinedPairs(relationship, 0) });
  }
  return { pulls, elements, entities, relationships };
}

function sqlPart({ name }: BuildDialect, title: string, text: string): PlanStepView['parts'][number] {
  return { kind: 'sql', dialect: name, title, text };
}

function statedStep(
  { name, title, statements }: StatementsStep,
  phase: PlanStepView['phase'],
  dialect: BuildDialect,
): PlanStepView {
  const parts = statements.map((each) => ({
    ...sqlPart(dialect, each.title, each.sql),
    dialect: each.dialect ?? dialect.name,
  }));
  return { name, title, phase, parts };
}

function builtStep({ name, title, sql, count }: BuildStep, dialect: BuildDialect): PlanStepView {
  const counted = count === undefined ? [] : [sqlPart(dialect, 'Number of its rows', count)];
  return { name, title, phase: 'graph build', parts: [sqlPart(dialect, title, sql), ...counted] };
}

function failedFor(query: CompiledQuery, subject: string): (error: unknown) => never {
  return (error) => {
    throw new QueryFailure(error, query, subject);
  };
}

function shownPart({ kind, dialect, title, text }: PlanStepView['parts'][number]): PlanStepView['parts'][number] {
  return { kind, dialect, title, text };
}
