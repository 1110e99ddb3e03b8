import { pick, randomOf } from '../random.ts';

/** Values of one row, by position; undefined and null become empty cells. */
export type Cells = readonly (string | number | null | undefined)[];

/** Text of a CSV file. */
export function csv(columns: string, rows: readonly Cells[]): string {
  const cell = (value: Cells[number]): string => {
    const text = String(value ?? '');
    return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return `${[columns.replaceAll(/\s+/g, ''), ...rows.map((row) => row.map(cell).join(','))].join('\n')}\n`;
}

/** `count` items, each made from its number from 1. */
export function each<T>(count: number, make: (number: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index + 1));
}

/** Random choices that are the same in every run. */
export interface Chance {
  /** An integer from 0, below the bound. */
  below(bound: number): number;
  of<T>(values: readonly T[]): T;
}

export function chance(seed: number): Chance {
  const random = randomOf(seed);
  const below = (bound: number): number => Math.floor(random() * bound);
  return {
    below,
    of: (values) => pick(random, values),
  };
}

export const hour = 3_600_000;
export const day = 24 * hour;

/** `2024-01-31` */
export function isoDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** `2024-01-31 10:45:00` */
export function isoTime(at: number): string {
  return new Date(at).toISOString().slice(0, 19).replace('T', ' ');
}
