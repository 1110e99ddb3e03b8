import type { ImportNote } from '../../../protocol/import-notes.ts';
import type { ImportSlice } from '../../../protocol/import-request.ts';
import type { ElementCounts, MasterDataCounts, RowExpectationResult } from '../../../protocol/import-progress.ts';
import type { StagedColumn } from '../connectors/connector.ts';
import type { BuildDialect } from './build/build-dialect.ts';
import { type BuildStep, type BuiltTable, compileBuild } from './build/compile-build.ts';
import { type StagedRelationship, correlatingRelationships, mayCorrelateTwice } from './build/correlations.ts';
import { elementCountsStep, eventCountsStep, entityTimesStep, noTimeStep } from './build/count-steps.ts';
import { type ExpectedRows, expectedRows } from './build/expectation-counts.ts';
import type { RowCounts } from './build/row-counts.ts';
import type { StagedMasterData } from './build/master-data.ts';
import type { StagedElement } from './build/staged-element.ts';
import type { TimePlace } from './build/utc-time.ts';
import { isFineTime } from '../dialects/standard/fine-times.ts';
import { ImportError } from './import-error.ts';
import { datesBeforeTimesNotes } from './dates-before-times.ts';
import { countMasterData } from './count-master-data.ts';
import { eventsWithoutEntityNotes, rejectNonLists, unmatchedKeysNotes } from './linked-keys.ts';
import { transitionValuesNotes } from './transition-values.ts';
import { unpairedNotes } from './unpaired-transitions.ts';
import { emptyKeyNote, isPart, rowsNumber } from './note-rows.ts';
import type { Located } from '../model/source-range.ts';
import type { ImportPlan } from './plan-import.ts';
import type { ProgressReporter } from './progress.ts';
import { expectationNotes, judgeExpectations } from './row-expectations.ts';
import type { StepRunner } from './step-runner.ts';

interface BuildWork {
  readonly dialect: BuildDialect;
  readonly elements: readonly StagedElement[];
  readonly entities: readonly StagedMasterData[];
  readonly relationships: readonly StagedRelationship[];
  readonly plan: Pick<ImportPlan, 'paths'>;
  readonly timeZone: string;
  /** Rows have an inherent order (files). */
  readonly hasRowOrder: boolean;
  readonly progress: ProgressReporter;
  readonly slice: ImportSlice;
}

/** How the tables of a graph are built. */
export interface TableBuild {
  /** Builds only these tables and the tables that they are built from; default: all. */
  readonly tables?: ReadonlySet<BuiltTable> | undefined;
  /** Leaves out the tables of the process map. */
  readonly withoutMap?: boolean | undefined;
  /** Runs all statements in one call, without progress and without the rows of each step. */
  readonly inOneCall?: boolean | undefined;
}

export interface BuiltGraph {
  readonly elements: readonly ElementCounts[];
  readonly entities: readonly MasterDataCounts[];
  /** Events that the rows of the source should give. */
  readonly expectedEvents: number;
  readonly mayCorrelateTwice: boolean;
  /** Results of `expect` of elements and entries of `entities`; absent without any, and for a sample. */
  readonly expectations?: readonly RowExpectationResult[] | undefined;
  readonly notes: readonly ImportNote[];
}

/** Builds the graph tables from staged rows, and counts. Rejects with an `ImportError` or the database's error. */
export async function buildGraph(runner: StepRunner, work: BuildWork & TableBuild): Promise<BuiltGraph> {
  const { elements, relationships, progress, slice } = work;
  const { paths } = work.plan;
  const { length } = await buildTables(runner, work);
  const all = length + elements.length;
  const onCount = (title: string, index: number): void => progress.report('graph build', title, (length + index) / all);
  const counted = await countElements(runner, work, onCount);
  const masterData = await countMasterData(runner, work);
  // A sample cannot tell the number of rows, or whether a value is unique.
  const expected = slice.sample === undefined ? expectedRows(work.elements, work.entities) : [];
  const expectations = expected.length === 0 ? undefined : await judgeAll(runner, expected, work);
  return {
    ...counted,
    entities: masterData.entities,
    expectations,
    notes: [
      ...counted.notes,
      ...expectationNotes(expectations ?? [], expected, work),
      ...masterData.notes,
      ...(await unmatchedKeysNotes(runner, work, counted.elements)),
      ...(await eventsWithoutEntityNotes(runner, work)),
      ...(await datesBeforeTimesNotes(runner, work)),
      ...(isPart(slice) ? [] : await transitionValuesNotes(runner, elements, work)),
      ...(await unpairedNotes(runner, work)),
    ],
    mayCorrelateTwice: mayCorrelateTwice(correlatingRelationships(relationships, paths), elements),
  };
}

