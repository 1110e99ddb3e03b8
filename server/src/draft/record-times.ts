import { because } from './draft-reason.ts';
import { orderReason, orderedShare } from './compare-times.ts';
import { type ColumnProfile, isTime } from './column-profile.ts';
import type { ChosenColumns } from './draft-choice.ts';
import { isCalledAfter, nameWords, suggests, tableWords } from './name-words.ts';
import { timeOfDayOf } from './time-of-day.ts';
import { scoreTolerance, byScore, likeliest, type Scored, scored, withStoredForm } from './scored.ts';
import type { TableInput } from './table-sample.ts';

/** The times of a table whose rows are things, not events. */
export interface RecordTimes {
  readonly start: Scored<ColumnProfile>;
  readonly change?: Scored<ColumnProfile> | undefined;
  /** Further steps in order, if the times describe more than a beginning and an end. */
  readonly milestones: readonly Scored<ColumnProfile>[];
  readonly others: readonly Scored<ColumnProfile>[];
}

/** Least number of times of a row that makes each of them a separate event. */
const minMilestones = 3;

/** Undefined if no column has the time of an event: technical times do not count. */
export function recordTimes(
  input: TableInput,
  profiles: readonly ColumnProfile[],
  wishes: ChosenColumns,
): RecordTimes | undefined {
  const times = profiles.filter(isTime);
  const considered = wishes.time
    ? times.filter(({ name }) => name === wishes.time?.[0])
    : likeliest(times, (each) => rateStart(each, input));
  const rated = byScore(considered.map((each) => rateStart(each, input, profiles)));
  const possible = rated.filter(({ score }) => score > 0);
  const start = wishes.time ? rated[0] : possible[0];
  if (!start) return undefined;
  const later = times.filter((each) => each.name !== start.value.name && isNeverBefore(start.value, each, input));
  const steps = later.filter((each) => isStep(each) && input.sample !== undefined && each.index !== undefined);
  const milestones = [start.value, ...steps].length >= minMilestones ? inOrder(steps, input) : [];
  const [change] = byScore(later.map((each) => rateChange(each, start.value, input)).filter(({ score }) => score > 0));
  return {
    start,
    change: change && milestones.length === 0 ? change : undefined,
    milestones,
    others: wishes.time ? [] : possible.filter((each) => each !== start && start.score - each.score < scoreTolerance),
  };
}

/** The time of the last change is the fallback of a table without a better time. */
export function lastChangeTimes(input: TableInput, profiles: readonly ColumnProfile[]): RecordTimes | undefined {
  const [start] = byScore(
    profiles
      .filter((each) => isTime(each) && (isBookkeeping(each) || isSystem(each)))
      .map((each) => ({ ...rateStart(each, input), reasons: [because('is the only time that there is')] })),
  );
  return start && { start, milestones: [], others: [] };
}

/**
 * Rates a column as the start of rows: times of creation are preferred to changes, plans and dates that are attributes.
 * @param profiles the columns of the table, with which it is compared
 */
function rateStart(
  profile: ColumnProfile,
  input: TableInput,
  profiles: readonly ColumnProfile[] = [],
): Scored<ColumnProfile> {
  const { name, filled = 1 } = profile;
  const table = input.object.name;
  const others = profiles.filter(
    (each) => isTime(each) && each.name !== name && !suggests(each.name, 'attribute') && !isBookkeeping(each),
  );
  // The order of the times is known only from rows.
  const isFirst =
    input.sample !== undefined && others.length > 0 && others.every((each) => isNeverBefore(profile, each, input));
  const rated = scored(profile, [
    { weight: 2, reason: because('is a time') },
    { weight: suggests(name, 'created') ? 4 : 0, reason: because('is called {0}', name) },
    {
      weight: isCalledAfter(name, table) || isCalledAfterSubject(name, table) ? 4 : 0,
      reason: because('is called after {0}', table),
    },
    {
      weight: suggests(name, 'happened') && !suggests(name, 'created') ? 1 : 0,
      reason: because('is called {0}', name),
    },
    // A start is often planned, but a time of opening or creation is actual.
    { weight: nameWords(name).some((word) => /^(?:start|starts|begin|begins)$/.test(word)) ? -1 : 0 },
    {
      weight: timeOfDayOf(profile, profiles) ? 3 : 0,
      reason: because('has its time of day in a column of its own'),
    },
    { weight: isFirst ? 2 : 0, reason: because('is the first of the times of a row') },
    { weight: suggests(name, 'ended') && !suggests(name, 'created') ? 0.5 : 0 },
    { weight: suggests(name, 'planned') ? -8 : 0 },
    { weight: suggests(name, 'attribute') ? -12 : 0 },
    { weight: isBookkeeping(profile) ? -8 : 0 },
    { weight: isSystem(profile) ? -8 : 0 },
    { weight: isConstant(profile) ? -8 : 0 },
    { weight: -5 * (1 - filled) },
  ]);
  return withStoredForm(rated);
}

