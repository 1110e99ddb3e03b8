import type { ObjectRead } from '../../../query/compiled-query.ts';
import { isSourceError } from '../../source-error.ts';
import type { CallOptions } from '../api/call-platform.ts';
import { type Watermark, digestOf, markFields, provesLiteral, sinceCondition, timeOf } from './watermark.ts';
import { isTrail } from './check-audit-filter.ts';
import type { ServiceNowClient } from '../api/client.ts';
import type { ServiceNowConfig } from '../read-settings.ts';
import { fieldText } from '../api/field-text.ts';
import { pagedRead } from './paged-read.ts';
import { type PagedRead } from './page-parameters.ts';
import { tookTooLong } from './request-page.ts';
import { readPagesAsSent, type PageFindings } from './read-pages.ts';
import type { PlatformRecord } from '../api/table-api.ts';

/** Changes since a watermark, as far as one page contains them. */
export interface RecentChanges {
  /** All changes, selected by the read or not; for the audit trail only selected ones. */
  readonly records: readonly PlatformRecord[];
  /** Whether the page is complete. */
  readonly isAll: boolean;
  /** The next watermark: no unseen change is earlier. */
  readonly next: Watermark;
  /** The requested start: changes read page by page are those since then. */
  readonly asked: Watermark;
}

/**
 * Requests changes since a watermark, with all fields of the read. One request shows whether anything changed, and
 * whether time literals are UTC: some of the newest known records must be returned again. Undefined when the instance
 * cancels or refuses the query, or hides records.
 */
export async function recentChanges(
  config: ServiceNowConfig,
  client: ServiceNowClient,
  read: ObjectRead,
  mark: Watermark,
  options: CallOptions,
): Promise<RecentChanges | undefined> {
  const { dataObject: table } = read;
  const first = await firstPage(client, recentRead(config, read, mark), options);
  if (!first) return undefined;
  if (mark.isLate === true || provesLiteral(table, mark, first.records)) return changesOf(config, read, mark, first);
  const late = { ...mark, isLate: true };
  const second = await firstPage(client, recentRead(config, read, late), options);
  if (!second) return undefined;
  const { isLate: _, ...unproven } = mark;
  // Records returned only for an earlier start were omitted before.
  const isLate = second.records.some((record) => provesLiteral(table, mark, [record]) && isSince(table, mark, record));
  return { ...changesOf(config, read, isLate ? late : unproven, second), asked: late };
}

/** The query for recent changes. */
export function recentRead(config: ServiceNowConfig, read: ObjectRead, mark: Watermark): PagedRead {
  const known = pagedRead(config, read);
  const { dataObject: table } = read;
  return {
    ...known,
    // The audit trail needs its filter, and immutable records always match it.
    branches: isTrail(table) ? known.branches : [],
    fields: [...new Set([...known.fields, ...markFields(table)])],
    conditions: [sinceCondition(table, mark)],
  };
}

function isSince(table: string, mark: Watermark, record: PlatformRecord): boolean {
  const [, literal = ''] = sinceCondition(table, mark).split('>=');
  return timeOf(table, record) >= timeOf(table, { [markFields(table)[0] ?? '']: literal });
}

interface FirstPage {
  readonly records: readonly PlatformRecord[];
  readonly isAll: boolean;
  /** Time by the instance's clock; undefined for an empty page. */
  readonly now: number | undefined;
}

async function firstPage(
  client: ServiceNowClient,
  read: PagedRead,
  options: CallOptions,
): Promise<FirstPage | undefined> {
  const findings: PageFindings = { isHiding: false, isUncounted: false };
  let isAll = false;
  const pages = readPagesAsSent(client.tables, { ...read, onEnd: () => (isAll = true) }, options, findings);
  try {
    const { value, done } = await pages.next();
    if (findings.isHiding) return undefined;
    return done ? { records: [], isAll: true, now: undefined } : { records: value.records, isAll, now: value.now };
  } catch (error) {
    if (tookTooLong(error) || (isSourceError(error) && error.code === 'permission-denied')) return undefined;
    throw error;
  } finally {
    await pages.return();
  }
}

function changesOf(
  config: ServiceNowConfig,
  read: ObjectRead,
  asked: Watermark,
  { records, isAll, now = Infinity }: FirstPage,
): RecentChanges {
  const { dataObject: table } = read;
  const times = records.map((record) => timeOf(table, record)).filter((time) => !Number.isNaN(time));
  // A record may have a time in the future. Further changes are read after this page, so unseen ones are later than all
  // on it.
  const from = Math.max(asked.from, ...times.map((time) => Math.min(time, now)));
  const { fields } = recentRead(config, read, asked);
  const seen = Object.fromEntries(records.map((record) => [fieldText(record['sys_id']), digestOf(fields, record)]));
  const { isLate } = asked;
  return { records, isAll, asked, next: { from, ...(isAll && { seen }), ...(isLate === true && { isLate }) } };
}
