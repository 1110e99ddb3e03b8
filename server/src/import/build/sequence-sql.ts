import type { StagedColumn } from '../../connectors/connector.ts';
import { stagedText } from './key-sql.ts';
import { type TimePlace, utcTime } from './utc-time.ts';

/** By what kind of value a sequence orders: numbers as numbers, times by time, everything else as text. */
export type SequenceKind = 'number' | 'time' | 'text';
export const sequenceKinds: readonly SequenceKind[] = ['number', 'time', 'text'];

export function sequenceKind(column: StagedColumn): SequenceKind {
  if (column.sense === 'integer' || column.sense === 'number' || column.sense === 'boolean') return 'number';
  return column.sense === 'timestamp' || column.sense === 'date' ? 'time' : 'text';
}

/** SQL of a sequence's value, of one type for its kind where the engine needs that to compare two elements. */
export function sequenceSql(column: StagedColumn, place: TimePlace): string {
  switch (sequenceKind(column)) {
    case 'number':
      return place.dialect.name === 'duckdb' ? duckdbNumber(column) : postgresqlNumber(column);
    case 'time':
      return utcTime(column, place);
    case 'text':
      return stagedText(column, place);
  }
}

/** Numbers that no numeric type can hold are staged as text. */
function duckdbNumber({ sense, stagedAs, stagedType }: StagedColumn): string {
  if (sense === 'boolean') return `CAST(${stagedAs} AS TINYINT)`;
  return stagedType === 'VARCHAR' ? `TRY_CAST(${stagedAs} AS DOUBLE)` : stagedAs;
}

/** One type, as PostgreSQL compares none but equal ones in a union. */
function postgresqlNumber({ sense, stagedAs }: StagedColumn): string {
  return sense === 'boolean' ? `${stagedAs}::integer::numeric` : `${stagedAs}::numeric`;
}

/** SQL of a sequence that an element does not have. */
export function noSequence(kind: SequenceKind, { dialect }: TimePlace): string {
  if (dialect.name === 'duckdb') return 'NULL';
  return { number: 'NULL::numeric', time: 'NULL::timestamp', text: 'NULL::text' }[kind];
}
