import assert from 'node:assert/strict';
import { firstDifference } from '../support/golden.ts';

describe('golden file comparison', () => {
  it('shows a difference with the lines before it', () => {
    assert.equal(
      firstDifference('plans/x.txt', 'a\nb\nc\nd\ne', 'a\nb\nc\nD\ne'),
      'plans/x.txt differs from line 4 on. If that is wanted: npm run golden.\n  a\n  b\n  c\n- d\n+ D',
    );
  });

  it('reports a truncated text at its end', () => {
    assert.match(firstDifference('plans/x.txt', 'a\nb', 'a'), /from line 2 on[^]*\n- b\n\+ \(the text ends here\)$/);
  });
});
