import type { StagedColumn } from '../../connectors/connector.ts';
import { stagedText } from './key-sql.ts';
import { utcTime } from './utc-time.ts';

/** By what kind of value a sequence orders: numbers as numbers, times by time, everything else as text. */
export type SequenceKind = 'number' | 'time' | 'text';
export const sequenceKinds: readonly SequenceKind[] = ['number', 'time', 'text'];

export function sequenceKind(column: StagedColumn): SequenceKind {
  if (column.sense === 'integer' || column.sense === 'number' || column.sense === 'boolean') return 'number';
  return column.sense === 'timestamp' || column.sense === 'date' ? 'time' : 'text';
}

/** SQL of a sequence's value, of one type for its kind where the engine needs that to compare two elements. */
export function sequenceSql(column: StagedColumn, timeZone: string): string {
  switch (sequenceKind(column)) {
    case 'number':
      if (column.sense === 'boolean') return `CAST(${column.stagedAs} AS TINYINT)`;
      // Numbers that no numeric type can hold are staged as text.
      return column.stagedType === 'VARCHAR' ? `TRY_CAST(${column.stagedAs} AS DOUBLE)` : column.stagedAs;
    case 'time':
      return utcTime(column, timeZone);
    case 'text':
      return stagedText(column, timeZone);
  }
}
