import assert from 'node:assert/strict';
import { validateEntityGraph } from '../../../server/src/language/validation/validate-graph.ts';
import { parseEntityGraph } from '../../../server/src/model/parse-model.ts';
import { catalog, sources } from './shop-catalog.ts';

const length = 40_000;
const names = Array.from({ length }, (_, index) => `name_${index}`);
const graph = (objects: readonly string[], properties: readonly string[], above = ''): string =>
  [
    'version: 1',
    'dataSource: shop',
    `dataObjects: [${objects.join(', ')}]`,
    'elements:',
    '  - activityName: A',
    '    dataObject: orders',
    '    key: id',
    '    startTimestamp: placed_at',
    ...(above ? [`    # ${above}`] : []),
    `    properties: [${properties.join(', ')}]`,
    '',
  ].join('\n');

/** Processor time in milliseconds: other programs do not count. */
function processorTime(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

describe('lists of tens of thousands of names on one line', () => {
  for (const [what, text, found] of [
    // A hundred one by one, the others at once.
    ['unknown columns', graph(['orders'], names), 101],
    ['unknown data objects', graph(['orders', ...names], ['note']), length],
    [
      'columns whose rule is silenced above',
      graph(['orders'], names, 'entity-graph-disable-next-line unknown-column'),
      0,
    ],
  ] as const) {
    it(`${what} are validated in linear time`, () => {
      let parsed = parseEntityGraph('');
      const reading = processorTime(() => (parsed = parseEntityGraph(text)));
      let problems: readonly unknown[] = [];
      const validating = processorTime(() => (problems = validateEntityGraph({ text, parsed, sources, catalog })));
      assert.equal(problems.length, found);
      // Comparing all pairs of names took forty times as long as parsing.
      assert.ok(
        validating < 10 * reading,
        `It takes ${(validating / reading).toFixed(1)} times as long as reading the file.`,
      );
    });
  }

  it('the last duplicate name is reported', () => {
    const text = graph(['orders'], ['note', 'id', 'note', 'placed_at', 'id', 'shipped_on']);
    const [problem, ...others] = validateEntityGraph({ text, sources, catalog });
    assert.deepEqual(others, []);
    assert.equal(problem?.message, '"id" is in this list twice. Remove one.');
    assert.equal(problem.range.start, text.lastIndexOf('id,'));
  });
});
