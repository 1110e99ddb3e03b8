import type { AcceptedFinding } from '../../../protocol/findings.ts';
import type { Located, SourceRange } from './source-range.ts';

/** An entry of `accepted`: a finding in the data that is as it should be (docs/semantics.md#27-accepted-findings). */
export interface AcceptedEntry {
  readonly range: SourceRange;
  /** A kind of findings. */
  readonly finding?: Located<string>;
  /** The activity name of an element; default: all findings of the kind. */
  readonly element?: Located<string>;
  readonly column?: Located<string>;
  readonly reason?: Located<string>;
}

/** The entries as findings are compared with them; those without a kind accept nothing. */
export function acceptedFindings(entries: readonly AcceptedEntry[]): readonly AcceptedFinding[] {
  return entries.filter(({ finding }) => finding !== undefined).map(acceptedFinding);
}

/** An entry as findings are compared with it. */
export function acceptedFinding({ finding, element, column, reason }: AcceptedEntry): AcceptedFinding {
  return {
    finding: finding?.value ?? '',
    ...(element && { element: element.value }),
    ...(column && { column: column.value }),
    ...(reason && { reason: reason.value }),
  };
}
