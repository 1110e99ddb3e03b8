import { alikeLabels } from '../model/alike-labels.ts';
import { isMissingKey, leastPlaceholderEvents, placeholderFactor } from '../model/missing-key.ts';
import type { ColumnProfile } from './column-profile.ts';
import { type TableSample, sampleLimits } from './table-sample.ts';

/** Texts of an activity that differ from a more frequent one in case, blanks or signs only, with its text; undefined without any. */
export function nearEqualTexts(
  sample: TableSample | undefined,
  { index, sense }: ColumnProfile,
): Readonly<Record<string, string>> | undefined {
  const counts = sense === 'text' ? countsOf(sample, index) : [];
  // Longer texts were cut.
  const labels = counts
    .filter(([label]) => label.length < sampleLimits.textLength)
    .map(([label, events]) => ({ label, events, neighbours: new Map<string, number>() }));
  const alike = alikeLabels(labels).map(({ variant, usual }) => [variant, usual] as const);
  return alike.length === 0 ? undefined : Object.fromEntries(alike);
}

/** Texts of a key that stand for a missing value, with far more rows than others: findings call them no key. */
export function placeholderKeys(sample: TableSample | undefined, { index, sense }: ColumnProfile): readonly string[] {
  const counts = sense === 'text' ? countsOf(sample, index) : [];
  const rows = counts.map(([, events]) => events).sort((one, other) => one - other);
  const usual = rows[rows.length - 1 - Math.max(1, Math.floor(rows.length / 100))] ?? 0;
  return counts
    .filter(
      ([key, events]) => events >= leastPlaceholderEvents && events >= placeholderFactor * usual && isMissingKey(key),
    )
    .map(([key]) => key);
}

function countsOf(sample: TableSample | undefined, index: number | undefined): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const row of index === undefined ? [] : (sample?.rows ?? [])) {
    const cell = row[index ?? -1];
    if (cell === null || cell === undefined) continue;
    counts.set(String(cell), (counts.get(String(cell)) ?? 0) + 1);
  }
  return [...counts];
}
