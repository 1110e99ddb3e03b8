import assert from 'node:assert/strict';
import { parse } from 'yaml';
import { type ChangePart, type GraphChanges, changeParts, kindsOfPart } from '../../protocol/graph-changes.ts';
import type { GraphDiff } from '../../protocol/graph-diff.ts';
import type { GraphEffect } from '../../protocol/graph-effect.ts';
import type { JsonObject } from '../../server/src/model/edits/json-value.ts';
import { meaningEdits } from '../../server/src/model/meaning-edits.ts';
import { type ChangeTable, changesByHand } from '../support/changes-by-hand.ts';
import { type ImportedProject, csvSources, graphText, withProject } from '../support/import-text.ts';
import { type Random, pick, randomOf } from '../support/random.ts';
import { runCommand } from '../support/run-command.ts';
import { countSoak, isSoak, soakSeeds } from '../support/soak.ts';

async function diffOf({ folder }: ImportedProject): Promise<GraphDiff> {
  const args = ['diff', 'graph.entity.yaml', '--workspace', folder, '--format', 'json'];
  const { code, stdout, stderr } = await runCommand(args, folder);
  assert.equal(code, 0, stdout + stderr);
  return JSON.parse(stdout) as GraphDiff;
}

/** The counts of changes in the form of those counted by hand. */
function countedChanges(changes: GraphChanges): ChangeTable {
  const counts = new Map<string, number>();
  for (const part of changeParts) {
    for (const change of changes[part]) {
      for (const kind of kindsOfPart[part]) {
        const count = change[kind] ?? 0;
        if (count > 0) counts.set(`${part} ${change.name} ${kind}`, count);
      }
    }
  }
  return counts;
}

function sorted(table: ChangeTable): readonly (readonly [string, number])[] {
  return [...table].toSorted(([one], [other]) => (one < other ? -1 : 1));
}

const orders = graphText(
  '  - { activityName: Place, dataObject: orders, key: id, entityType: order, startTimestamp: at, properties: [amount] }\n',
);
const head = 'id,at,amount\n';