/**
 * Builds the graph tables only, `inOneCall` without progress. Resolves to the steps that were run. Rejects like
 * `buildGraph`.
 */
export async function buildTables(runner: StepRunner, work: BuildWork & TableBuild): Promise<readonly BuildStep[]> {
  const { elements, progress } = work;
  const plan = compileBuild({ ...work, paths: work.plan.paths, since: work.slice.since });
  await rejectValues(runner, work);
  if (work.inOneCall === true) {
    await runner.createAll(plan);
    return plan;
  }
  const all = plan.length + elements.length;
  for (const [index, step] of plan.entries()) {
    progress.report('graph build', step.title, index / all);
    await runner.create(step);
  }
  return plan;
}

async function rejectValues(runner: StepRunner, work: BuildWork): Promise<void> {
  for (const element of work.elements) {
    work.progress.report('graph build', `Times of ${element.plan.activityName}`);
    await rejectNonTimes(runner, element, work);
    await rejectNonLists(runner, element, work);
  }
  for (const entry of work.entities) {
    await rejectTimesOfEntities(runner, entry, work);
  }
}

async function judgeAll(
  runner: StepRunner,
  expected: readonly ExpectedRows[],
  work: BuildWork,
): Promise<readonly RowExpectationResult[]> {
  const judged: RowExpectationResult[] = [];
  for (const rows of expected) judged.push(...(await judgeExpectations(runner, rows, work)));
  return judged;
}

async function countElements(
  runner: StepRunner,
  work: BuildWork,
  onCount: (title: string, index: number) => void,
): Promise<Omit<BuiltGraph, 'mayCorrelateTwice' | 'entities' | 'expectations'>> {
  const { elements } = work;
  const [events = []] = await runner.ask(eventCountsStep(work.dialect));
  const counts: ElementCounts[] = [];
  const notes: ImportNote[] = [];
  let expectedEvents = 0;
  for (const [index, element] of elements.entries()) {
    const { plan, rows } = element;
    const step = elementCountsStep(element, work, work);
    onCount(step.title, index);
    const [[found] = [], [entities] = [], activities = []] = await runner.ask(step);
    const of = (name: keyof RowCounts): number => Number(found?.[name] ?? 0);
    const own = events.find((row) => Number(row['element']) === plan.number);
    const rowCounts: RowCounts = {
      withoutKey: of('withoutKey'),
      withEmptyKey: of('withEmptyKey'),
      withoutStart: of('withoutStart'),
      changeBeforeStart: of('changeBeforeStart'),
      endBeforeStart: of('endBeforeStart'),
      infinite: of('infinite'),
      withoutActivity: of('withoutActivity'),
    };
    expectedEvents += rows - rowCounts.withoutKey - rowCounts.withoutStart;
    // A row with a transition gives one event, whether it is a start or an end.
    if (!element.transition) expectedEvents += Number(own?.['further'] ?? 0);
    notes.push(...rowNotes(element, rowCounts, work));
    counts.push({
      activityName: plan.activityName,
      rows,
      events: Number(own?.['events'] ?? 0),
      entities: Number(entities?.['entities'] ?? 0),
      rowsWithoutStart: rowCounts.withoutStart,
      rowsWithoutKey: rowCounts.withoutKey,
      ...activitiesOf(element, activities),
      ...(plan.correlatesWith.length > 0 && {
        correlatesWith: plan.correlatesWith.map(({ entityType, qualifier }) => ({ entityType, qualifier })),
      }),
    });
  }
  return { elements: counts, expectedEvents, notes };
}

function activitiesOf(
  { plan }: StagedElement,
  rows: readonly Readonly<Record<string, unknown>>[],
): Pick<ElementCounts, 'activities'> {
  const column = plan.element.activityColumn?.value;
  if (column === undefined) return {};
  const names = rows.map((row) => String(row['activity']));
  return { activities: { column, names, count: Number(rows[0]?.['activities'] ?? 0) } };
}

