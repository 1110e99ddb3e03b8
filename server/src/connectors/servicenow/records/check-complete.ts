import { SourceError } from '../../source-error.ts';
import type { Missing } from './hidden-records.ts';
import type { PageFindings } from './read-pages.ts';

interface ReadCounts {
  readonly table: string;
  /** Number of received records. */
  readonly records: number;
  readonly findings: PageFindings;
  /** Counts of the instance before and after; undefined if unavailable. */
  readonly before: RecordCount;
  readonly after: RecordCount;
  /** Distinguishes hidden from deleted records; called only if just the counts show a shortfall. */
  readonly missingReason: () => Promise<Missing>;
}

/** Number of records of a query according to the instance. */
export interface RecordCount {
  readonly count: number | undefined;
  /** Whether the Aggregate API refused to count: hidden records may then be missing in the count. */
  readonly isRefused: boolean;
}

/**
 * Checks whether all records arrived. Page totals are more reliable, because counts before and after also differ when
 * records are inserted and deleted meanwhile, which is not a shortfall, but a warning. But an instance that hides records
 * before it fills and counts pages shows that in the total count only. Rejects with `source-incomplete`, or warns if
 * configured.
 */
export async function checkComplete(
  { table, records, findings, before, after, missingReason }: ReadCounts,
  onShortfall: 'fail' | 'warn',
  onWarning: (warning: string) => void,
): Promise<void> {
  const expected =
    before.count === undefined || after.count === undefined ? undefined : Math.min(before.count, after.count);
  const isBelow = expected !== undefined && records < expected;
  const mayLack = isBelow || (expected !== undefined && records < (after.count ?? 0));
  const counted = `The instance counts ${expected} records of ${table}, but only ${records} could be read`;
  if (!findings.isHiding && !(isBelow && findings.isUncounted)) {
    if (isBelow && onShortfall === 'warn') {
      onWarning(`${counted}: the user may not read the others, or they were deleted or changed meanwhile.`);
      return;
    }
    const why = mayLack ? await missingReason() : 'gone';
    if (why === 'unknown') {
      const unknown = 'whether the others are hidden or were deleted meanwhile is not known';
      if (isBelow) throw incomplete(`${counted}: ${unknown}.`);
      onWarning(`Records of ${table} may be missing: ${unknown}.`);
      return;
    }
    if (why === 'gone') {
      if (isBelow) onWarning(`${counted}: some were deleted or changed while they were read.`);
      else if (expected === undefined) {
        onWarning(
          `The instance does not tell how many records of ${table} there are: whether all arrived is not known.`,
        );
      } else if (before.isRefused) {
        onWarning(
          `The instance refuses to count the records of ${table} (Aggregate API): hidden ones show in its pages only, and not on every instance.`,
        );
      }
      return;
    }
  }
  // New records may compensate for hidden ones in the earlier count, but neither on pages nor in the later count.
  const shortfall = isBelow
    ? counted
    : `The instance leaves records of ${table} out of its pages: ${records} could be read`;
  if (onShortfall === 'warn') {
    onWarning(`${shortfall}: the user may not read the others.`);
    return;
  }
  throw incomplete(`${shortfall}: the user may probably not read the others (row ACLs).`);
}

function incomplete(message: string): SourceError {
  return new SourceError('source-incomplete', message, {
    remedy: 'Give the user a role that may read them, or set onShortfall: warn to import what it may read.',
  });
}