describe('changes of a graph', () => {
  it('are those of single events, values and times, which no count shows', () =>
    withProject(
      {
        'entity-sources.yaml': csvSources(),
        'graph.entity.yaml': orders,
        'orders.csv': `${head}1,2024-01-01,5\n2,2024-01-02,6\n3,2024-01-03,7\n`,
      },
      async (project) => {
        await project.import();
        await project.import();
        const same = await diffOf(project);
        assert.deepEqual([same.changed, [...countedChanges(same.changes)]], [false, []]);
        await project.write({ 'orders.csv': `${head}1,2024-03-01,5\n2,2024-01-02,500\n3,2024-01-03,7\n` });
        await project.import();
        const { changed, changes } = await diffOf(project);
        assert.equal(changed, true);
        assert.ok(Object.values(changes.totals).every(({ before, after }) => before === after));
        assert.deepEqual(sorted(countedChanges(changes)), [
          ['events Place changed', 1],
          ['events Place moved', 1],
          ['values Place.amount changed', 1],
        ]);
        assert.deepEqual(changes.totals.events, { before: 3, after: 3, new: 0, gone: 0, moved: 1, changed: 1 });
        const text = await runCommand(['diff', 'graph.entity.yaml', '--workspace', project.folder], project.folder);
        assert.match(text.stdout, /\nEvents +Before +Now +Moved +Changed\n[─ ]+\nPlace +3 +3 +1 +1\n/);
      },
    ));

  it('pair events of one entity and time by their values, the others in the order of time', () =>
    withProject(
      {
        'entity-sources.yaml': csvSources(),
        'graph.entity.yaml': orders,
        'orders.csv': `${head}1,2024-01-01,5\n1,2024-01-01,6\n1,2024-01-01,7\n1,2024-01-05,8\n1,2024-01-09,9\n`,
      },
      async (project) => {
        await project.import();
        // Of three simultaneous events the first is gone; the last two are one, whose time is another.
        await project.write({ 'orders.csv': `${head}1,2024-01-01,6\n1,2024-01-01,7\n1,2024-01-07,8\n` });
        await project.import();
        assert.deepEqual(sorted(countedChanges((await diffOf(project)).changes)), [
          ['correlations self gone', 2],
          ['events Place changed', 1],
          ['events Place gone', 2],
          ['events Place moved', 1],
          ['paths order: Place → Place gone', 3],
          ['paths order: Place → Place new', 1],
          ['values Place.amount changed', 1],
          ['variants order changed', 1],
        ]);
      },
    ));

  it('take 5 and 5.0 for equal, and compare other types as texts', () =>
    withProject(
      {
        'entity-sources.yaml': csvSources(),
        'graph.entity.yaml': orders,
        'orders.csv': `${head}1,2024-01-01,5\n2,2024-01-01,6\n`,
      },
      async (project) => {
        await project.import();
        await project.write({ 'orders.csv': `${head}1,2024-01-01,5.0\n2,2024-01-01,6.5\n` });
        await project.import();
        const { changes, schema } = await diffOf(project);
        assert.deepEqual(schema, [{ element: 'Place', property: 'amount', before: 'BIGINT', after: 'DOUBLE' }]);
        assert.deepEqual(changes.values, [{ name: 'Place.amount', before: 2, after: 2, changed: 1 }]);
      },
    ));

  it('are none of variants and activities where only ends are gone', () =>
    withProject(
      {
        'entity-sources.yaml': csvSources(),
        'graph.entity.yaml': orders.replace('startTimestamp: at', 'startTimestamp: at, endTimestamp: until'),
        'orders.csv': 'id,at,until,amount\n1,2024-01-01,2024-01-02,5\n1,2024-01-03,2024-01-04,6\n',
      },
      async (project) => {
        await project.import();
        await project.write({ 'graph.entity.yaml': orders });
        await project.import();
        const { changes } = await diffOf(project);
        assert.deepEqual([changes.variants, changes.variantCases], [[], []]);
        assert.deepEqual(sorted(countedChanges(changes)), [
          ['correlations self gone', 2],
          ['events Place gone', 2],
        ]);
      },
    ));

  it('are as many as an independent comparison of all rows finds, for random data and edits', async function () {
    this.timeout(isSoak ? 0 : 300_000);
    const seen = new Set<string>();
    for (const seed of soakSeeds(14)) {
      const random = randomOf(seed);
      const [texts, types] = [randomText(random), randomData(random)];
      await withProject(
        { 'entity-sources.yaml': csvSources(), 'graph.entity.yaml': texts, ...types },
        async (project) => {
          const before = await project.import();
          assert.equal(before.status, 'imported', before.error?.message);
          await project.write({ 'graph.entity.yaml': randomText(random), ...(random() < 0.8 && randomData(random)) });
          const after = await project.import();
          assert.equal(after.status, 'imported', after.error?.message);
          const expected = await changesByHand(before.store ?? '', after.store ?? '');
          const { changes } = await diffOf(project);
          assert.deepEqual(sorted(countedChanges(changes)), sorted(expected), `seed ${seed}`);
          countSoak();
          for (const key of expected.keys()) seen.add(`${key.split(' ')[0]} ${key.split(' ').at(-1)}`);
        },
      );
    }
    if (isSoak) return;
    const all = changeParts.flatMap((part: ChangePart) => kindsOfPart[part].map((kind) => `${part} ${kind}`));
    assert.deepEqual(
      all.filter((each) => !seen.has(each)),
      [],
    );
  });
  it('of random edits are told by effect as two imports tell them, and so are those of each edit', async function () {
    this.timeout(isSoak ? 0 : 300_000);
    for (const seed of soakSeeds(2)) {
      const random = randomOf(seed);
      const [base, edited] = [randomText(random), randomText(random)];
      const files = { 'entity-sources.yaml': csvSources(), ...randomData(random) };
      await withProject({ ...files, 'graph.entity.yaml': base, 'base.yaml': base }, async (project) => {
        const importOf = async (text: string): Promise<string> => {
          await project.write({ 'graph.entity.yaml': text });
          const done = await project.import();
          assert.equal(done.status, 'imported', done.error?.message);
          return done.store ?? '';
        };
        const [before, after] = [await importOf(base), await importOf(edited)];
        const args = ['effect', 'graph.entity.yaml', '--workspace', project.folder, '--base', 'base.yaml', '--format', 'json']; // prettier-ignore
        const { code, stdout } = await runCommand(args, project.folder);
        assert.equal(code, 0, stdout);
        const { state, changes, attribution } = JSON.parse(stdout) as GraphEffect;
        countSoak();
        if (state === 'same text') return assert.equal(base, edited);
        assert.ok(changes && attribution, `seed ${seed}`);
        assert.deepEqual(sorted(countedChanges(changes)), sorted(await changesByHand(before, after)), `seed ${seed}`);
        const { parts, together, refusal } = attribution;
        const [old, now] = [base, edited].map((text) => parse(text) as JsonObject);
        const edits = meaningEdits(old ?? {}, now ?? {});
        // docs/semantics.md#205-which-edit-did-it
        if (edits.edits.length > 12) return assert.match(refusal ?? '', /^There are \d+ edits; at most 12 /);
        assert.equal(refusal, undefined, `seed ${seed}`);
        const sum = new Map<string, number>();
        for (const { part, name, kind, count } of [...parts.flatMap(({ deltas }) => deltas), ...together]) {
          const key = `${part} ${name} ${kind}`;
          sum.set(key, (sum.get(key) ?? 0) + count);
        }
        assert.deepEqual(sorted(sum).filter(([, count]) => count !== 0), sorted(countedChanges(changes)), `seed ${seed}`); // prettier-ignore
        // One of the parts by itself, imported as its text says.
        const part = parts.length > 1 ? pick(random, parts) : undefined;
        if (!part) return;
        const wanted = new Set(part.edits.map(({ title }) => title));
        const places = [...edits.edits.entries()].flatMap(([place, { title }]) => (wanted.has(title) ? [place] : []));
        const alone = await importOf(JSON.stringify(edits.apply(new Set(places))));
        // Two imports are kept: that of the base is made anew.
        const again = await importOf(base);
        const deltas = part.deltas.map(({ part: of, name, kind, count }) => [`${of} ${name} ${kind}`, count] as const);
        assert.deepEqual(sorted(new Map(deltas)), sorted(await changesByHand(again, alone)), `seed ${seed}`);
      });
    }
  });
});

