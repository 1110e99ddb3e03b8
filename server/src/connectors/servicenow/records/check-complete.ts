import { SourceError } from '../../source-error.ts';
import type { Missing } from './hidden-records.ts';
import type { PageFindings } from './read-pages.ts';

export interface ReadCounts {
  readonly table: string;
  /** Records that arrived. */
  readonly records: number;
  readonly findings: PageFindings;
  /** What the instance counted before and after; undefined when it does not tell. */
  readonly before: RecordCount;
  readonly after: RecordCount;
  /** Tells records that are hidden from those that went meanwhile; asked where only the counts miss some. */
  readonly whyMissing: () => Promise<Missing>;
}

/** Records that a query selects, as the instance tells. */
export interface RecordCount {
  readonly count: number | undefined;
  /** Whether the interface that counts refused to: hidden records may then not be counted. */
  readonly isRefused: boolean;
}

/**
 * Tells whether all records arrived. Pages are the better witness: counts before and after differ from what was read
 * already when records come and go meanwhile, which is no shortfall but worth a warning. But an instance that hides records
 * before it fills and counts its pages shows that in the count of the whole only. Rejects with `source-incomplete`, or
 * warns where the settings say so.
 */
export async function checkComplete(
  { table, records, findings, before, after, whyMissing }: ReadCounts,
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
    const why = mayLack ? await whyMissing() : 'gone';
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
  // New records may make up for hidden ones in the count before, but neither on the pages nor in the count after.
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
