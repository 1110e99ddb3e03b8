import type { CatalogContent, UndescribedObject } from '../../../catalog/catalog.ts';
import type { DescribeOptions } from '../../connector.ts';
import { reportWait } from '../../http/with-retries.ts';
import { isSourceError } from '../../source-error.ts';
import type { CallOptions } from '../api/call-platform.ts';
import { unchangedStamp } from './catalog-fingerprint.ts';
import type { ServiceNowClient } from '../api/client.ts';
import type { ServiceNowConfig } from '../read-settings.ts';
import { dataObject } from './data-object.ts';
import { type DescribedEndpoints, type ObjectFault, describeEndpoints, undescribedBy } from './describe-endpoints.ts';
import { describeTable } from './describe-table.ts';
import { dictionaryReader } from './dictionary-reader.ts';
import type { WalkedTables } from './dot-walks.ts';

/** The standard tables, listed if none are configured and if they exist. */
export const usualTables = [
  ...['incident', 'problem', 'change_request', 'task', 'sc_request', 'sc_req_item', 'sc_task', 'change_task'],
  ...['problem_task', 'task_ci', 'task_sla', 'cmdb_ci', 'sys_user', 'sys_user_group', 'sys_user_grmember', 'sys_audit'],
];

/**
 * The catalog of an instance: tables with inherited columns, references as foreign keys, row estimates. An unusable
 * table becomes a warning and makes the catalog incomplete; if all are unusable, rejects with the first `SourceError`.
 */
export async function introspect(
  config: ServiceNowConfig,
  client: ServiceNowClient,
  { signal, onProgress, known, mayReuse = false }: DescribeOptions,
): Promise<CatalogContent> {
  const options: CallOptions = { signal, onWait: reportWait(onProgress) };
  if (mayReuse && config.incremental && known) {
    const stamp = await unchangedStamp(config, client, known, options);
    if (stamp) return withEndpoints({ config, known, ...stamp }, await describeEndpoints(config, client, options));
  }
  const names = config.tables ?? usualTables;
  onProgress?.('Reading the dictionary of the instance');
  const dictionaries = dictionaryReader(config, client, options);
  const { tables: dictionary, cancelled } = await dictionaries.read(names);
  if (cancelled.length > 0 && known && known.objects.length > 0) return asCached(known, cancelled);
  const outdatedBecause = cancelled.length > 0 ? withoutCached(cancelled) : undefined;
  const warnings: string[] = outdatedBecause === undefined ? [] : [outdatedBecause];
  const faults: ObjectFault[] = [];
  const walked: WalkedTables = {
    known: new Map(dictionary),
    read: async (name) => (await dictionaries.read([name])).tables?.get(name),
  };
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
      // Missing standard tables are not reported.
      if (config.tables !== undefined || error.code !== 'object-missing') faults.push({ name, error });
      return undefined;
    }
  });
  const tables = described.filter((table) => table !== undefined);
  const scripted = await describeEndpoints(config, client, options);
  const { endpoints } = scripted;
  faults.push(...scripted.faults);
  const [first] = faults;
  if (first && tables.length === 0 && endpoints.length === 0) throw first.error;
  const undescribed = undescribedBy(faults);
  const areTablesComplete = tables.every(({ isComplete }) => isComplete);
  const objectNames = new Set(tables.map(({ name }) => name));
  return {
    objects: [...tables.map((table) => dataObject(table, objectNames, config)), ...endpoints],
    complete: isWhole(config, undescribed, areTablesComplete),
    readAt: new Date().toISOString(),
    warnings: [
      ...undescribed.map(({ reason }) => reason),
      ...scripted.doubts.map(({ message }) => message),
      ...warnings,
    ],
    ...doubtful(scripted),
    ...(undescribed.length > 0 && { undescribed }),
    ...(outdatedBecause !== undefined && { outdatedBecause }),
    ...dictionaries.stamp(areTablesComplete),
  };
}

interface UnchangedTables {
  readonly config: ServiceNowConfig;
  readonly known: CatalogContent;
  readonly areTablesComplete: boolean;
}

/**
 * Cached tables with current endpoints, which are not in the dictionary. Earlier warnings about endpoints, and that the
 * catalog is outdated, are dropped.
 */
function withEndpoints(
  { config, known, areTablesComplete }: UnchangedTables,
  scripted: DescribedEndpoints,
): CatalogContent {
  const { undescribed: before = [], doubtfulSettings = [], outdatedBecause, ...kept } = known;
  const { endpoints, faults, doubts } = scripted;
  const tableNames = config.tables ?? usualTables;
  const undescribed = [...before.filter(({ name }) => tableNames.includes(name)), ...undescribedBy(faults)];
  const reasons = before.map(({ reason }) => reason);
  const outdated = [...reasons, ...doubtfulSettings.map(({ message }) => message), outdatedBecause];
  return {
    ...kept,
    objects: [...known.objects.filter(({ kind }) => kind !== 'endpoint'), ...endpoints],
    complete: isWhole(config, undescribed, areTablesComplete),
    readAt: new Date().toISOString(),
    warnings: [
      ...undescribed.map(({ reason }) => reason),
      ...doubts.map(({ message }) => message),
      ...known.warnings.filter((warning) => !outdated.includes(warning)),
    ],
    ...doubtful(scripted),
    ...(undescribed.length > 0 && { undescribed }),
  };
}

function doubtful({ doubts }: DescribedEndpoints): Pick<CatalogContent, 'doubtfulSettings'> {
  return doubts.length > 0 ? { doubtfulSettings: doubts } : {};
}

/** Whether a catalog is complete: standard tables are not everything. */
function isWhole(
  { tables }: ServiceNowConfig,
  undescribed: readonly UndescribedObject[],
  areTablesComplete: boolean,
): boolean {
  return tables !== undefined && undescribed.length === 0 && areTablesComplete;
}

/** Processes several items concurrently, with results in order. */
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

const cancelledWords = 'The instance cancels queries of its dictionary, as they take longer than it allows';

/** The cached catalog replaces a dictionary that takes too long to read, because sample records tell less. */
export function asCached(known: CatalogContent, cancelled: readonly string[]): CatalogContent {
  const others = known.warnings.filter((warning) => warning !== known.outdatedBecause);
  const day = known.readAt.slice(0, 10);
  const outdatedBecause = `${cancelledWords} (${cancelled.join(', ')}): all is as it was on ${day}.`;
  return { ...known, warnings: [...others, outdatedBecause], outdatedBecause };
}

/** Warning if there is no cached catalog. */
export function withoutCached(cancelled: readonly string[]): string {
  return `${cancelledWords}: ${cancelled.join(', ')} could not be read.`;
}
