import { editGraph } from '../../model/edits/edit-graph.ts';
import { findingFixes } from '../finding-fixes.ts';
import { findingOfProblem } from '../imported-findings.ts';
import { type Fix, type QuickFix, fixOfMeaning } from './quick-fix.ts';

/** Mends what is odd in the data by an edit of the file, or accepts it. */
export const mendFinding: QuickFix = {
  codes: ['data-finding'],
  fixes(problem, { parsed, importedFindings, sources, catalog }) {
    const finding = importedFindings && findingOfProblem(problem, parsed, importedFindings);
    if (!finding) return [];
    const fixes = findingFixes(finding, { graph: parsed.graph, sources, catalog });
    const mended = fixes.flatMap(({ title, elements }): readonly Fix[] => {
      const outcome = editGraph(parsed.yaml, { kind: 'configureElements', elements });
      return 'edits' in outcome ? [{ title, edits: outcome.edits }] : [];
    });
    const { kind, element, column } = finding;
    const accepted = editGraph(parsed.yaml, {
      kind: 'acceptFinding',
      finding: kind,
      element: element ?? undefined,
      column: column ?? undefined,
    });
    const accept = 'edits' in accepted ? [{ title: 'Accept it: this is so', edits: accepted.edits }] : [];
    return [...mended, ...accept];
  },
};

/** Removes an entry that accepts nothing any more. */
export const removeStale: QuickFix = {
  codes: ['accepted-stale'],
  fixes({ range }, { parsed: { graph, yaml } }) {
    const index = graph.accepted.findIndex(({ finding }) => finding?.range.start === range.start);
    if (index < 0) return [];
    const path = graph.accepted.length === 1 ? ['accepted'] : ['accepted', index];
    return fixOfMeaning({ title: 'Remove the entry', preferred: true }, yaml, [{ kind: 'remove', path }]);
  },
};
