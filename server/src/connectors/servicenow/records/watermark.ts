import { createHash } from 'node:crypto';
import { isTrail } from './check-audit-filter.ts';
import { fieldText } from '../api/field-text.ts';
import { isRecord } from '../api/read-response.ts';
import type { PlatformRecord } from '../api/table-api.ts';
import { parseUtcSeconds, utcSeconds } from './utc-seconds.ts';

/** The watermark from which the next import reads changes. Stored as JSON with the row cache. */
export interface Watermark {
  /** Milliseconds since the epoch: unseen changes are not earlier, apart from the margins below. */
  readonly from: number;
  /**
   * Digests by `sys_id` of all records in the last response for changes, including records that the read does not select.
   * Absent for more than a page.
   */
  readonly seen?: Readonly<Record<string, string>>;
  /** The instance interprets time literals as later than UTC. */
  readonly isLate?: boolean;
}

/** Undefined for an invalid text. */
export function parseWatermark(text: string): Watermark | undefined {
  try {
    const mark: unknown = JSON.parse(text);
    return isRecord(mark) && typeof mark['from'] === 'number' ? (mark as unknown as Watermark) : undefined;
  } catch {
    return undefined;
  }
}

/** Margin, because records are committed some time after their timestamp. */
const overlapMs = 10 * 60_000;

/** Time zones differ by at least a quarter of an hour. */
const zoneStepMs = 15 * 60_000;

/** Margin for time literals interpreted in the user's zone. */
const zonesMs = 26 * 3_600_000;

/** Audit records are never updated and have no update time. */
export function timeField(table: string): string {
  return isTrail(table) ? 'sys_created_on' : 'sys_updated_on';
}

/** Fields that change with every update of a record. */
export function markFields(table: string): readonly string[] {
  return isTrail(table) ? [timeField(table)] : [timeField(table), changesField];
}

/** Modification count of a record. */
export const changesField = 'sys_mod_count';

/** The encoded condition for changes since a watermark. */
export function sinceCondition(table: string, mark: Watermark): string {
  return `${timeField(table)}>=${sinceLiteral(mark)}`;
}

/** The time literal of the condition, with its margins. */
export function sinceLiteral({ from, isLate = false }: Watermark): string {
  return utcSeconds(from - overlapMs - (isLate ? zonesMs : 0));
}

/**
 * Whether records prove that the instance did not interpret the literal as later: one of them is hardly younger than
 * the literal. Without one, it may have been omitted, or all have changed since.
 */
export function provesLiteral(table: string, { from }: Watermark, records: readonly PlatformRecord[]): boolean {
  return records.some((record) => timeOf(table, record) < from - overlapMs + zoneStepMs);
}

/** Time of a record's last change in milliseconds since the epoch; NaN if missing. */
export function timeOf(table: string, record: PlatformRecord): number {
  return parseUtcSeconds(fieldText(record[timeField(table)]));
}

/** Digest of a record: equal for equal fields. */
export function digestOf(fields: readonly string[], record: PlatformRecord): string {
  const values = JSON.stringify(fields.map((field) => record[field] ?? null));
  return createHash('sha256').update(values).digest('base64').slice(0, 16);
}
