import { retryWithHalfSize } from '../records/retry-with-half-size.ts';
import type { CallOptions } from '../api/call-platform.ts';
import type { ServiceNowClient } from '../api/client.ts';
import { columnType } from './column-type.ts';
import { isRefusal } from '../records/count-records.ts';
import type { ServiceNowConfig } from '../read-settings.ts';
import { findDotWalked, type WalkedTables } from './dot-walks.ts';
import type { Dictionary, DictionaryColumn, DictionaryTable } from './read-dictionary.ts';
import { sampleTable, sampledRowKeys, unlistedColumns } from './sample-table.ts';

/** A table with the types of its columns. */
export interface DescribedTable extends Omit<DictionaryTable, 'missing'> {
  /** DuckDB type by column. */
  readonly types: ReadonlyMap<string, string>;
  readonly isComplete: boolean;
  readonly rowEstimate?: number;
}

/** Context of describing a table. */
interface DescribeContext {
  readonly config: ServiceNowConfig;
  readonly client: ServiceNowClient;
  readonly options: CallOptions;
  readonly warnings: string[];
  readonly walked: WalkedTables;
}

/**
 * Describes a table by its dictionary, or by sample records if that is not readable. Rejects with `object-missing` or
 * `permission-denied` for an unusable table.
 */
export async function describeTable(
  name: string,
  dictionary: Dictionary['tables'],
  around: DescribeContext,
): Promise<DescribedTable> {
  const { client, options, warnings } = around;
  const known = dictionary?.get(name);
  // A table may take too long to count.
  const figures = await retryWithHalfSize(1, () => client.aggregates.figures(name, { count: true }, options)).catch(
    (error: unknown) => {
      // A user who may not count all rows may still read some.
      if (isRefusal(error)) return undefined;
      throw error;
    },
  );
  const rowEstimate = figures?.count;
  const estimate = rowEstimate === undefined ? {} : { rowEstimate };
  if (known && known.columns.length > 0) {
    const walked = await findDotWalked(known, around.config.dotWalked[name] ?? [], around.walked);
    warnings.push(...walked.faults);
    const unlisted = await unlistedColumns(client.tables, known, options);
    const typed = [...known.columns, ...unlisted.columns, ...walked.columns].flatMap((column) => {
      const type = unlisted.types.get(column.name) ?? columnType(column.internalType);
      return type === undefined ? [] : [[column, type] as const];
    });
    const types = new Map(typed.map(([{ name: column }, type]) => [column, type]));
    const shortage = shortageOf(known, unlisted.columns);
    if (shortage !== undefined) warnings.push(shortage);
    const columns = typed.map(([column]) => column);
    return { ...known, columns, types, isComplete: shortage === undefined, ...estimate };
  }
  const sampled = await sampleTable(client.tables, name, options);
  if (!sampled) {
    warnings.push(
      `The instance cancels the query for some records of ${name}, whose dictionary cannot be read: its columns are not known.`,
    );
    return { name, label: known?.label ?? '', columns: [], types: new Map(), isComplete: false, ...estimate };
  }
  const rowKeys = known?.rowKeys ?? sampledRowKeys(sampled);
  const view = rowKeys ? ', which is a database view' : '';
  warnings.push(
    sampled.columns.length > 0
      ? `The user may not read the dictionary of ${name}${view}: its columns are those of some records, and most are taken for texts.`
      : `The user may not read the dictionary of ${name}, and no record of it: its columns are not known.`,
  );
  const columns = sampled.columns.filter((column) => !rowKeys || column.name !== 'sys_id');
  return {
    name,
    label: known?.label ?? '',
    columns,
    types: sampled.types,
    isComplete: columns.length > 0,
    rowKeys,
    ...estimate,
  };
}

/** Warning about a partly readable dictionary. */
function shortageOf({ name, missing }: DictionaryTable, unlisted: readonly DictionaryColumn[]): string | undefined {
  if (unlisted.length > 0) {
    const names = unlisted.map((column) => column.name).join(', ');
    return `The user may not read what the dictionary says of these columns of ${name}, and most are taken for texts: ${names}.`;
  }
  if (missing === 0) return undefined;
  return `The user may not read ${missing} of the entries that the dictionary has of ${name} and the tables that it extends: columns may be unknown.`;
}
