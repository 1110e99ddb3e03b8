import type { ObjectRead } from '../../../query/compiled-query.ts';
import type { CachedKeys } from '../../fetched/record-source.ts';
import { isSourceError } from '../../source-error.ts';
import type { CallOptions } from '../api/call-platform.ts';
import { type Watermark, sinceLiteral } from './watermark.ts';
import type { ServiceNowClient } from '../api/client.ts';
import type { ServiceNowConfig } from '../read-settings.ts';
import { chunksOf } from '../catalog/dictionary-figures.ts';
import { type DescribingRows, readRows, readableOr } from '../catalog/dictionary-rows.ts';
import { fieldText } from '../api/field-text.ts';
import type { PagedRead } from './page-parameters.ts';
import { tookTooLong } from './request-page.ts';
import { type PageFindings, readPages } from './read-pages.ts';

/** The table with deletions of audited tables. */
export const deletionTrail = 'sys_audit_delete';

interface DeletionSearch {
  readonly config: ServiceNowConfig;
  readonly client: ServiceNowClient;
  readonly read: ObjectRead;
  /** Start time of the searched deletions. */
  readonly mark: Watermark;
  readonly cached: CachedKeys;
}

/**
 * Finds cached records that are in the deletion trail and no longer in the table: a deleted record may have been
 * restored. Yields fewer if the instance does not prove the deletion. Throws `permission-denied`, `object-missing` or a
 * timeout when the trail cannot be read.
 */
export async function* deletedKeys(
  search: DeletionSearch,
  options: CallOptions,
): AsyncGenerator<readonly string[], void, undefined> {
  const { config, client, read, mark, cached } = search;
  let proofs = Math.max(minProofs, cached.rows / config.pageSize);
  for (const names of await classNames(client, read.dataObject, options)) {
    const findings: PageFindings = { isHiding: false, isUncounted: false };
    for await (const page of readPages(client.tables, deletionsRead(config, names, mark), options, findings)) {
      if (findings.isHiding) throw new HiddenDeletions();
      const named = page.map((record) => fieldText(record['documentkey'])).filter((key) => /^\w+$/.test(key));
      for (const keys of chunksOf(await cached.these([...new Set(named)]))) {
        // Above this number, a full read is cheaper than searching for the keys.
        if ((proofs -= 1) < 0) return;
        const gone = await provenGone(search, keys, options);
        if (!gone) return;
        yield gone;
      }
    }
    if (findings.isHiding) throw new HiddenDeletions();
  }
}

/** Minimum number of requests for deleted records: a small table may lose most of its records. */
const minProofs = 20;

/** Thrown when the user may not read every entry of the trail. */
class HiddenDeletions extends Error {}

/** Whether the trail is not fully readable, or takes too long. */
export function isTrailClosed(error: unknown): boolean {
  if (error instanceof HiddenDeletions || tookTooLong(error)) return true;
  return isSourceError(error) && ['permission-denied', 'object-missing'].includes(error.code);
}

/** The conditions for deletions of these tables; for every table without names. */
export function deletionsRead(
  { pageSize }: Pick<ServiceNowConfig, 'pageSize'>,
  names: readonly string[],
  mark: Watermark,
): PagedRead {
  return {
    table: deletionTrail,
    branches: names.length === 0 ? [] : [`tablenameIN${names.join(',')}`],
    conditions: [`sys_created_on>=${sinceLiteral(mark)}`],
    fields: ['documentkey'],
    displayValue: 'false',
    pageSize,
  };
}

/** Maximum depth of table inheritance. */
const maxGenerations = 20;

/**
 * A table and its child tables, in lists limited by the URL length: the trail contains the class of a record. One empty
 * list if the table hierarchy is not readable.
 */
async function classNames(
  { tables }: ServiceNowClient,
  table: string,
  options: CallOptions,
): Promise<readonly (readonly string[])[]> {
  const found = new Set([table]);
  const readChildren = async (): Promise<readonly (readonly string[])[]> => {
    let parents: readonly string[] = [table];
    for (let generation = 0; parents.length > 0 && generation < maxGenerations; generation += 1) {
      const rows = await readRows(tables, childTables(parents), options);
      // An instance that ignores the filter returns unrelated tables.
      const children = rows.filter((row) => parents.includes(row[parentField] ?? '')).map(({ name = '' }) => name);
      parents = [...new Set(children)].filter((name) => /^\w+$/.test(name) && !found.has(name));
      for (const name of parents) found.add(name);
    }
    return chunksOf([...found]);
  };
  return readableOr([[]], readChildren);
}

/** The direct child tables of some tables. */
export function childTables(parents: readonly string[]): DescribingRows {
  return {
    table: 'sys_db_object',
    field: parentField,
    values: parents,
    more: '',
    fields: ['sys_id', 'name', parentField],
  };
}

const parentField = 'super_class.name';

/** The given keys that are missing in the table; undefined if the instance does not prove it. */
async function provenGone(
  { config, client, read }: DeletionSearch,
  keys: readonly string[],
  options: CallOptions,
): Promise<readonly string[] | undefined> {
  const findings: PageFindings = { isHiding: false, isUncounted: false };
  const there = new Set<string>();
  for await (const page of readPages(client.tables, presenceRead(config, read.dataObject, keys), options, findings)) {
    for (const record of page) there.add(fieldText(record['sys_id']));
    if (there.size > keys.length) return undefined;
  }
  if (findings.isHiding || findings.isUncounted || ![...there].every((key) => keys.includes(key))) return undefined;
  return keys.filter((key) => !there.has(key));
}

/** Queries which of these records exist, regardless of the filter of a read. */
function presenceRead(
  { pageSize }: Pick<ServiceNowConfig, 'pageSize'>,
  table: string,
  keys: readonly string[],
): PagedRead {
  return {
    table,
    branches: [],
    conditions: [`sys_idIN${keys.join(',')}`],
    fields: [],
    displayValue: 'false',
    pageSize,
  };
}
