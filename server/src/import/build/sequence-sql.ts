import type { StagedColumn } from '../../connectors/connector.ts';
import type { SequenceKind } from '../../dialects/standard/build-sql.ts';
import { stagedText } from './key-sql.ts';
import { type TimePlace, utcTime } from './utc-time.ts';

export const sequenceKinds: readonly SequenceKind[] = ['number', 'time', 'text'];

/** Sort kind of a sequence: numbers, times, or texts for everything else. */
export function sequenceKind(column: StagedColumn): SequenceKind {
  if (column.sense === 'integer' || column.sense === 'number' || column.sense === 'boolean') return 'number';
  return column.sense === 'timestamp' || column.sense === 'date' ? 'time' : 'text';
}

/** SQL of a sequence value, with a common type per kind if the engine needs it to compare elements. */
export function sequenceSql(column: StagedColumn, place: TimePlace): string {
  switch (sequenceKind(column)) {
    case 'number':
      return place.dialect.build.sequenceNumber(column);
    case 'time':
      return utcTime(column, place);
    case 'text':
      return stagedText(column, place);
  }
}
