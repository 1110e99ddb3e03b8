import type { DraftReason } from '../../../protocol/first-draft.ts';
import { because } from './draft-reason.ts';
import { type ColumnProfile, isTime, isUnique } from './column-profile.ts';
import type { ChosenColumns } from './draft-choice.ts';
import { isCalledAfter, nameWords, says, singular, tableWords } from './name-words.ts';
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
): RecordKey | undefined {
  const { object, sample } = input;
  if (wishes.key) return { columns: wishes.key, isDeclared: false, reasons: [because('was chosen')], others: [] };
  if (object.primaryKey.length > 0) {
    return { columns: object.primaryKey, isDeclared: true, reasons: [because('is the primary key')], others: [] };
  }
  const identifying = profiles.filter(({ column }) => column.identifying && !column.nullable).map(({ name }) => name);
  if (identifying.length > 1) return made(identifying, because('tells rows apart, as the source says'));
  if (!sample || sample.rows.length === 0) {
    const [first] = identifying;
    if (first !== undefined) return made([first], because('tells rows apart, as the source says'));
    const likely = likelyKey(profiles);
    return likely === undefined ? undefined : made([likely], because('is called like a key'));
  }
  const [best, ...rest] = byScore(
    profiles.filter((profile) => canBeKey(profile) && isUnique(profile)).map((each) => rateKey(each, object.name)),
  );
  if (best && best.score > 0) {
    return {
      columns: [best.value.name],
      isDeclared: false,
      reasons: best.reasons,
      others: rest
        .filter(({ score }) => score > 0 && best.score - score < scoreTolerance)
        .map((each) => ({ ...each, value: [each.value.name] })),
    };
  }
  return composite(profiles, input);
}

function made(columns: readonly string[], reason: DraftReason): RecordKey {
  return { columns, isDeclared: false, reasons: [reason], others: [] };
}

function canBeKey(profile: ColumnProfile): boolean {
  const isName = profile.sense === 'text' || profile.sense === 'integer' || profile.sense === 'other';
  return isName && !isTime(profile) && !profile.timeText && !profile.isList && profile.meanLength <= 80;
}

function rateKey(profile: ColumnProfile, table: string): Scored<ColumnProfile> {
  const { name, index } = profile;
  const words = nameWords(name).map(singular);
  return scored(profile, [
    { weight: 3, reason: because('is different in every row') },
    { weight: says(name, 'identifier') ? 2 : 0, reason: because('is called like a key') },
    {
      weight: isCalledAfter(name, table) || tableWords(table).some((word) => words.includes(word)) ? 3 : 0,
      reason: because('is called after {0}', table),
    },
    { weight: index === 0 ? 2 : 0, reason: because('comes first') },
    { weight: says(name, 'measure') ? -6 : 0 },
    { weight: says(name, 'person') ? -2 : 0 },
    { weight: profile.sense === 'integer' || profile.withDigits > 0.8 ? 1 : 0 },
  ]);
}

/** Two columns that are called like keys and are different together in every row. */
function composite(profiles: readonly ColumnProfile[], { sample }: TableInput): RecordKey | undefined {
  const possible = profiles.filter(
    (each) => canBeKey(each) && each.filled === 1 && (says(each.name, 'identifier') || says(each.name, 'sequence')),
  );
  for (const [place, one] of possible.entries()) {
    for (const two of possible.slice(place + 1)) {
      const seen = new Set(
        sample?.rows.map((row) => JSON.stringify([row[one.index ?? 0] ?? null, row[two.index ?? 0] ?? null])),
      );
      if (seen.size === sample?.rows.length)
        return made([one.name, two.name], because('are different together in every row'));
    }
  }
  return undefined;
}

function likelyKey(profiles: readonly ColumnProfile[]): string | undefined {
  const names = profiles.map(({ name }) => name);
  return names.find((name) => /^(?:id|number|key|sys_id)$/i.test(name)) ?? names.find((name) => /_id$/i.test(name));
}
