import { createHash } from 'node:crypto';
import { isTrail } from './check-audit-filter.ts';
import { fieldText } from '../api/field-text.ts';
import { isRecord } from '../api/read-answer.ts';
import type { PlatformRecord } from '../api/table-api.ts';
import { parseUtcSeconds, utcSeconds } from './utc-seconds.ts';

/** From where the next import reads changes. It is kept as JSON beside the records. */
export interface ChangeMark {
  /** Milliseconds since the epoch: a change that has not been seen bears no earlier time, but for the margins below. */
  readonly from: number;
  /**
   * Digests by `sys_id` of all records that the instance gave when it was asked for changes, those among them that the read does
   * not select. Absent where there were more than a page.
   */
  readonly seen?: Readonly<Record<string, string>>;
  /** The instance takes literal times for later ones than UTC. */
  readonly isLate?: boolean;
}

/** Undefined for a text that is none. */
export function parseMark(text: string): ChangeMark | undefined {
  try {
    const mark: unknown = JSON.parse(text);
    return isRecord(mark) && typeof mark['from'] === 'number' ? (mark as unknown as ChangeMark) : undefined;
  } catch {
    return undefined;
  }
}

/** Records are committed some time after the time that they bear. */
const overlapMs = 10 * 60_000;

/** Zones differ by a quarter of an hour at least. */
const zoneStepMs = 15 * 60_000;

/** Literal times of a query may be read in the zone of the user: two more zones' worth of records costs little. */
const zonesMs = 26 * 3_600_000;

/** The trail is written once; it has no time of an update. */
export function timeField(table: string): string {
  return isTrail(table) ? 'sys_created_on' : 'sys_updated_on';
}

/** Fields that a change of a record shows in, beside the one that changed. */
export function markFields(table: string): readonly string[] {
  return isTrail(table) ? [timeField(table)] : [timeField(table), changesField];
}

/** How often a record changed. */
export const changesField = 'sys_mod_count';

/** The encoded condition of what changed since a mark. */
export function sinceCondition(table: string, mark: ChangeMark): string {
  return `${timeField(table)}>=${sinceLiteral(mark)}`;
}

/** The literal time from which on changes are asked for, with its margins. */
export function sinceLiteral({ from, isLate = false }: ChangeMark): string {
  return utcSeconds(from - overlapMs - (isLate ? zonesMs : 0));
}

/**
 * Whether records show that no literal time was taken for a later one: one of them is hardly younger than what was asked for. Where
 * none is, it may have been left out, or all have changed since.
 */
export function provesLiteral(table: string, { from }: ChangeMark, records: readonly PlatformRecord[]): boolean {
  return records.some((record) => timeOf(table, record) < from - overlapMs + zoneStepMs);
}

/** Time of a record's last change, milliseconds since the epoch; NaN where it shows none. */
export function timeOf(table: string, record: PlatformRecord): number {
  return parseUtcSeconds(fieldText(record[timeField(table)]));
}

/** Two records of one key with equal digests have equal fields. */
export function digestOf(fields: readonly string[], record: PlatformRecord): string {
  const values = JSON.stringify(fields.map((field) => record[field] ?? null));
  return createHash('sha256').update(values).digest('base64').slice(0, 16);
}
