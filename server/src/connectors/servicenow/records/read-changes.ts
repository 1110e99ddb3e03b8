import type { Column } from '../../../catalog/catalog.ts';
import type { ObjectRead } from '../../../query/compiled-query.ts';
import type { Changes, ChangeReader, ReadOptions } from '../../fetched/record-source.ts';
import { loginIdentity } from '../../http/login-identity.ts';
import { reportWait } from '../../http/with-retries.ts';
import type { CallOptions } from '../api/call-platform.ts';
import { changesField, type Watermark, parseWatermark, sinceCondition } from './watermark.ts';
import { checkAuditFilter, isTrail } from './check-audit-filter.ts';
import type { ServiceNowClient } from '../api/client.ts';
import type { ServiceNowConfig } from '../read-settings.ts';
import { countRecords, countWithChanges } from './count-records.ts';
import { deletedKeys, deletionTrail, isTrailClosed } from './deleted-records.ts';
import { fieldText } from '../api/field-text.ts';
import { isOfView } from './page-parts.ts';
import { pagedRead } from './paged-read.ts';
import { fieldReader } from './read-fields.ts';
import { type PagedRead } from './page-parameters.ts';
import { readPages } from './read-pages.ts';
import { type RecentChanges, recentChanges } from './recent-changes.ts';
import { isOfOtherRecord } from './record-cells.ts';
import { tableRecords } from './table-records.ts';

/**
 * Reads changes by update time. The time is a lower bound, and pages go by `sys_id` as usual, so that no record is
 * missed, however many share a second. The newest time is by the instance's clock.
 */
export function changeReader(
  config: ServiceNowConfig,
  client: ServiceNowClient,
  isTable: (dataObject: string) => boolean,
): ChangeReader {
  return {
    identity: JSON.stringify([
      config.instanceUrl.href,
      config.displayValue,
      loginIdentity(config.auth),
      ...(config.queryNoDomain ? ['all domains'] : []),
    ]),
    fullEveryMs: config.fullEveryMs,
    tells: (read) => isTable(read.dataObject) && hasMark(config, read),
    async since(read, text, options) {
      checkAuditFilter(read);
      const mark = parseWatermark(text);
      if (!mark) return undefined;
      const recent = await recentChanges(config, client, read, mark, callOptions(options));
      if (recent) return changesOf(config, client, read, mark, recent);
      options.onWarning(
        `The instance does not tell what changed in ${read.dataObject} since the import before: all of it was read.`,
      );
      return undefined;
    },
    proof: changeCount,
    async totals(read, withSum, options) {
      const paged = pagedRead(config, read);
      const { count, sum } = withSum
        ? await countWithChanges(client, paged, callOptions(options))
        : { ...(await countRecords(client, paged, callOptions(options))), sum: undefined };
      if (count === undefined) {
        options.onWarning(
          `The instance does not tell how many records of ${read.dataObject} there are, which proves that none of those kept is gone: all of it was read.`,
        );
      }
      return count === undefined ? undefined : { count, sum };
    },
  };
}

/** The modification count, which rarely coincides for a replaced record. Audit records do not change. */
export function changeCount({ dataObject, columns }: Pick<ObjectRead, 'dataObject' | 'columns'>): Column | undefined {
  if (isTrail(dataObject)) return undefined;
  const named = columns.find(({ name }) => name === changesField);
  if (named) return named.type === 'BIGINT' ? named : undefined;
  return { name: changesField, type: 'BIGINT', sense: 'number', nullable: true, primaryKey: false };
}

function changesOf(
  config: ServiceNowConfig,
  client: ServiceNowClient,
  read: ObjectRead,
  mark: Watermark,
  { records, isAll, asked, next }: RecentChanges,
): Changes {
  const { dataObject } = read;
  const since = sinceCondition(dataObject, asked);
  // For a read without a filter, or with one that records never leave, the page is sufficient.
  const isWanted = read.filters === undefined || isTrail(dataObject);
  return {
    mark: JSON.stringify(next),
    isNone: isAll && areSeen(mark, next),
    async *keys(options) {
      if (isWanted) return;
      if (isAll) return yield records.map((record) => fieldText(record['sys_id']));
      for await (const page of readPages(client.tables, changedKeysRead(config, read, asked), callOptions(options))) {
        yield page.map((record) => fieldText(record['sys_id']));
      }
    },
    async *records(options) {
      if (!isAll || !isWanted) return yield* tableRecords(config, client, read, options, [since]);
      const fields = fieldReader(config, read);
      const cells = fields.cells(records);
      fields.report(options);
      yield cells;
    },
    // Deletions of audit records are not recorded.
    ...(!isTrail(dataObject) && {
      async *gone(kept, options) {
        try {
          yield* deletedKeys({ config, client, read, mark: asked, kept }, callOptions(options));
        } catch (error) {
          if (!isTrailClosed(error)) throw error;
          options.onWarning(
            `Records of ${dataObject} are gone since the import before, and ${deletionTrail}, which names them, cannot be read: all of ${dataObject} was read.`,
          );
        }
      },
    }),
  };
}

/** Whether all records were already in the previous response, unchanged. */
function areSeen({ seen }: Watermark, { seen: now = {} }: Watermark): boolean {
  return seen !== undefined && Object.entries(now).every(([key, digest]) => seen[key] === digest);
}

/** Requests the keys of all changed records. */
export function changedKeysRead(config: ServiceNowConfig, read: ObjectRead, mark: Watermark): PagedRead {
  const conditions = [sinceCondition(read.dataObject, mark)];
  return { ...pagedRead(config, read), branches: [], fields: [], conditions };
}

/** Whether an import can detect changes: not if values come from other records, as in database views. */
export function hasMark(config: ServiceNowConfig, read: ObjectRead): boolean {
  return !isOfView(read) && !read.columns.some((column) => isOfOtherRecord(column, config.displayValue));
}

function callOptions({ signal, onProgress }: ReadOptions): CallOptions {
  return { signal, onWait: reportWait(onProgress) };
}