function isCalledAfterSubject(name: string, table: string): boolean {
  const subject = tableWords(table).at(-1) ?? '';
  return (
    subject.length > 3 &&
    nameWords(name).some(
      (word) => word.startsWith(subject) || (subject.startsWith(word.replace(/ed$/, '')) && word.length > 4),
    )
  );
}

/** When a row was last changed technically, not when something happened to the thing. */
function isBookkeeping({ name }: ColumnProfile): boolean {
  return suggests(name, 'changed') && !suggests(name, 'created') && nameWords(name).every((word) => word !== 'since');
}

/** Kept by the system for every row of every table. */
function isSystem({ name }: ColumnProfile): boolean {
  return nameWords(name)[0] === 'sys';
}

/** Whether nearly all rows have the same time, as if it was set when the table was loaded. */
export function isConstant({ rows, mostFrequent = 0, distinct }: ColumnProfile): boolean {
  return rows >= 10 && distinct !== undefined && mostFrequent > 0.9;
}

/** If the name does not say so: a step is missing until it happens, while planned times are known for every row. */
function isStep(profile: ColumnProfile): boolean {
  const { name, filled = 1 } = profile;
  const isCalledStep = suggests(name, 'ended') || suggests(name, 'created') || suggests(name, 'happened');
  return (
    (isCalledStep || filled < 1) &&
    !isBookkeeping(profile) &&
    !isConstant(profile) &&
    !suggests(name, 'planned') &&
    !suggests(name, 'attribute')
  );
}

/** Prefers the time of an end to that of the last change. */
function rateChange(profile: ColumnProfile, start: ColumnProfile, { sample }: TableInput): Scored<ColumnProfile> {
  const { name } = profile;
  const isCompared = sample && start.index !== undefined && profile.index !== undefined;
  return scored(profile, [
    { weight: suggests(name, 'ended') ? 4 : 0, reason: because('is called {0}', name) },
    { weight: isBookkeeping(profile) ? 1 : 0, reason: because('is called {0}', name) },
    { weight: 0.5, reason: isCompared ? orderReason(sample, start, profile) : undefined },
    { weight: suggests(name, 'created') && !suggests(name, 'ended') ? -2 : 0 },
    { weight: suggests(name, 'planned') || suggests(name, 'attribute') ? -10 : 0 },
    { weight: isConstant(profile) ? -10 : 0 },
    { weight: isStep(profile) || isBookkeeping(profile) ? 0 : -1 },
  ]);
}

function isNeverBefore(start: ColumnProfile, later: ColumnProfile, { sample }: TableInput): boolean {
  if (!sample || start.index === undefined || later.index === undefined) return true;
  return (orderedShare(sample, start, later) ?? 0) >= 0.9;
}

/** Steps in the order in which most rows have them. */
function inOrder(steps: readonly ColumnProfile[], { sample }: TableInput): readonly Scored<ColumnProfile>[] {
  return steps
    .toSorted((left, right) => {
      const share = sample && orderedShare(sample, left, right);
      return share === undefined ? 0 : 0.5 - share;
    })
    .map((value) => ({ value, score: 1, reasons: [because('is a further step of the same thing')] }));
}
