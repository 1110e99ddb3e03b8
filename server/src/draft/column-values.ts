import { type ColumnProfile, isEmptyCell } from './column-profile.ts';
import type { SampleCell, TableInput } from './table-sample.ts';

/** The different values of a column in its sample. */
interface ColumnValues {
  readonly values: ReadonlySet<string>;
  /** Set if all values are whole numbers, with or without leading zeros. */
  readonly range?: { readonly least: number; readonly greatest: number } | undefined;
  /** Mean length of the values. */
  readonly length: number;
  /** All values are texts of one length with leading zeros, such as `0000004711`. */
  readonly isPadded: boolean;
}

/** Distinct values of columns, computed once for each sample, on first use. */
export interface ValuesByColumn {
  of(input: TableInput, column: ColumnProfile): ColumnValues | undefined;
}

export function valuesByColumn(): ValuesByColumn {
  const known = new Map<TableInput, Map<string, ColumnValues>>();
  return {
    of(input, { name, index }) {
      const ofInput = known.get(input) ?? new Map<string, ColumnValues>();
      known.set(input, ofInput);
      const found = ofInput.get(name);
      if (found || index === undefined || !input.sample) return found;
      const values = read(input.sample.rows, index);
      ofInput.set(name, values);
      return values;
    },
  };
}

function read(rows: readonly (readonly SampleCell[])[], index: number): ColumnValues {
  const values = new Set<string>();
  for (const row of rows) {
    const cell = row[index];
    if (!isEmptyCell(cell)) values.add(String(cell));
  }
  const lengths = new Set<number>();
  let [least, greatest, total, areNumbers, hasZeros] = [Infinity, -Infinity, 0, true, false];
  for (const value of values) {
    lengths.add(value.length);
    total += value.length;
    areNumbers &&= /^\d+$/.test(value);
    if (!areNumbers) continue;
    hasZeros ||= value.length > 1 && value.startsWith('0');
    least = Math.min(least, Number(value));
    greatest = Math.max(greatest, Number(value));
  }
  return {
    values,
    range: areNumbers && values.size > 0 ? { least, greatest } : undefined,
    length: total / Math.max(values.size, 1),
    isPadded: areNumbers && hasZeros && lengths.size === 1,
  };
}

/** Values after which a column of which none was found counts as another one. */
const probes = 8;

/** Share of the values of one column that another one has; stops early where the first ones are missing. */
export function containedShare(from: ColumnValues, key: ColumnValues): number {
  if (from.values.size === 0) return 0;
  let [seen, found] = [0, 0];
  for (const value of from.values) {
    seen += 1;
    if (key.values.has(value)) found += 1;
    if (seen === probes && found === 0) return 0;
  }
  return found / from.values.size;
}

/** Whether values are written in the same way, such as `SO-4711`: part of a table may have others of them than the sample. */
export function lookAlike(from: ColumnValues, key: ColumnValues): boolean {
  if (from.range || key.range) return from.isPadded && key.isPadded && from.length === key.length;
  const forms = ({ values }: ColumnValues): ReadonlySet<string> =>
    new Set([...values].slice(0, probes).map((value) => value.replaceAll(/\d+/g, '0').replaceAll(/\p{L}+/gu, 'a')));
  const [own, others] = [forms(from), forms(key)];
  return own.size <= 2 && [...own].every((form) => /\d/.test(form) && others.has(form));
}

/**
 * How surprising it would be, in bits, if a column had only values of a key by accident. Codes and scattered numbers hardly
 * occur elsewhere; numbers that count from 1 occur everywhere, and say nothing.
 */
export function surprise(from: ColumnValues, key: ColumnValues): number {
  const count = from.values.size;
  if (!key.range || !from.range) return count * Math.max(0, key.length * Math.log2(36) - Math.log2(key.values.size));
  const density = densityWithin(from.range, key);
  if (density < 0.45 && count >= 3) return count * Math.log2(1 / density);
  const span = key.range.greatest - key.range.least + 1;
  const offset = Math.log2(Math.max(1, key.range.greatest) / span);
  if (offset < 1.5) return 0;
  const covers = count >= 0.3 * key.values.size ? 8 : 0;
  const isAlike = key.isPadded && from.isPadded && key.length >= 6 && key.length === from.length ? 8 : 0;
  return Math.min(count, 2) * offset + covers + isAlike;
}

/** Share of the whole numbers of a range that are keys. */
function densityWithin({ least, greatest }: NonNullable<ColumnValues['range']>, key: ColumnValues): number {
  let count = 0;
  for (const value of key.values) {
    const number = Number(value);
    if (number >= least && number <= greatest) count += 1;
  }
  return count / (greatest - least + 1);
}
