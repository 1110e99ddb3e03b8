import { type ImportNote, type NotedNumber, sourceRows } from '../../../protocol/import-notes.ts';
import type { ImportSlice } from '../../../protocol/import-request.ts';
import type { RowCondition } from '../../../protocol/query-results.ts';
import type { ElementQuery, MasterDataQuery } from '../query/compiled-query.ts';
import { someRows } from '../query/some-rows.ts';

/** Rows of a query that warnings are about. */
export interface NotedRows {
  readonly kind: 'element' | 'entities';
  readonly name: string;
  readonly query: ElementQuery | MasterDataQuery;
  /** Time zone of times without zone. */
  readonly timeZone: string;
  readonly slice: ImportSlice;
}

/** A number of rows in a warning. It becomes a link if a query of the data source returns exactly these rows. */
export function rowsNumber(
  count: number,
  { kind, name, query, timeZone, slice }: NotedRows,
  only?: RowCondition,
): NotedNumber | string {
  if (isPart(slice)) return String(count);
  if (only === undefined) return sourceRows(count, { kind, name });
  return someRows(query, only, timeZone) ? sourceRows(count, { kind, name, only }) : String(count);
}

/** @param count of the rows with an empty text in their key */
export function emptyKeyNote(count: number, noted: NotedRows, rows: number): ImportNote {
  return [
    `${count} of `,
    rowsNumber(rows, noted),
    ` rows of "${noted.name}" have an empty text in their key, which is a value like any other: only NULL means that there is none.`,
  ];
}

/** Whether an import reads only some rows of the data source, or makes events of only some of them. */
export function isPart({ sample, since }: ImportSlice): boolean {
  return sample !== undefined || since !== undefined;
}
