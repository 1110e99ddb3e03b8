import { isSourceError } from '../../source-error.ts';
import type { CallOptions } from '../api/call-platform.ts';
import { chunksOf } from './dictionary-figures.ts';
import { recordTexts } from '../api/field-text.ts';
import type { PagedRead } from '../records/page-parameters.ts';
import { readPages } from '../records/read-pages.ts';
import type { TableApi } from '../api/table-api.ts';

/** Rows of a table that describes others. */
export interface DescribingRows {
  readonly table: string;
  /** Its values are some of these. */
  readonly field: string;
  readonly values: readonly string[];
  /** Encoded conditions beside, with the sign in front. */
  readonly more: string;
  readonly fields: readonly string[];
}

/** Reads them all, each value a text. */
export async function readRows(
  api: TableApi,
  described: DescribingRows,
  options: CallOptions,
): Promise<readonly Readonly<Record<string, string>>[]> {
  const rows: Readonly<Record<string, string>>[] = [];
  for (const values of chunksOf(described.values)) {
    for await (const page of readPages(api, describingRead({ ...described, values }), options)) {
      for (const record of page) rows.push(recordTexts(record));
    }
  }
  return rows;
}

/** How rows are asked for, of as many values as fit into an address. */
export function describingRead({ table, field, values, more, fields }: DescribingRows): PagedRead {
  const query = `${field}IN${values.join(',')}${more}`;
  return { table, branches: [query], fields, displayValue: 'false', pageSize: 1000 };
}

/** What is read, or something else where the user may not read it, or it is not there. */
export async function readableOr<T>(fallback: T, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const isHidden = isSourceError(error) && ['permission-denied', 'object-missing'].includes(error.code);
    if (isHidden) return fallback;
    throw error;
  }
}
