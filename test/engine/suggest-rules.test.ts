import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RuleSuggestion } from '../../protocol/rule-suggestions.ts';
import { parseEntityGraph } from '../../server/src/model/parse-model.ts';
import { editGraph } from '../../server/src/model/edits/edit-graph.ts';
import { csvSources, withProject } from '../support/import-text.ts';
import { runCommand } from '../support/run-command.ts';
import { applyEdits } from '../../server/src/model/edits/text-edit.ts';

const hour = 3_600_000;
const at = (order: number, hours: number): string =>
  new Date(Date.UTC(2024, 0, 1) + order * 24 * hour + hours * hour).toISOString();

/** 100 orders: paid within 5 hours but two, shipped after that but one, each with one line but three that have two. */
const orders = Array.from({ length: 100 }, (_, id) => {
  const paid = id < 2 ? 40 : 1 + (id % 5);
  return `${id},${at(id, 0)},${at(id, paid)},${id === 2 ? '' : at(id, paid + 10 + id)}`;
});
const lines = Array.from({ length: 103 }, (_, id) => `${id},${id % 100},${at(id % 100, 0)}`);

const graph = `version: 1
dataSource: shop
elements:
  - { activityName: Place Order, dataObject: orders, key: id, entityType: order, startTimestamp: placed }
  - { activityName: Pay Order, dataObject: orders, key: id, entityType: order, startTimestamp: paid }
  - { activityName: Ship Order, dataObject: orders, key: id, entityType: order, startTimestamp: shipped, where: shipped IS NOT NULL }
  - { activityName: Add Line, dataObject: lines, key: number, entityType: line, startTimestamp: added }
relationships:
  - { name: has, source: Place Order, target: Add Line, mappings: [{ source: id, target: order_id }], correlate: none }
rules:
  - { name: Paid before shipped, each: { entityType: order }, expect: [{ activity: Pay Order, before: Ship Order }] }
`;

const files = {
  'entity-sources.yaml': csvSources(),
  'orders.csv': `id,placed,paid,shipped\n${orders.join('\n')}\n`,
  'lines.csv': `number,order_id,added\n${lines.join('\n')}\n`,
  'graph.entity.yaml': graph,
};

const expected: readonly (readonly [kind: string, name: string, broken: number, atLeast?: string])[] = [
  ['activity', 'Each line has Add Line once', 0],
  ['activity', 'Each order has Pay Order once', 0],
  ['activity', 'Each order has Place Order once', 0],
  ['activity', 'Each order has Ship Order once', 1, '99%'],
  ['order', 'Pay Order follows Place Order', 0],
  ['order', 'Place Order comes before Pay Order', 0],
  ['order', 'Ship Order follows Pay Order', 1, '99%'],
  ['deadline', 'Pay Order follows Place Order within 8h', 2, '98%'],
  ['deadline', 'Ship Order follows Pay Order within 5d', 1, '99%'],
  ['relationship', 'Each line has one of "has"', 0],
  ['relationship', 'Each order has one of "has"', 3, '97%'],
];

describe('suggested rules', () => {
  it('are rules that nearly all entities keep and the file lacks, with their numbers', () =>
    withProject(files, async ({ import: run, folder }) => {
      const ask = (...words: readonly string[]) => runCommand(['rules', 'graph.entity.yaml', ...words], folder);
      const early = await ask('--suggest');
      assert.deepEqual([early.code, early.stdout], [1, '']);
      assert.match(early.stderr, /has not been imported yet/u);
      assert.equal((await run()).status, 'imported');
      const { stdout } = await ask('--suggest', '--format', 'json');
      const suggestions = JSON.parse(stdout) as readonly RuleSuggestion[];
      assert.deepEqual(
        suggestions
          .map(({ kind, rule, broken }) => [
            kind,
            rule.name,
            broken,
            ...(rule.atLeast === undefined ? [] : [rule.atLeast]),
          ])
          .toSorted((one, other) => order(one[0]) - order(other[0]) || (String(one[1]) < String(other[1]) ? -1 : 1)),
        expected,
      );

      // Written into the file, they are valid and hold, and nothing is left to suggest.
      const path = join(folder, 'graph.entity.yaml');
      const edit = editGraph({ text: graph }, { kind: 'addRules', rules: suggestions.map(({ rule }) => rule) });
      assert.ok('edits' in edit, JSON.stringify(edit));
      await writeFile(path, applyEdits(graph, edit.edits));
      const { code, stdout: text } = await ask();
      assert.deepEqual([code, text.trim().split('\n').at(-1)], [0, '12 of 12 rules hold.']);
      const again = await ask('--suggest');
      assert.match(again.stdout, /^# No rule beyond those of the file holds/u);
      assert.ok((await readFile(path, 'utf8')).startsWith(graph));
    }));

  it('are printed as YAML that can be pasted', () =>
    withProject(files, async ({ import: run, folder }) => {
      await run();
      const { stdout } = await runCommand(['rules', 'graph.entity.yaml', '--suggest'], folder);
      const { rules } = parseEntityGraph(stdout).graph;
      assert.deepEqual(rules.map(({ name }) => name?.value).toSorted(), expected.map(([, name]) => name).toSorted());
      assert.match(stdout, / {2}# 97 % kept: 3 of 100 broken\n {2}- name: Each order has one of "has"/u);
    }));
});

function order(kind: unknown): number {
  return ['activity', 'order', 'deadline', 'relationship'].indexOf(String(kind));
}
