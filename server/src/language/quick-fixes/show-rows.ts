import { noEdits } from '../../model/edits/verified-edits.ts';
import { judgedExpectations } from '../imported-expectations.ts';
import type { QuickFix } from './quick-fix.ts';

/** Queries and opens the rows that break an expectation. */
export const showRows: QuickFix = {
  codes: ['expectation-broken'],
  fixes({ range }, { parsed, importedExpectations }) {
    if (!importedExpectations) return [];
    return judgedExpectations(parsed.graph, parsed.yaml.text, importedExpectations)
      .filter((each) => !each.found.holds && each.range.start === range.start && each.range.end === range.end)
      .flatMap(({ found: { rows } }) =>
        rows ? [{ title: 'Show Rows', edits: noEdits, command: 'testQuery' as const, target: rows }] : [],
      );
  },
};
