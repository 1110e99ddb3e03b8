import type { Catalog, Column, DataObject, ForeignKey, KnownValue } from '../../catalog/catalog.ts';
import { columnSense } from '../csv/column-types.ts';
import type { OperationOptions } from '../connector.ts';
import { inferColumns } from '../fetched/json-records.ts';
import { toldWait } from '../http/with-retries.ts';
import { isSourceError, type SourceError } from '../source-error.ts';
import type { CallOptions } from './call-platform.ts';
import type { ServiceNowClient } from './client.ts';
import { columnType } from './column-type.ts';
import type { ScriptedEndpoint, ServiceNowConfig } from './config.ts';
import { findDotWalked } from './dot-walks.ts';
import { readDictionary, type Dictionary, type DictionaryColumn, type DictionaryTable } from './read-dictionary.ts';
import { displayName } from './record-cells.ts';
import { sampleTable, unlistedColumns } from './sample-table.ts';
import { endpointRecords } from './scripted-records.ts';

/** Offered when the settings name no tables, as far as they exist. */
export const usualTables = [
  ...['incident', 'problem', 'change_request', 'task', 'sc_request', 'sc_req_item', 'sc_task', 'change_task'],
  ...['problem_task', 'task_ci', 'task_sla', 'cmdb_ci', 'sys_user', 'sys_user_group', 'sys_user_grmember', 'sys_audit'],
];

/**
 * The catalog of an instance: tables with the columns of their ancestors, references as foreign keys, row estimates. A
 * table that cannot be used becomes a warning and makes the catalog incomplete; when none can, rejects with the first
 * one's `SourceError`.
 */
export async function introspect(
  config: ServiceNowConfig,
  client: ServiceNowClient,
  { signal, onProgress }: OperationOptions,
): Promise<Catalog> {
  const options: CallOptions = { signal, onWait: toldWait(onProgress) };
  const names = config.tables ?? usualTables;
  onProgress?.('Reading the dictionary of the instance');
  const dictionary = await readDictionary(client, names, options);
  const warnings: string[] = [];
  const faults: SourceError[] = [];
  const walked = new Map(dictionary);
  const wanted = names.filter(
    (name) => dictionary === undefined || dictionary.has(name) || config.tables !== undefined,
  );
  const described = await inParallel(wanted, config.concurrency, async (name) => {
    signal?.throwIfAborted();
    onProgress?.(name);
    try {
      return await describeTable(name, dictionary, { config, client, options, warnings, walked });
    } catch (error) {
      if (!isSourceError(error) || !['object-missing', 'permission-denied'].includes(error.code)) throw error;
      // Nobody asked for the usual tables that this instance lacks.
      if (config.tables !== undefined || error.code !== 'object-missing') faults.push(error);
      return undefined;
    }
  });
  const tables = described.filter((table) => table !== undefined);
  const endpoints: DataObject[] = [];
  for (const endpoint of config.scripted) {
    const found = await describeEndpoint(client, endpoint, options).catch((error: unknown) => {
      if (!isSourceError(error)) throw error;
      faults.push(error);
      return undefined;
    });
    if (found) endpoints.push(found);
  }
  const [first] = faults;
  if (first && tables.length === 0 && endpoints.length === 0) throw first;
  const objectNames = new Set(tables.map(({ name }) => name));
  return {
    dataSource: config.name,
    kind: 'servicenow',
    dialect: 'duckdb',
    objects: [...tables.map((table) => dataObject(table, objectNames, config)), ...endpoints],
    complete: config.tables !== undefined && faults.length === 0 && tables.every(({ isComplete }) => isComplete),
    readAt: new Date().toISOString(),
    warnings: [...faults.map(({ message }) => message), ...warnings],
  };
}

interface DescribedTable extends Omit<DictionaryTable, 'missing'> {
  /** DuckDB type by column. */
  readonly types: ReadonlyMap<string, string>;
  readonly isComplete: boolean;
  readonly rowEstimate?: number;
}

interface Surroundings {
  readonly config: ServiceNowConfig;
  readonly client: ServiceNowClient;
  readonly options: CallOptions;
  readonly warnings: string[];
  /** Tables that dot-walks lead over, read as they are needed. */
  readonly walked: Map<string, DictionaryTable>;
}

