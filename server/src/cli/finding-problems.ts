import type { Finding, FindingsAnswer } from '../../../protocol/findings.ts';
import { placeOf } from '../language/imported-findings.ts';
import { parseEntityGraph } from '../model/parse-model.ts';
import type { SarifResult } from './sarif.ts';

/** Findings that the file does not accept, as problems at the entries that they are about. */
export function findingProblems(text: string, { findings }: FindingsAnswer): readonly SarifResult[] {
  const { graph } = parseEntityGraph(text);
  return findings
    .filter(({ accepted }) => accepted === undefined)
    .map((finding: Finding) => ({
      code: 'data-finding',
      severity: finding.severity === 'warning' ? 'warning' : 'information',
      message: `${finding.kind}: ${finding.message} ${finding.remedy}`,
      range: placeOf(finding, graph) ?? { start: 0, end: 0 },
    }));
}
