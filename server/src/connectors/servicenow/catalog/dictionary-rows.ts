import { isSourceError } from '../../source-error.ts';
import type { CallOptions } from '../api/call-platform.ts';
import { chunksOf } from './dictionary-figures.ts';
import { recordTexts } from '../api/field-text.ts';
import type { PagedRead } from '../records/page-parameters.ts';
import { readPages } from '../records/read-pages.ts';
import type { TableApi } from '../api/table-api.ts';

/** A query of dictionary rows. */
export interface DescribingRows {
  readonly table: string;
  /** Values to match. */
  readonly field: string;
  readonly values: readonly string[];
  /** Additional encoded conditions, with the leading operator. */
  readonly more: string;
  readonly fields: readonly string[];
}

/** Reads all rows, with text values. */
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

/** Requests with as many values as fit in a URL. */
export function describingRead({ table, field, values, more, fields }: DescribingRows): PagedRead {
  const query = `${field}IN${values.join(',')}${more}`;
  return { table, branches: [query], fields, displayValue: 'false', pageSize: 1000 };
}

/** The result, or a fallback if the table is missing or not readable. */
export async function readableOr<T>(fallback: T, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const isHidden = isSourceError(error) && ['permission-denied', 'object-missing'].includes(error.code);
    if (isHidden) return fallback;
    throw error;
  }
}