/** Few keys, times and values, so that rows repeat each other. */
function randomData(random: Random): Readonly<Record<string, string>> {
  const rows = (count: number, cells: () => readonly string[]): string =>
    Array.from({ length: count }, () => `${cells().join(',')}\n`).join('');
  const key = (): string => pick(random, ['1', '2', '3', '4', '5']);
  const day = (): string => `2024-01-0${pick(random, ['1', '2', '3', '4'])}`;
  return {
    'orders.csv': `id,customer,at,until,what,amount,note\n${rows(14, () => [
      key(),
      pick(random, ['a', 'b', 'c']),
      day(),
      random() < 0.3 ? '' : day(),
      pick(random, ['Place', 'Ship', '']),
      pick(random, ['5', '6', '']),
      pick(random, ['x', 'y']),
    ])}1,a,2024-01-01,2024-01-02,Place,7,x\n`,
    'calls.csv': `customer,at,topic\n${rows(8, () => [pick(random, ['a', 'b', 'c', '']), day(), pick(random, ['t', 'u'])])}a,2024-01-01,t\n`,
    'customers.csv': `id,since,town\n${rows(6, () => [pick(random, ['a', 'b', 'd']), day(), pick(random, ['Rome', 'Ulm'])])}a,2024-01-01,Rome\n`,
  };
}

function randomText(random: Random): string {
  const properties = pick(random, ['[amount, note]', '[amount]', '[note, amount]', '[note]']);
  const where = random() < 0.5 ? '' : ', where: "amount = 5 OR amount = 7"';
  const change = random() < 0.6 ? ', changeTimestamp: until' : '';
  const end = random() < 0.4 ? ', endTimestamp: until' : '';
  const activity = random() < 0.5 ? ', activityColumn: what' : '';
  const type = random() < 0.8 ? 'order' : 'purchase';
  const expect =
    random() < 0.5 ? '' : `, expect: { values: { amount: ${pick(random, ['[5, 6, 7]', '[5, 7]', '[5]'])} } }`;
  const order = `  - { activityName: Order, dataObject: orders, key: id, entityType: ${type}, startTimestamp: at${change}${end}${activity}, properties: ${properties}${where}${expect}, correlatesWith: [{ entityType: customer, key: customer }] }\n`;
  const call = `  - { activityName: Call, dataObject: calls, key: customer, entityType: customer, ownEntity: false, startTimestamp: at, properties: [topic], correlatesWith: [{ entityType: customer, key: customer }] }\n`;
  const win =
    '  - { activityName: Win, dataObject: customers, key: id, entityType: customer, startTimestamp: since }\n';
  const elements = pick(random, [order + call + win, win + order + call, order + win]);
  const entries = `entities:\n  - { name: Towns, entityType: customer, dataObject: customers, key: id${random() < 0.2 ? '' : ', validFrom: since'}, properties: [town] }\n`;
  const relations = `  - { name: wins, source: Win, target: Order, mappings: [{ source: id, target: customer }] }\n`;
  const rules = `rules:\n  - { name: Short, each: { entityType: ${type} }, expect: [{ activity: Order, count: "${pick(random, ['0..1', '0..2'])}" }] }\n  - { name: Won, each: { entityType: customer }, expect: [{ activity: Win }] }\n`;
  const measures = `measures:\n  - { name: Orders, each: { entityType: ${type} }, count: { activity: Order }, target: { mean: { atMost: ${pick(random, ['2', '3', '4'])} } } }\n`;
  return `${graphText(elements, relations)}${random() < 0.9 ? entries : ''}${random() < 0.8 ? rules : ''}${random() < 0.9 ? measures : ''}`;
}
