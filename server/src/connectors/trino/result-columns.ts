import type { QueryColumn, StagedColumn } from '../connector.ts';
import { columnTypeOf, type ColumnType } from './column-type.ts';
import type { TrinoColumn } from './statement-answer.ts';

/** A result column and how to read it. */
export interface ResultColumn extends QueryColumn {
  readonly columnType: ColumnType;
}

export function resultColumns(columns: readonly TrinoColumn[]): readonly ResultColumn[] {
  return columns.map(({ name, type }) => {
    const columnType = columnTypeOf(type);
    const { sense, zoned } = columnType;
    return { name, type, sense, ...(zoned !== undefined && { zoned }), columnType };
  });
}

/** The column in the connector's interface. */
export function queryColumn({ name, type, sense, zoned }: ResultColumn): QueryColumn {
  return { name, type, sense, ...(zoned !== undefined && { zoned }) };
}

/** Columns of a staging table are named `c1`, `c2`, … */
export function stagedColumns(columns: readonly ResultColumn[]): readonly StagedColumn[] {
  return columns.map((column, index) => ({
    ...queryColumn(column),
    stagedAs: `c${index + 1}`,
    stagedType: column.columnType.stagedType,
  }));
}
