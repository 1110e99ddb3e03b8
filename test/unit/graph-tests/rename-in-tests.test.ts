import assert from 'node:assert/strict';
import { parseGraphTests } from '../../../server/src/graph-tests/parse-graph-tests.ts';
import { type Renaming, renamedInTests, renamingsBetween } from '../../../server/src/graph-tests/rename-in-tests.ts';
import { applyEdits } from '../../../server/src/model/edits/text-edit.ts';
import { parseEntityGraph } from '../../../server/src/model/parse-model.ts';

const tests = `graph: shop.entity.yaml
tests:
  - name: Pay            # a name of its own
    given:
      orders: [{ id: Pay, note: Pay }]
    expect:
      events:
        - { activity: Pay, entity: { type: Pay, key: Pay }, properties: { Pay: Pay } }
      eventsInclude: [{ activity: Ship }]
      directlyFollows: [[Pay, "Ship"], [Pay, Pay]]
      relations: [{ relationship: Pay → Ship, source: { type: Pay } }]
      rules: { Pay: { broken: 0 } }
`;

function renamed(...all: readonly Renaming[]): string {
  const outcome = renamedInTests(parseGraphTests(tests), all);
  assert.ok('edits' in outcome, JSON.stringify(outcome));
  return applyEdits(tests, outcome.edits);
}

describe('renaming in files of tests', () => {
  it('an activity, and nothing else of that name', () => {
    assert.equal(
      renamed({ role: 'activity', name: 'Pay', newName: 'Pay: all' }),
      tests
        .replace('{ activity: Pay,', "{ activity: 'Pay: all',")
        .replace('[[Pay, "Ship"], [Pay, Pay]]', `[['Pay: all', "Ship"], ['Pay: all', 'Pay: all']]`),
    );
  });

  it('a relationship, an entity type and a rule', () => {
    assert.equal(
      renamed(
        { role: 'relationship', name: 'Pay → Ship', newName: 'ships' },
        { role: 'entityType', name: 'Pay', newName: 'payment' },
        { role: 'rule', name: 'Pay', newName: 'paid' },
      ),
      tests
        .replace('relationship: Pay → Ship, source: { type: Pay }', 'relationship: ships, source: { type: payment }')
        .replace('entity: { type: Pay,', 'entity: { type: payment,')
        .replace('rules: { Pay:', 'rules: { paid:'),
    );
  });

  it('nothing in a file that does not name it', () => {
    assert.equal(renamed({ role: 'activity', name: 'Return', newName: 'Take Back' }), tests);
  });
});

describe('renamingsBetween', () => {
  const graph = (names: readonly string[], relationship = '') =>
    parseEntityGraph(
      `elements:\n${names.map((name) => `  - activityName: ${name}\n`).join('')}relationships: [{ ${relationship}source: ${names[0]}, target: ${names[1]} }]\n`,
    ).graph;

  it('finds activities, and relationships that are called by them', () => {
    assert.deepEqual(renamingsBetween(graph(['Pay', 'Ship']), graph(['Settle', 'Ship'])), [
      { role: 'activity', name: 'Pay', newName: 'Settle' },
      { role: 'relationship', name: 'Pay → Ship', newName: 'Settle → Ship' },
    ]);
  });

  it('finds a new name of a relationship', () => {
    assert.deepEqual(renamingsBetween(graph(['Pay', 'Ship']), graph(['Pay', 'Ship'], 'name: ships, ')), [
      { role: 'relationship', name: 'Pay → Ship', newName: 'ships' },
    ]);
  });

  it('finds nothing where entries were added, or another entry keeps the name', () => {
    assert.deepEqual(renamingsBetween(graph(['Pay', 'Ship']), graph(['Pay', 'Ship', 'Return'])), []);
    const twice = renamingsBetween(graph(['Pay', 'Pay']), graph(['Settle', 'Pay']));
    assert.deepEqual(
      twice.filter(({ role }) => role === 'activity'),
      [],
    );
  });
});
