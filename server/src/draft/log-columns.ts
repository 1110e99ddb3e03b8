import { because } from './draft-reason.ts';
import { type CaseRows, changeShare, risingShare, startShare } from './case-statistics.ts';
import type { ColumnProfile } from './column-profile.ts';
import { isTime } from './column-profile.ts';
import { nameWords, suggests, tableWords } from './name-words.ts';
import { type Scored, scored, withStoredForm } from './scored.ts';
import type { RankedSample } from './ranked-sample.ts';
import type { TableSample } from './table-sample.ts';

/** Facts by which the columns of an event log are rated. */
export interface LogContext {
  readonly table: string;
  readonly sample: RankedSample;
  /** The column as it was read. */
  readonly read: TableSample;
  readonly profiles: readonly ColumnProfile[];
  /** Names of columns from which foreign keys start. */
  readonly references: ReadonlySet<string>;
}

/** Rates a column as the case of a log: how likely it is that its values group rows into cases. */
export function rateCase(
  profile: ColumnProfile,
  { table, sample, profiles, references }: LogContext,
  rows: CaseRows,
): Scored<ColumnProfile> {
  const { name, distinct = 0, withDigits, index } = profile;
  const perCase = profile.rows / Math.max(distinct, 1);
  const constant = constancy(profile, profiles, sample, rows);
  const words = nameWords(name);
  const isSubject = !isGenericName(words) && tableWords(table).some((word) => words.includes(word));
  return scored(profile, [
    { weight: words.includes('case') ? 5 : suggests(name, 'caseLike') ? 3 : 0, reason: because('is called {0}', name) },
    { weight: suggests(name, 'identifier') ? 2 : 0, reason: because('is called {0}', name) },
    { weight: isSubject ? 2 : 0, reason: because('names the subject of {0}', table) },
    { weight: suggests(name, 'person') ? -4 : 0 },
    { weight: suggests(name, 'organisation') ? -3 : 0 },
    { weight: suggests(name, 'thing') ? -1 : 0 },
    { weight: suggests(name, 'measure') ? -8 : 0 },
    { weight: suggests(name, 'category') ? -3 : 0 },
    { weight: suggests(name, 'sequence') && !suggests(name, 'caseLike') ? -4 : 0 },
    { weight: references.has(name) ? 1 : 0, reason: because('refers to another table') },
    { weight: perCase <= 100 ? 1 : -3, reason: because('has about {0} rows for each value', rounded(perCase)) },
    { weight: 4 * constant, reason: because('groups rows that agree in most other columns') },
    { weight: withDigits >= 0.8 ? 1 : -1 },
    { weight: index === 0 ? 1 : 0, reason: because('comes first') },
  ]);
}

/** How constant the other columns are within the cases; columns that hardly vary at all are ignored. */
function constancy(
  { name }: ColumnProfile,
  profiles: readonly ColumnProfile[],
  sample: RankedSample,
  rows: CaseRows,
): number {
  if (rows.before.length === 0) return 0;
  const shares = profiles.flatMap((other) => {
    if (other.name === name || other.index === undefined || (other.mostFrequent ?? 1) > 0.9 || isTime(other)) return [];
    return 1 - (changeShare(sample, rows, other) ?? 1);
  });
  return shares.length === 0 ? 0 : shares.reduce((sum, share) => sum + share, 0) / shares.length;
}

function isGenericName(words: readonly string[]): boolean {
  return words.every((word) => /^(?:id|no|nr|number|event|log|key)$/.test(word));
}

/** Rates a column as the activity of a log. */
export function rateActivity(profile: ColumnProfile, sample: RankedSample, rows: CaseRows): Scored<ColumnProfile> {
  const { name, distinct = 0 } = profile;
  const words = nameWords(name);
  const changes = changeShare(sample, rows, profile) ?? 0;
  const isActivity = words.join(' ') === 'concept name' || suggests(name, 'activity');
  return scored(profile, [
    {
      weight: isActivity ? 5 : suggests(name, 'state') ? 3 : suggests(name, 'kind') ? 1 : 0,
      reason: because('is called {0}', name),
    },
    { weight: words.length === 1 && isActivity ? 1 : 0 },
    { weight: suggests(name, 'partial') ? -2 : 0 },
    { weight: suggests(name, 'identifier') ? -5 : 0 },
    { weight: suggests(name, 'person') ? -6 : 0 },
    { weight: suggests(name, 'organisation') ? -4 : 0 },
    { weight: suggests(name, 'thing') ? -4 : 0 },
    { weight: suggests(name, 'measure') ? -6 : 0 },
    { weight: suggests(name, 'category') && !suggests(name, 'state') && !isActivity ? -2 : 0 },
    { weight: words.includes('case') && words.length > 1 ? -3 : 0 },
    { weight: 3 * changes, reason: because('changes from row to row of a case') },
    { weight: startShare(sample, rows, profile), reason: because('has the same first value in most cases') },
    {
      weight: distinct >= 3 && distinct <= 60 ? 1 : 0,
      reason: because('has {0} different values', String(distinct)),
    },
  ]);
}

/** Columns that could say when it happened. */
export function rateTime(profile: ColumnProfile, sample: RankedSample, rows: CaseRows): Scored<ColumnProfile> {
  const { name, filled = 0, sense } = profile;
  const changes = changeShare(sample, rows, profile) ?? 0.5;
  const rise = risingShare(sample, rows, profile);
  const rated = scored(profile, [
    { weight: suggests(name, 'happened') ? 3 : 0, reason: because('is called {0}', name) },
    { weight: suggests(name, 'created') ? 2 : 0, reason: because('is called {0}', name) },
    { weight: suggests(name, 'changed') ? 1 : 0, reason: because('is called {0}', name) },
    { weight: suggests(name, 'ended') ? -1 : 0 },
    { weight: suggests(name, 'planned') ? -4 : 0 },
    { weight: suggests(name, 'attribute') ? -10 : 0 },
    { weight: changes < 0.05 ? -8 : 4 * changes, reason: because('is another time in each row of a case') },
    { weight: rise && rise.rises + rise.stays > 0.9 ? 2 : 0, reason: because('rises with the rows of a case') },
    { weight: sense === 'timestamp' ? 1 : 0, reason: because('has the time of day') },
    { weight: -6 * (1 - filled) },
  ]);
  return withStoredForm(rated);
}

/** Columns that could put events of one time in order; `sample` in order of time. */
export function rateSequence(
  profile: ColumnProfile,
  sample: RankedSample,
  rows: CaseRows,
): Scored<ColumnProfile> | undefined {
  const { name, index } = profile;
  if (index === undefined || profile.sense !== 'integer' || profile.filled !== 1) return undefined;
  const rise = risingShare(sample, rows, profile);
  if (!rise || rise.stays > 0.02) return undefined;
  const isCalled = suggests(name, 'sequence');
  if (suggests(name, 'measure') && !isCalled) return undefined;
  if (rise.rises < (isCalled ? 0.9 : 0.98)) return undefined;
  return scored(profile, [
    { weight: isCalled ? 3 : 0, reason: because('is called {0}', name) },
    { weight: 2 * rise.rises, reason: because('rises with each row of a case and never repeats in it') },
  ]);
}

function rounded(value: number): string {
  return value < 10 ? value.toFixed(1).replace(/\.0$/, '') : String(Math.round(value));
}
