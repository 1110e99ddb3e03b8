import type { DraftReason } from '../../../protocol/first-draft.ts';
import { because } from './draft-reason.ts';
import { caseRows, changeShare } from './case-statistics.ts';
import type { DraftLifecycle } from './draft-model.ts';
import { isTransition, lifecycleOf } from '../model/lifecycle-values.ts';
import { orderReason, orderedShare } from './compare-times.ts';
import { type ColumnProfile, isEmptyCell, isTime, isUnique } from './column-profile.ts';
import { type LogContext, rateActivity, rateCase, rateSequence, rateTime } from './log-columns.ts';
import { nameWords, scopeOf, suggests, tableWords } from './name-words.ts';
import { objectColumns } from './object-columns.ts';
import { scoreTolerance, byScore, likeliest, type Scored } from './scored.ts';
import type { ChosenColumns } from './draft-choice.ts';

/** The columns of an event log: one row an event. */
export interface LogRoles {
  readonly case: Scored<ColumnProfile>;
  readonly activity: Scored<ColumnProfile>;
  readonly time: Scored<ColumnProfile>;
  /** The time of the end, in the same row. */
  readonly end?: Scored<ColumnProfile> | undefined;
  /** Says which rows are starts and which are ends. */
  readonly lifecycle?: DraftLifecycle | undefined;
  readonly sequence?: Scored<ColumnProfile> | undefined;
  readonly objects: readonly Scored<ColumnProfile>[];
  /** Columns that describe the case: they have the scope of its column and one value in all of its rows. */
  readonly caseAttributes: readonly ColumnProfile[];
  /** Columns that are as good for a role as the one that was taken. */
  readonly others: Readonly<Record<'case' | 'activity' | 'time', readonly Scored<ColumnProfile>[]>>;
}

interface Reading {
  readonly case: Scored<ColumnProfile>;
  readonly activity: Scored<ColumnProfile>;
  readonly time: Scored<ColumnProfile>;
  readonly score: number;
}

/** Least scores, of the activity alone and in total, of a table that counts as a log. */
const minActivity = 4;
const minScore = 11;

/** No rows of cases: a rating by them is by name and values of the column alone. */
const noRows = { before: [], after: [], first: [] };

/** The roles of the columns of an event log, or undefined for a table of anything else. Columns that a person chose are taken. */
export function logRoles(context: LogContext, wishes: ChosenColumns): LogRoles | undefined {
  const { profiles, sample, table } = context;
  const wished = (role: 'case' | 'activity' | 'time') => (profile: ColumnProfile) =>
    wishes[role] === undefined || wishes[role]?.[0] === profile.name;
  const cases = likeliest(
    profiles.filter((profile) => isCaseLike(profile) && wished('case')(profile)),
    (each) => rateCase(each, context, noRows),
  );
  const activities = profiles.filter((each) => isActivityLike(each) && wished('activity')(each));
  // What happens to activities is no activity, unless nothing else is.
  const own = activities.filter((each) => !lifecycleIn(each, context));
  const activityLike = likeliest(own.length > 0 ? own : activities, (each) => rateActivity(each, sample, noRows));
  const timeLike = likeliest(
    profiles.filter((each) => isTime(each) && each.index !== undefined && wished('time')(each)),
    (each) => rateTime(each, sample, noRows),
  );
  const readings = cases.flatMap((profile): readonly Reading[] => {
    const rows = caseRows(sample, profile);
    const rated = rateCase(profile, context, rows);
    const isOther = ({ name }: ColumnProfile): boolean => name !== profile.name;
    const times = byScore(timeLike.filter(isOther).map((each) => rateTime(each, sample, rows)));
    return activityLike.filter(isOther).flatMap((each) => {
      const activity = rateActivity(each, sample, rows);
      return times.map((time) => ({ case: rated, activity, time, score: rated.score + activity.score + time.score }));
    });
  });
  const ordered = readings.toSorted((left, right) => right.score - left.score);
  const [best] = ordered;
  const isAsked = wishes.case !== undefined || wishes.activity !== undefined;
  if (!best || (!isAsked && !isConvincing(best, profiles, table))) return undefined;
  const asGoodAs = (role: 'case' | 'activity' | 'time'): readonly Scored<ColumnProfile>[] => {
    if (wishes[role]) return [];
    const fixed = (['case', 'activity', 'time'] as const).filter((each) => each !== role);
    const others = ordered.filter(
      (reading) =>
        reading[role].value.name !== best[role].value.name &&
        fixed.every((each) => reading[each].value.name === best[each].value.name) &&
        best.score - reading.score < scoreTolerance,
    );
    return others.map((reading) => reading[role]);
  };
  return {
    ...pick(best),
    ...furtherRoles(best, context, wishes),
    others: { case: asGoodAs('case'), activity: asGoodAs('activity'), time: asGoodAs('time') },
  };
}

function pick({ case: ofCase, activity, time }: Reading): Pick<LogRoles, 'case' | 'activity' | 'time'> {
  return { case: ofCase, activity, time };
}

