import { type ColumnProfile, isEmptyCell } from './column-profile.ts';
import type { SampleCell, TableSample } from './table-sample.ts';
import { sortableTime } from '../catalog/time-text.ts';

/** A sample whose cells are replaced by their ranks in their columns, so that comparing rows compares numbers. */
export interface RankedSample {
  readonly rowCount: number;
  /** Ranks of a column; missing values have none. Equal ranks are equal values. */
  ranks(column: ColumnProfile): Int32Array;
}

/** The rank of a cell without a value. */
export const noRank = -1;

/** Ranks are computed once for each column, on first use. */
export function rankedSample(sample: TableSample): RankedSample {
  const known = new Map<string, Int32Array>();
  return {
    rowCount: sample.rows.length,
    ranks(column) {
      const found = known.get(column.name) ?? ranksOf(column, sample);
      known.set(column.name, found);
      return found;
    },
  };
}

function ranksOf({ index, timeText }: ColumnProfile, { rows }: TableSample): Int32Array {
  const textOf = (cell: SampleCell | undefined): string | undefined => {
    if (index === undefined || isEmptyCell(cell)) return undefined;
    return timeText?.format === undefined ? String(cell) : sortableTime(String(cell), timeText);
  };
  const texts = rows.map((row) => textOf(row[index ?? 0]));
  const values = [...new Set(texts.filter((text) => text !== undefined))];
  const areNumbers = values.every((value) => /^-?\d+(?:\.\d+)?$/.test(value));
  const sorted = areNumbers ? values.toSorted((one, two) => Number(one) - Number(two)) : values.toSorted();
  const places = new Map(sorted.map((value, place) => [value, place]));
  return Int32Array.from(texts, (text) => (text === undefined ? noRank : (places.get(text) ?? noRank)));
}
