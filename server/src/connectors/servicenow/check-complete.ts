import { SourceError } from '../source-error.ts';

export interface ReadCounts {
  readonly table: string;
  /** Records that arrived. */
  readonly records: number;
  /** What the instance counted before and after; undefined when it does not tell. */
  readonly before: number | undefined;
  readonly after: number | undefined;
}

/**
 * Compares what arrived with what the instance counts. Records that come or go meanwhile are no shortfall. Throws
 * `source-incomplete`, or warns where the settings say so.
 */
export function checkComplete(
  { table, records, before, after }: ReadCounts,
  onShortfall: 'fail' | 'warn',
  onWarning: (warning: string) => void,
): void {
  if (before === undefined || after === undefined) {
    onWarning(`The instance does not tell how many records of ${table} there are: whether all arrived is not known.`);
    return;
  }
  const expected = Math.min(before, after);
  if (records >= expected) return;
  const counted = `The instance counts ${expected} records of ${table}, but only ${records} could be read`;
  if (onShortfall === 'warn') {
    onWarning(`${counted}: the user may not read the others.`);
    return;
  }
  throw new SourceError('source-incomplete', `${counted}: the user may probably not read the others (row ACLs).`, {
    remedy: 'Give the user a role that may read them, or set onShortfall: warn to import what it may read.',
  });
}
