import assert from 'node:assert/strict';
import { validateDataSources } from '../../../server/src/language/validation/validate-graph.ts';
import { withRanges } from './marked-text.ts';

const source = '{ kind: csv, path: "*.csv" }';
const cases: readonly (readonly [string, string, readonly string[] | undefined])[] = [
  ['marks the name of what nobody reads', `a: ${source}\n  ‹|b|›: ${source}\n  "‹|c d|›": ${source}`, ['a']],
  ['is quiet where everything is read', `a: ${source}\n  b: ${source}`, ['b', 'a']],
  ['is quiet until the graphs are known', `a: ${source}`, undefined],
  ['is quiet where no graph is written yet', `a: ${source}`, []],
  ['can be silenced', `a: ${source}\n  # entity-graph-disable-next-line unused-source\n  b: ${source}`, ['a']],
];

describe('unused-source', () => {
  for (const [name, marked, used] of cases) {
    it(name, () => {
      const { text, ranges } = withRanges(`version: 1\ndataSources:\n  ${marked}\n`);
      const problems = validateDataSources({ text, usedSources: used && new Set(used) });
      // A quoted name is marked with its quotes.
      const places = problems.map(({ range: { start, end } }) => text.slice(start, end).replaceAll('"', ''));
      assert.deepEqual(
        places,
        ranges.map(({ start, end }) => text.slice(start, end)),
      );
      for (const { code, severity, message } of problems) {
        assert.deepEqual([code, severity], ['unused-source', 'information']);
        assert.match(message, /^No entity graph in this folder or below reads "(b|c d)"\. Remove it, or write a graph/);
      }
    });
  }
});
