import assert from 'node:assert/strict';
import { relationshipLabel } from '../../../../webview/src/canvas/relationship-label.ts';
import { relationship } from '../../../webview/graph-views.ts';
import { plainTextMetrics } from '../plain-text-metrics.ts';

describe('relationshipLabel', () => {
  const detailOf = (label: string, problem?: string): string | undefined => {
    const message = `Relationship "a" is a draft: ${problem} Mend it.`;
    const draft = problem === undefined ? {} : { draft: { message, problem, remedy: 'Mend it.' } };
    return relationshipLabel(relationship('a', 0, { label, ...draft }), plainTextMetrics).detail;
  };

  it('shows the join', () => {
    assert.equal(detailOf('problem_id = sys_id', 'Its target "St. John" is unknown.'), 'problem_id = sys_id');
  });
  it('shows the whole problem of a draft without its remedy, whatever its punctuation', () => {
    assert.equal(detailOf('', 'Its target "St. John" is unknown.'), 'Its target "St. John" is unknown.');
  });
  it('has no detail without a join and a problem', () => {
    assert.equal(detailOf(''), undefined);
  });
});
