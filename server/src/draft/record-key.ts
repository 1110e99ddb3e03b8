import type { DraftReason } from '../../../protocol/first-draft.ts';
import { isUsualKeyName } from '../catalog/usual-key-names.ts';
import { because } from './draft-reason.ts';
import { type ColumnProfile, isTime, isUnique } from './column-profile.ts';
import { compositeKeys } from './composite-key.ts';
import type { ChosenColumns } from './draft-choice.ts';
import { isCalledAfter, nameWords, suggests, singular, tableWords } from './name-words.ts';
import { rankedSample } from './ranked-sample.ts';
import { scoreTolerance, byScore, type Scored, scored } from './scored.ts';
import type { TableInput } from './table-sample.ts';

/** The columns that identify the rows of a table. */
export interface RecordKey {
  readonly columns: readonly string[];
  /** Need not be written: the source declares it. */
  readonly isDeclared: boolean;
  readonly reasons: readonly DraftReason[];
  readonly others: readonly Scored<readonly string[]>[];
}

/** The key of a table: declared, or one that no row of the sample lacks or shares with another, or one that is called like a key. */
export function recordKey(
  input: TableInput,
  profiles: readonly ColumnProfile[],
  wishes: ChosenColumns,
  repeated: ReadonlySet<string> = new Set(),
): RecordKey | undefined {
  const { object, sample } = input;
  if (wishes.key) {
    const reason = wishes.key.length === 1 ? because('was chosen') : because('were chosen');
    return { columns: wishes.key, isDeclared: false, reasons: [reason], others: [] };
  }
  if (object.primaryKey.length > 0) {
    return { columns: object.primaryKey, isDeclared: true, reasons: [because('is the primary key')], others: [] };
  }
  const identifying = profiles.filter(({ column }) => column.identifying && !column.nullable).map(({ name }) => name);
  if (identifying.length > 1) return made(identifying, because('tell rows apart, as the source says'));
  if (!sample || sample.rows.length === 0) {
    const [first] = identifying;
    if (first !== undefined) return made([first], because('tells rows apart, as the source says'));
    const likely = likelyKey(profiles);
    return likely === undefined ? undefined : made([likely], because('is called like a key'));
  }
  const isKey = (columns: readonly string[]): boolean => !repeated.has(keyId(object.name, columns));
  // A client number in front is the same in every row.
  const first = profiles.find(({ distinct = 0 }) => distinct > 1) ?? profiles[0];
  const [best, ...rest] = byScore(
    profiles
      .filter((profile) => canBeKey(profile) && isUnique(profile) && isKey([profile.name]))
      .map((each) => rateKey(each, object.name, each === first)),
  );
  const found = best && best.score > 0 ? best : undefined;
  // A column that is unique, and neither comes first nor is called like a key, may be so by accident.
  const isWeak = found === undefined || (found.score < 5 && found.value !== first);
  const [composite] = isWeak ? compositeKeys(profiles, rankedSample(sample), isKey) : [];
  if (composite && (!found || composite.cost <= maxCostBeforeOne))
    return made(
      composite.columns.map(({ name }) => name),
      because('are different together in every row'),
    );
  if (!found) return undefined;
  return {
    columns: [found.value.name],
    isDeclared: false,
    reasons: found.reasons,
    others: rest
      .filter(({ score }) => score > 0 && found.score - score < scoreTolerance)
      .map((each) => ({ ...each, value: [each.value.name] })),
  };
}

/** Maximum cost of a key of several columns that is preferred to a single column without a reason. */
const maxCostBeforeOne = 3;

/** Identifies a key within a draft. */
export function keyId(table: string, columns: readonly string[]): string {
  return JSON.stringify([table, ...columns]);
}

function made(columns: readonly string[], reason: DraftReason): RecordKey {
  return { columns, isDeclared: false, reasons: [reason], others: [] };
}

function canBeKey(profile: ColumnProfile): boolean {
  const isName = profile.sense === 'text' || profile.sense === 'integer' || profile.sense === 'other';
  return isName && !isTime(profile) && !profile.timeText && !profile.isList && profile.meanLength <= 80;
}

function rateKey(profile: ColumnProfile, table: string, isFirst: boolean): Scored<ColumnProfile> {
  const { name } = profile;
  const words = nameWords(name).map(singular);
  return scored(profile, [
    { weight: 3, reason: because('is different in every row') },
    { weight: suggests(name, 'identifier') ? 2 : 0, reason: because('is called like a key') },
    {
      weight: isCalledAfter(name, table) || tableWords(table).some((word) => words.includes(word)) ? 3 : 0,
      reason: because('is called after {0}', table),
    },
    { weight: isFirst ? 2 : 0, reason: because('comes first') },
    // Replication adds such columns to tables that have a key.
    { weight: !isFirst && profile.meanLength === 36 ? -3 : 0 },
    { weight: suggests(name, 'measure') ? -6 : 0 },
    { weight: suggests(name, 'person') ? -2 : 0 },
    { weight: profile.sense === 'integer' || profile.withDigits > 0.8 ? 1 : 0 },
  ]);
}

function likelyKey(profiles: readonly ColumnProfile[]): string | undefined {
  const names = profiles.map(({ name }) => name);
  return names.find(isUsualKeyName) ?? names.find((name) => /_id$/i.test(name));
}
