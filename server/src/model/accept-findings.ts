import type { AcceptedFinding, Finding } from '../../../protocol/findings.ts';

/** Marks the findings that the file accepts; `stale` are the entries that accept none of them. */
export function acceptFindings<F extends Pick<Finding, 'kind' | 'element' | 'column'>>(
  findings: readonly F[],
  accepted: readonly AcceptedFinding[],
): { readonly findings: readonly (F & { readonly accepted?: string })[]; readonly stale: readonly AcceptedFinding[] } {
  return {
    findings: findings.map((finding) => {
      const entry = accepted.find((each) => accepts(each, finding));
      return entry ? { ...finding, accepted: entry.reason ?? '' } : finding;
    }),
    stale: accepted.filter((entry) => !findings.some((finding) => accepts(entry, finding))),
  };
}

/** Without an element or a column, an entry accepts the findings of all. */
export function accepts(
  { finding, element, column }: AcceptedFinding,
  found: Pick<Finding, 'kind' | 'element' | 'column'>,
): boolean {
  return (
    finding === found.kind &&
    (element === undefined || element === found.element) &&
    (column === undefined || column === found.column)
  );
}