async function describeTable(name: string, dictionary: Dictionary, around: Surroundings): Promise<DescribedTable> {
  const { client, options, warnings } = around;
  const known = dictionary?.get(name);
  const rowEstimate = await client.aggregates.count(name, '', options).catch((error: unknown) => {
    // Whoever may not count every row may still read some; and a table may be too large to be counted in time.
    if (isSourceError(error) && ['permission-denied', 'statement-timeout'].includes(error.code)) return undefined;
    throw error;
  });
  const estimate = rowEstimate === undefined ? {} : { rowEstimate };
  if (known && known.columns.length > 0) {
    const walked = await findDotWalked(client, known, around.config.dotWalked[name] ?? [], around.walked, options);
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
  warnings.push(
    sampled.columns.length > 0
      ? `The user may not read the dictionary of ${name}: its columns are those of some records, and most are taken for texts.`
      : `The user may not read the dictionary of ${name}, and no record of it: its columns are not known.`,
  );
  return { ...sampled, name, label: known?.label ?? '', isComplete: sampled.columns.length > 0, ...estimate };
}

/** What to say of a dictionary of which the user may read a part. */
function shortageOf({ name, missing }: DictionaryTable, unlisted: readonly DictionaryColumn[]): string | undefined {
  if (unlisted.length > 0) {
    const names = unlisted.map((column) => column.name).join(', ');
    return `The user may not read what the dictionary says of these columns of ${name}, and most are taken for texts: ${names}.`;
  }
  if (missing === 0) return undefined;
  return `The user may not read ${missing} of the entries that the dictionary has of ${name} and the tables that it extends: columns may be unknown.`;
}

async function describeEndpoint(
  client: ServiceNowClient,
  endpoint: ScriptedEndpoint,
  { signal }: CallOptions,
): Promise<DataObject> {
  const records = await endpointRecords(client, endpoint, signal);
  const columns = inferColumns(records, endpoint.key);
  return {
    name: endpoint.name,
    kind: 'endpoint',
    path: [endpoint.name],
    columns,
    primaryKey: endpoint.key,
    foreignKeys: [],
    statistics: { columnCount: columns.length, ...(!endpoint.pagination && { rowEstimate: records.length }) },
  };
}

function dataObject(table: DescribedTable, objectNames: ReadonlySet<string>, config: ServiceNowConfig): DataObject {
  const columns = table.columns.flatMap((column): readonly Column[] => {
    const type = table.types.get(column.name) ?? 'VARCHAR';
    const isShown = column.reference !== undefined || column.hasChoices;
    const { name } = column;
    const comment = column.reference === undefined ? column.label : `${column.label} → ${column.reference}`;
    const target = column.reference !== undefined && objectNames.has(column.reference) ? column.reference : undefined;
    const base = {
      nullable: name !== 'sys_id',
      primaryKey: name === 'sys_id',
      ...(comment !== '' && { comment }),
    };
    const shownType = isShown && config.displayValue === 'true' ? 'VARCHAR' : type;
    const values = knownValues(column, config);
    const own: Column = {
      name,
      type: shownType,
      sense: columnSense(shownType),
      // What is shown cannot be filtered by as it is stored.
      ...(column.internalType !== '' &&
        !(isShown && config.displayValue === 'true') && { sourceType: column.internalType }),
      ...base,
      ...(values.length > 0 && { values }),
      ...(target !== undefined &&
        config.displayValue !== 'true' && { references: { dataObject: target, column: 'sys_id' } }),
    };
    if (config.displayValue !== 'all' || !isShown) return [own];
    return [
      own,
      { name: displayName(name), type: 'VARCHAR', sense: 'text', ...base, comment: `${column.label} as shown` },
    ];
  });
  const foreignKeys = columns.flatMap(({ name, references }): readonly ForeignKey[] =>
    references
      ? [{ name, columns: [name], references: { dataObject: references.dataObject, columns: [references.column] } }]
      : [],
  );
  return {
    name: table.name,
    kind: 'table',
    path: [table.name],
    ...(table.label !== '' && { comment: table.label }),
    columns,
    primaryKey: columns.some(({ name }) => name === 'sys_id') ? ['sys_id'] : [],
    foreignKeys,
    statistics: {
      columnCount: columns.length,
      ...(table.rowEstimate !== undefined && { rowEstimate: table.rowEstimate }),
    },
  };
}

/** As they stand in the column: what is shown, where that is asked for. The trail is about the tables that are offered. */
function knownValues(
  { internalType, choices = [] }: DictionaryColumn,
  config: ServiceNowConfig,
): readonly KnownValue[] {
  if (internalType === 'table_name' && choices.length === 0) return (config.tables ?? []).map((value) => ({ value }));
  if (config.displayValue !== 'true') return choices;
  return choices.map(({ value, label = value }) => ({ value: label }));
}

/** Works on several items at a time; the results are in the order of the items. */
async function inParallel<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let at = next++; at < items.length; at = next++) results[at] = await work(items[at] as T);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  return results;
}
