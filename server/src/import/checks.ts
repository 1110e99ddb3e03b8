import type { ImportNote } from '../../../protocol/import-notes.ts';
import type { GraphTotals } from '../../../protocol/import-progress.ts';
import { countedTables, totalsOf } from '../graph-schema/graph-schema.ts';
import { importCounts } from '../graph-schema/import-counts.ts';
import type { ImportCount } from '../graph-schema/invariant.ts';
import type { BuildDialect } from './build/build-dialect.ts';
import { expectedFollowsSql } from './build/directly-follows.ts';
import type { StatementsStep } from './build/plan-statement.ts';
import { ImportError } from './import-error.ts';
import type { StepRunner } from './step-runner.ts';

/** Input of the checks. */
interface CheckedBuild {
  /** Row counts of the source and of staging for each element and relationship. */
  readonly pulls: readonly { readonly name: string; readonly sourceRows: number; readonly stagedRows: number }[];
  /** Expected events of a complete graph. */
  readonly expectedEvents?: number | undefined;
  /** An event may be correlated with one entity by several qualifiers. */
  readonly mayCorrelateTwice: boolean;
  /** Some events may have no entity of their own. */
  readonly mayLackEntity: boolean;
  /** There may be events of the lifecycle `end`. */
  readonly hasEnds: boolean;
  /** The graph was built by another database, which may sort texts in another order. */
  readonly isFetched?: boolean | undefined;
  readonly dialect: BuildDialect;
}

const countsFor = ({
  dialect,
  mayLackEntity,
  isFetched = false,
}: Pick<CheckedBuild, 'dialect' | 'mayLackEntity' | 'isFetched'>): readonly ImportCount[] =>
  importCounts({ keepsRows: dialect.build.keepsRowOrder, sortsTexts: !isFetched }, mayLackEntity);

/** Counts before publishing, one number each: violations that must be 0, table rows, expected steps. */
export function checksStep(
  build: Pick<CheckedBuild, 'dialect' | 'mayCorrelateTwice' | 'mayLackEntity' | 'hasEnds' | 'isFetched'>,
): StatementsStep {
  const {
    graph,
    build: { wide, keepsRowOrder },
  } = build.dialect;
  const statements = [
    ...countsFor(build).map(({ counts, sql }) => ({
      title: `Must count nothing: ${counts}`,
      sql: sql(graph, wide),
    })),
    ...Object.values(countedTables).map((table) => ({
      title: `Rows of ${table}`,
      sql: `SELECT count(*) FROM ${graph}.${table}`,
    })),
    { title: 'Steps from event to event that directly_follows must have', sql: expectedFollowsSql(build) },
  ];
  const name = 'checks';
  const title = 'Checking the graph';
  if (!keepsRowOrder) return { name, title, statements };
  // The embedded engine takes longer to plan and run several small statements than a single one.
  const numbers = statements.map(({ title: counted, sql }, index) => `-- ${counted}\n  (${sql}) AS n${index + 1}`);
  return { name, title, statements: [{ title, sql: `SELECT\n  ${numbers.join(',\n  ')}` }] };
}

/** Counts the tables and checks them. Rejects with `check-failed`. */
export async function checkGraph(runner: StepRunner, build: CheckedBuild): Promise<GraphTotals> {
  for (const { name, sourceRows, stagedRows } of build.pulls) {
    if (sourceRows !== stagedRows) {
      throw failed(`The source sent ${sourceRows} rows of "${name}", but ${stagedRows} arrived`);
    }
  }
  const answers = (await runner.ask(checksStep(build))).flatMap(([row]) => Object.values(row ?? {}).map(Number));
  const next = answers.values();
  const number = (): number => next.next().value ?? 0;
  for (const { counts } of countsFor(build)) {
    const violations = number();
    if (violations > 0) throw failed(`The graph has ${violations} ${counts}`);
  }
  const totals = totalsOf(() => number());
  if (build.expectedEvents !== undefined && totals.events !== build.expectedEvents) {
    throw failed(`The rows give ${build.expectedEvents} events, but the graph has ${totals.events}`);
  }
  const expectedSteps = number();
  if (expectedSteps < 0)
    throw failed('The events in the order of their entities are not the correlations of the graph');
  if (totals.directlyFollows !== expectedSteps) {
    throw failed(`There should be ${expectedSteps} directly-follows edges, but there are ${totals.directlyFollows}`);
  }
  return totals;
}

/** Finds implausible events: before 1900, or ten years and more after `now`. */
export function timeRangeStep({ build, graph, times }: BuildDialect, now: Date): StatementsStep {
  const isEarly = `time < ${times.literal(earliest)}`;
  const isLate = `time > ${times.literal(latest(now))}`;
  const sql = `SELECT
      ${build.countIf(isEarly)} AS early, min(time) AS first_time,
      ${build.countIf(isLate)} AS late, max(time) AS last_time
    FROM ${graph}.event`;
  return { name: 'time_range', title: 'Looking for odd times', statements: [{ title: 'Times of events', sql }] };
}

const earliest = '1900-01-01';

function latest(now: Date): string {
  const time = new Date(now);
  time.setUTCFullYear(now.getUTCFullYear() + 10);
  return time.toISOString().slice(0, 19);
}

/** The earliest and latest event, if implausible. */
export async function timeRangeNotes(
  runner: StepRunner,
  dialect: BuildDialect,
  now: Date,
): Promise<readonly ImportNote[]> {
  const [row] = (await runner.ask(timeRangeStep(dialect, now)))[0] ?? [];
  const [early, late] = [Number(row?.['early']), Number(row?.['late'])];
  const notes: ImportNote[] = [];
  if (early > 0) {
    const events = { count: early, of: { kind: 'eventsBefore', time: earliest } } as const;
    notes.push([events, ` events are before 1900, the first at ${String(row?.['first_time'])}.`]);
  }
  if (late > 0) {
    const events = { count: late, of: { kind: 'eventsAfter', time: latest(now) } } as const;
    notes.push([events, ` events are ten years and more ahead, the last at ${String(row?.['last_time'])}.`]);
  }
  return notes;
}

function failed(message: string): ImportError {
  return new ImportError('check-failed', `${message}.`, {
    remedy: 'The graph was not kept. Import again, and report it if it happens again.',
  });
}
