import { type ColumnProfile, type ReadableTimes, isTime, profileColumns } from './column-profile.ts';
import type { ChosenColumns } from './draft-choice.ts';
import { type LogRoles, logRoles } from './log-roles.ts';
import { rankedSample } from './ranked-sample.ts';
import { suggests, tableWords } from './name-words.ts';
import { objectColumns } from './object-columns.ts';
import { type RecordKey, recordKey } from './record-key.ts';
import { type RecordTimes, isConstant, lastChangeTimes, recordTimes } from './record-times.ts';
import type { Scored } from './scored.ts';
import type { TableInput } from './table-sample.ts';

/** The interpretation of a table. */
export interface TableReading {
  readonly input: TableInput;
  readonly profiles: readonly ColumnProfile[];
  readonly key: RecordKey | undefined;
  /** Each row is an event. */
  readonly log?: LogRoles;
  /** Set if each row is an object with times. */
  readonly times?: RecordTimes | undefined;
  /** Columns that name other things, of a table that declares no foreign keys. */
  readonly objects?: readonly Scored<ColumnProfile>[];
  /** Times of the last change of a row, if the table has no others. */
  readonly lastTimes?: RecordTimes | undefined;
}

export interface ReadingOptions {
  /** Of the engine that reads the table. */
  readonly times: ReadableTimes;
  /** Keys of samples that repeat in the whole tables; see `keyId`. */
  readonly repeated?: ReadonlySet<string> | undefined;
  /** Its rows belong to rows of another table, so it is not a log. */
  readonly isDetail?: boolean;
  /** Columns with times at which nothing has happened yet. */
  readonly plans?: ReadonlySet<string>;
}

export function readTable(input: TableInput, wishes: ChosenColumns, options: ReadingOptions): TableReading {
  const profiles = profileColumns(input, options);
  const key = recordKey(input, profiles, wishes, options.repeated);
  const { object, sample } = input;
  const references = new Set(object.foreignKeys.flatMap(({ columns }) => columns));
  const log =
    sample && wishes.key === undefined && options.isDetail !== true
      ? logRoles({ table: object.name, read: sample, sample: rankedSample(sample), profiles, references }, wishes)
      : undefined;
  if (log) return { input, profiles, key, log };
  const actual = profiles.filter(({ name }) => options.plans?.has(name) !== true);
  const times = recordTimes(input, actual, wishes);
  const lastTimes = times ? undefined : lastChangeTimes(input, actual);
  const isAlone = sample !== undefined && object.foreignKeys.length === 0;
  const others = profiles.filter(({ name }) => !key?.columns.includes(name));
  const objects = isAlone && times ? objectColumns(others, references) : [];
  return { input, profiles, key, objects, times, lastTimes };
}

/** Why a table has no events, with a remedy. `isForLack`: it has no usable times. */
export function withoutTimes({ profiles, input }: TableReading): { readonly why: string; readonly isForLack: boolean } {
  const written = profiles.find(({ timeText }) => timeText);
  if (written) {
    const format = written.timeText?.format;
    const setting = format === undefined ? 'timestampFormat for them' : `timestampFormat: "${format}"`;
    const why = `its times are texts, as in ${written.name}: set ${setting} in the data sources file`;
    return { why, isForLack: false };
  }
  const times = profiles.filter(isTime);
  const [constant] = times.filter(isConstant);
  if (constant) return { why: sharedText(constant), isForLack: true };
  const hasTimes = input.object.columns.some(isTime);
  return { why: hasTimes ? 'its times do not tell when something happened' : 'it has no times', isForLack: true };
}

/** Numbers as counted in the rows that were read. */
function sharedText({ name, sense, rows, filled = 1, mostFrequent = 1 }: ColumnProfile): string {
  const count = Math.round(mostFrequent * filled * rows);
  return `${count} of ${rows} rows share one ${sense === 'date' ? 'date' : 'time'} in ${name}`;
}

/** Whether a table only describes others, as addresses and countries do. */
export function isDescription(table: string): boolean {
  return suggests(tableWords(table).at(-1) ?? '', 'description');
}
