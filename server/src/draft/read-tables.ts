import { type ColumnProfile, type ReadableTimes, isEmptyCell, isTime } from './column-profile.ts';
import { type DraftAnswer, chosenColumnsOf } from './draft-choice.ts';
import { suggests, tableWords } from './name-words.ts';
import { type ReadingOptions, type TableReading, readTable } from './read-table.ts';
import type { Reference } from './reference.ts';
import { findReferences } from './references.ts';
import type { SourceCounts } from './source-counts.ts';
import type { SampleCell, TableInput } from './table-sample.ts';
import { timeOfDayOf } from './time-of-day.ts';
import { sortableTime } from '../catalog/time-text.ts';

/** The interpretation of tables: each by itself, then corrected by the others. */
export function readTables(
  inputs: readonly TableInput[],
  answers: readonly DraftAnswer[],
  timesOf: (input: TableInput) => ReadableTimes,
  counts?: SourceCounts,
): readonly TableReading[] {
  const optionsOf = (input: TableInput): ReadingOptions => ({
    times: timesOf(input),
    repeated: counts?.repeated,
  });
  const alone = inputs.map((input) => readTable(input, chosenColumnsOf(input.object.name, answers), optionsOf(input)));
  if (alone.some(({ input }) => input.object.foreignKeys.length > 0)) return alone;
  const isPlanned = planned(alone);
  const references = alone.some(({ log }) => log) ? findReferences(alone, counts?.shares) : [];
  return alone.map((reading) => {
    const { input, profiles } = reading;
    const choices = chosenColumnsOf(input.object.name, answers);
    const isChosen = choices.case !== undefined || choices.activity !== undefined;
    const isDetail = !isChosen && detailsOther(reading, references, inputs.length === 1);
    const plans = new Set(profiles.filter((each) => isPlanned(reading, each)).map(({ name }) => name));
    const areUsed = (reading.times !== undefined || isDetail) && choices.time === undefined && plans.size > 0;
    return isDetail || areUsed ? readTable(input, choices, { ...optionsOf(input), isDetail, plans }) : reading;
  });
}

/**
 * Whether a table that looks like a log has rows that belong to those of another table: the titles of employees. Its key begins
 * with a reference to that table, and nothing is called like an activity.
 */
function detailsOther({ input, key, log }: TableReading, references: readonly Reference[], isAlone: boolean): boolean {
  if (!log || !key || key.columns.length < 2) return false;
  const { name } = input.object;
  const activity = log.activity.value.name;
  const isCalledLog = tableWords(name).some((word) => suggests(word, 'log'));
  if (isCalledLog || suggests(activity, 'activity') || suggests(activity, 'state')) return false;
  // The numbers of the items of documents: in a log, a case may have an activity twice.
  const ofLog = [log.case.value.name, activity];
  const isKey = key.columns.length === 2 && key.columns.every((column) => ofLog.includes(column));
  if (!isAlone && (isKey || holdsNumbers(input, log.activity.value))) return true;
  return references.some(
    ({ from, columns }) =>
      from === name && columns.includes(log.case.value.name) && columns.every((column) => key.columns.includes(column)),
  );
}

function holdsNumbers({ sample }: TableInput, { index }: ColumnProfile): boolean {
  return sample?.rows.every((row) => /^\d*$/.test(String(row[index ?? -1] ?? ''))) === true;
}

/** Least number of tables that record dates with their times of day, from which the last recorded day is known. */
const minRecording = 2;

/** Tests for dates later than any that was recorded with its time of day: they are planned, or an open end. */
function planned(readings: readonly TableReading[]): (reading: TableReading, column: ColumnProfile) => boolean {
  const recorded = readings.flatMap(({ input, profiles }) =>
    profiles.flatMap((each) => (timeOfDayOf(each, profiles) ? (lastDay(input, each) ?? []) : [])),
  );
  const last = recorded.toSorted().at(-1);
  if (last === undefined || recorded.length < minRecording) return () => false;
  return ({ input, profiles }, column) =>
    isTime(column) && !column.stored && !timeOfDayOf(column, profiles) && (lastDay(input, column) ?? '') > last;
}

/** The last day of a column, as digits. */
function lastDay({ sample }: TableInput, { index, timeText }: ColumnProfile): string | undefined {
  let last: string | undefined;
  for (const row of sample?.rows ?? []) {
    const day = dayOf(row[index ?? -1], timeText);
    if (day !== undefined && (last === undefined || day > last)) last = day;
  }
  return last;
}

function dayOf(cell: SampleCell | undefined, timeText: ColumnProfile['timeText']): string | undefined {
  if (isEmptyCell(cell)) return undefined;
  const text = timeText?.format === undefined ? String(cell) : sortableTime(String(cell), timeText);
  return text?.replaceAll(/\D/g, '').slice(0, 8);
}