async function rejectNonTimes(runner: StepRunner, element: StagedElement, place: TimePlace): Promise<void> {
  const step = noTimeStep(element, place);
  if (!step) return;
  const answers = await runner.ask(step);
  for (const [index, role] of step.asks.entries()) {
    const [row] = answers[index] ?? [];
    if (!row) continue;
    if (role === 'far') throw farTime(element.plan.activityName, element.columns, place, row);
    throw noTime(element.plan.activityName, role, element.plan.element[`${role}Timestamp`], row);
  }
}

async function rejectTimesOfEntities(runner: StepRunner, entry: StagedMasterData, place: TimePlace): Promise<void> {
  const step = entityTimesStep(entry, place);
  if (!step) return;
  const answers = await runner.ask(step);
  for (const [index, role] of step.asks.entries()) {
    const [row] = answers[index] ?? [];
    if (!row) continue;
    if (role === 'far') throw farTime(entry.plan.name, entry.columns, place, row);
    throw noTime(entry.plan.name, role, entry.plan.entry.validFrom, row);
  }
}

function noTime(
  name: string,
  role: string,
  column: Located<string> | undefined,
  row: Readonly<Record<string, unknown>>,
): ImportError {
  const value = String(row['value']);
  const said = `Row ${String(row['row'])} of "${name}" has "${value}" in ${column?.value ?? role}`;
  if (isFineTime(value)) {
    return new ImportError('type-mismatch', `${said}, which has digits below microseconds.`, {
      remedy:
        'Write the times in microseconds, or compute the time without these digits: { expression: … } in place of the column.',
      range: column?.range,
    });
  }
  const message = `${said}, which is not a timestamp.`;
  return new ImportError('type-mismatch', message, {
    remedy:
      'Choose another column, correct the data, or set timestampFormat when the source is a file, times when it is an SQLite database.',
    range: column?.range,
  });
}

function farTime(
  name: string,
  columns: readonly StagedColumn[],
  place: TimePlace,
  row: Readonly<Record<string, unknown>>,
): ImportError {
  const column = columns[Number(row['place'])];
  const read = column?.sense === 'date' ? 'a time' : `a time in the zone ${column?.timeZone ?? place.timeZone}`;
  return new ImportError(
    'type-mismatch',
    `Row ${String(row['row'])} of "${name}" has "${String(row['value'])}" in ${column?.name ?? ''}, which is too far away to be read as ${read}.`,
    { remedy: 'Correct the data, or exclude such rows with where.' },
  );
}

/** Conditions on rows that name no column: they hold for any element. */
type OwnCondition = 'withoutKey' | 'withoutActivity' | 'changeBeforeStart' | 'endBeforeStart' | 'infiniteTime';

/** Warnings about the rows of an element. */
function rowNotes({ plan, rows, start }: StagedElement, counts: RowCounts, work: BuildWork): readonly ImportNote[] {
  const { activityName, query } = plan;
  const timeZone = start.timeZone ?? work.timeZone;
  const noted = { kind: 'element', name: activityName, query, timeZone, slice: work.slice } as const;
  const name = `"${activityName}"`;
  const some = (count: number, kind: OwnCondition) => rowsNumber(count, noted, { kind });
  const of = (count: number, kind: OwnCondition): ImportNote => [
    some(count, kind),
    ' of ',
    rowsNumber(rows, noted),
    ` rows of ${name}`,
  ];
  const notes: ImportNote[] = [];
  if (rows === 0) notes.push([`${name} has no rows: its table is empty, or its filter lets nothing through.`]);
  if (counts.withoutKey > 0) notes.push([...of(counts.withoutKey, 'withoutKey'), ' have no key and are left out.']);
  if (counts.withEmptyKey > 0) notes.push(emptyKeyNote(counts.withEmptyKey, noted, rows));
  if (counts.infinite > 0) {
    const infinite = some(counts.infinite, 'infiniteTime');
    notes.push([infinite, ` timestamps of ${name} are infinite and count as missing.`]);
  }
  if (counts.changeBeforeStart > 0) {
    notes.push([...of(counts.changeBeforeStart, 'changeBeforeStart'), ' change before they start.']);
  }
  if (counts.endBeforeStart > 0) {
    notes.push([...of(counts.endBeforeStart, 'endBeforeStart'), ' end before they start: these ends are no events.']);
  }
  if (counts.withoutActivity > 0) {
    const column = plan.element.activityColumn?.value ?? '';
    const text = ` have nothing in ${column}: their events are called ${name}.`;
    notes.push([...of(counts.withoutActivity, 'withoutActivity'), text]);
  }
  return notes;
}