function furtherRoles(
  best: Reading,
  context: LogContext,
  wishes: ChosenColumns,
): Pick<LogRoles, 'end' | 'lifecycle' | 'sequence' | 'objects' | 'caseAttributes'> {
  const { profiles, sample, references } = context;
  const main = new Set([best.case, best.activity, best.time].map(({ value }) => value.name));
  const untaken = profiles.filter(({ name }) => !main.has(name));
  const caseAttributes = attributesOfCase(best, untaken, context);
  const ofCase = new Set(caseAttributes);
  const rest = untaken.filter((each) => !ofCase.has(each));
  const rows = caseRows(sample, best.case.value, best.time.value);
  const [sequence] = byScore(rest.flatMap((profile) => rateSequence(profile, sample, rows) ?? []));
  const end = endOf(best, wishes.end ? untaken : rest, context, wishes.end);
  const lifecycle = end ? undefined : lifecycleAmong(rest, context);
  const taken = new Set([sequence?.value.name, end?.value.name, lifecycle?.column]);
  const isLeft = ({ name }: ColumnProfile): boolean => !taken.has(name);
  return {
    sequence,
    end,
    lifecycle,
    objects: objectColumns(rest.filter(isLeft), references),
    caseAttributes: caseAttributes.filter(({ name }) => name !== end?.value.name),
  };
}

/** In names such as `case:concept:name` and `case:amount`, as writers of XES use them, the part before the colon is the scope. */
function attributesOfCase(
  { case: { value } }: Reading,
  columns: readonly ColumnProfile[],
  { sample }: LogContext,
): readonly ColumnProfile[] {
  const scope = scopeOf(value.name);
  if (scope === undefined) return [];
  const rows = caseRows(sample, value);
  return columns.filter(
    (each) => scopeOf(each.name) === scope && each.index !== undefined && changeShare(sample, rows, each) === 0,
  );
}

/**
 * The column with the end of an event: hardly ever before its start, and different in each row of a case.
 * @param chosen the column that a person chose, which must have times only
 */
function endOf(
  { case: ofCase, time }: Reading,
  rest: readonly ColumnProfile[],
  { sample, read }: LogContext,
  chosen: readonly string[] | undefined,
): Scored<ColumnProfile> | undefined {
  const rows = caseRows(sample, ofCase.value);
  const isEnd = ({ name }: ColumnProfile): boolean =>
    chosen ? chosen[0] === name : suggests(name, 'ended') || (isCalledStart(time.value.name) && isPlainTime(name));
  const ends = rest.filter((each) => isTime(each) && isEnd(each) && each.index !== undefined);
  const reasons = (end: ColumnProfile): readonly DraftReason[] => [
    ...(suggests(end.name, 'ended') ? [because('is called {0}', end.name)] : []),
    ...[orderReason(read, time.value, end) ?? []].flat(),
  ];
  const [end] = byScore(
    ends
      .filter((each) => chosen !== undefined || (orderedShare(read, time.value, each) ?? 0) >= 0.98)
      .map((each) => ({ ...rateTime(each, sample, rows), reasons: reasons(each) }))
      .filter(({ score }) => chosen !== undefined || score > 0),
  );
  return end;
}

/** The first column that says which rows are starts and ends of activities. */
function lifecycleAmong(columns: readonly ColumnProfile[], context: LogContext): DraftLifecycle | undefined {
  for (const profile of columns) {
    const found = lifecycleIn(profile, context);
    if (found) return found;
  }
  return undefined;
}

/** Undefined unless all values of a column are transitions, some of them starts and some ends. */
function lifecycleIn(
  { name, index, sense, distinct = 0 }: ColumnProfile,
  { read }: LogContext,
): DraftLifecycle | undefined {
  if (index === undefined || sense !== 'text' || distinct > mostTransitions) return undefined;
  const values = new Set<string>();
  for (const row of read.rows) {
    const cell = row[index];
    if (isEmptyCell(cell)) continue;
    if (!isTransition(String(cell))) return undefined;
    values.add(String(cell));
  }
  return lifecycleOf(name, values);
}

/** The standard has 13. */
const mostTransitions = 20;

function isCalledStart(name: string): boolean {
  return nameWords(name).some((word) => /^(?:start|started|begin|began)$/.test(word));
}

/** A time without further meaning: `time:timestamp` beside `start_timestamp` is that of the end. */
function isPlainTime(name: string): boolean {
  return nameWords(name).every((word) => /^(?:time|timestamp|datetime|ts)$/.test(word));
}

function isCaseLike(profile: ColumnProfile): boolean {
  const { sense, filled = 0, distinct = 0, rows, index, isList, timeText } = profile;
  const isName = sense === 'text' || sense === 'integer' || sense === 'other';
  return (
    index !== undefined && isName && !isList && !timeText && filled >= 0.99 && distinct >= 2 && distinct <= 0.8 * rows
  );
}

function isActivityLike({ sense, distinct = 0, rows, meanLength, filled = 0, index, isList }: ColumnProfile): boolean {
  const isText = sense === 'text' || sense === 'other';
  return (
    index !== undefined &&
    isText &&
    !isList &&
    filled > 0.5 &&
    distinct >= 2 &&
    distinct <= Math.max(0.3 * rows, 5) &&
    meanLength <= 80
  );
}

/**
 * A table with a key is a log only if its name, or that of its activity column, suggests it: orders have a status and a
 * customer, too.
 */
function isConvincing({ activity, score }: Reading, profiles: readonly ColumnProfile[], table: string): boolean {
  const hasOwnKey = profiles.some(
    (profile) =>
      profile.column.primaryKey || (isUnique(profile) && !isTime(profile) && suggests(profile.name, 'identifier')),
  );
  const isCalledLog = tableWords(table).some((word) => suggests(word, 'log'));
  if (hasOwnKey && !isCalledLog && !suggests(activity.value.name, 'activity')) return false;
  return activity.score >= minActivity && score >= minScore;
}
