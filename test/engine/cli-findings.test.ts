import assert from 'node:assert/strict';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FindingsAnswer } from '../../protocol/findings.ts';
import { csvSources, graphText } from '../support/import-text.ts';
import { runCommand } from '../support/run-command.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';

const graph = graphText(
  `  - { activityName: Place Order, dataObject: orders, key: id, entityType: order, startTimestamp: placed, properties: [amount] }
  - { activityName: Pay @here, dataObject: payments, key: order, entityType: order, startTimestamp: paid, properties: [amount] }
`,
);

const lateRule = `rules:
  - name: Paid within a day
    each: { entityType: order }
    expect:
      - { from: Place Order, to: Pay @here, atMost: 8h }
`;

const hour = 3_600_000;
const time = (index: number, hours: number): string =>
  new Date(Date.UTC(2024, 0, 1) + index * 29.3 * hour + hours * hour).toISOString();
const orders = Array.from({ length: 40 }, (_, index) => index);
const files = {
  'entity-sources.yaml': csvSources(),
  'shop.entity.yaml': graph,
  'clean.entity.yaml': graph.replace('payments', 'once'),
  'ruled.entity.yaml': `${graph}${lateRule}`,
  'accepted.entity.yaml': `${graph}accepted:
  - { finding: duplicate-events, element: Pay @here, column: order, reason: Some pay twice. }
  - { finding: midnight-times, element: Place Order }
`,
  'names.entity.yaml': graphText(
    `  - { activityName: Ship, dataObject: steps, key: id, entityType: order, startTimestamp: at, activityColumn: step, activityNames: { gone: sent  off } }
  - { activityName: ship order, dataObject: orders, key: id, entityType: order, startTimestamp: placed }
  - { activityName: Ship Order, dataObject: once, key: order, entityType: order, startTimestamp: paid }
  - { activityName: close order, dataObject: once, key: order, entityType: order, startTimestamp: paid }
`,
  ),
  'steps.csv': [
    'id,at,step',
    ...orders.map((order) => {
      const step = order === 2 ? 'ship order' : order < 2 ? 'gone' : order < 6 ? 'Sent Off' : 'Close Order';
      return `${order},${time(order, 30.7)},${step}\n${order},${time(order, 31.9)},Close Order`;
    }),
  ].join('\n'),
  'orders.csv': ['id,placed,amount', ...orders.map((order) => `${order},${time(order, 0.13)},${order}`)].join('\n'),
  'once.csv': [
    'order,paid,amount',
    ...orders.map((order) => `${order},${time(order, 5.21 + order / 7)},${order}`),
  ].join('\n'),
  // Orders 3 and 4 are paid twice.
  'payments.csv': [
    'order,paid,amount',
    ...[...orders, 3, 4].map((order) => `${order},${time(order, 5.21 + order / 7)},${order}`),
  ].join('\n'),
};

async function filesNamed(folder: string, name: string): Promise<readonly string[]> {
  const all = await readdir(folder, { recursive: true, withFileTypes: true });
  return all.filter((file) => file.name === name).map((file) => join(file.parentPath, file.name));
}

describe('entity-graph findings', () => {
  let folder = '';
  before(async () => {
    folder = await folderWith(files);
    for (const name of ['shop', 'clean', 'ruled', 'accepted', 'names'])
      assert.equal((await run('import', `${name}.entity.yaml`)).code, 0);
  });
  after(() => removeFolder(folder));

  const run = (...args: readonly string[]): ReturnType<typeof runCommand> =>
    runCommand([...args, '--workspace', folder], folder);

  const message =
    '2 of 42 events of "Pay @here" (4.8 %) agree with an earlier one in time, entity and its property: they were probably recorded twice.';
  const remedy =
    'Keep one row of each with a where, such as id = (SELECT min(id) …), or remove the others in the source; expect: unique: tells when they come back.';

  it('leaves out what the file accepts, and names entries that are not needed', async () => {
    const { code, stdout } = await run('findings', 'accepted.entity.yaml');
    assert.equal(code, 0);
    assert.equal(
      stdout,
      [
        'Nothing is odd in the data.',
        '1 more is accepted by the file.',
        'The entry midnight-times of "Place Order" of accepted is not needed any more.',
        '',
      ].join('\n'),
    );
    const json = JSON.parse(
      (await run('findings', 'accepted.entity.yaml', '--format', 'json')).stdout,
    ) as FindingsAnswer;
    assert.deepEqual(
      json.findings.map(({ kind, accepted }) => [kind, accepted]),
      [['duplicate-events', 'Some pay twice.']],
    );
    assert.deepEqual(json.stale, [{ finding: 'midnight-times', element: 'Place Order' }]);
  });

  it('does not call an entry unneeded whose element was renamed since the import', async () => {
    const path = join(folder, 'accepted.entity.yaml');
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replaceAll('Place Order', 'Order'));
    try {
      const { stdout } = await run('findings', 'accepted.entity.yaml');
      assert.equal(stdout, 'Nothing is odd in the data.\n1 more is accepted by the file.\n');
    } finally {
      await writeFile(path, text);
    }
  });

  it('has what, where, how many, how much of the map, examples and what to do', async () => {
    const { code, stdout } = await run('findings', 'shop.entity.yaml', '--format', 'json');
    assert.equal(code, 0);
    const { findings, stale, notes } = JSON.parse(stdout) as FindingsAnswer;
    assert.deepEqual([stale, notes], [[], []]);
    assert.deepEqual(
      findings.map(({ examples, ...finding }) => ({
        ...finding,
        examples: examples.map(({ entity, event }) => [entity?.type, entity?.key, event.activity, event.time]),
      })),
      [
        {
          kind: 'duplicate-events',
          severity: 'warning',
          element: 'Pay @here',
          column: 'order',
          count: 2,
          of: 42,
          counts: 'events',
          message,
          remedy,
          // Of 42 steps, the two between a payment and its copy.
          explains: 2 / 42,
          // Orders that are paid once, and twice.
          explainsVariants: 1 / 2,
          explainsViolations: null,
          examples: [3, 4].map((order) => [
            'order',
            String(order),
            'Pay @here',
            time(order, 5.21 + order / 7).replace(/Z$/, '000Z'),
          ]),
          hint: { kind: 'keepOne', columns: ['order', 'paid', 'amount'] },
        },
      ],
    );
  });

  it('says for near-equal names what can be written at their elements', async () => {
    const { stdout } = await run('findings', 'names.entity.yaml', '--format', 'json');
    const { findings } = JSON.parse(stdout) as FindingsAnswer;
    const remedies = findings.filter(({ kind }) => kind === 'near-equal-labels').map(({ remedy: text }) => text);
    assert.deepEqual(remedies.toSorted(), [
      'Give "Ship Order" an activityName that tells both apart, or read the rows of both by one element.',
      'Write activityName: "Close Order" at "close order".',
      'Write activityNames: { "gone": "Sent Off", "sent  off": "Sent Off" } at "Ship".',
    ]);
  });

  it('prints text', async () => {
    const { stdout } = await run('findings', 'shop.entity.yaml');
    assert.equal(
      stdout,
      `warning  duplicate-events  Pay @here.order  4.8 % of the paths, 50 % of the variants
         ${message}
         ${remedy}
         Such as order 3: Pay @here ${time(3, 5.21 + 3 / 7)
           .slice(0, 19)
           .replace('T', ' ')}; order 4: Pay @here ${time(4, 5.21 + 4 / 7)
           .slice(0, 19)
           .replace('T', ' ')}
1 finding.
`,
    );
  });

  it('says how many of the broken rules have one of its events', async () => {
    const { stdout } = await run('findings', 'ruled.entity.yaml', '--format', 'json');
    const { findings } = JSON.parse(stdout) as FindingsAnswer;
    // Orders 20 to 39 are paid after more than eight hours: none of them twice.
    assert.deepEqual(
      findings.map(({ kind, explainsViolations }) => [kind, explainsViolations]),
      [['duplicate-events', 0]],
    );
    await writeFile(join(folder, 'ruled.entity.yaml'), files['ruled.entity.yaml'].replace('8h', '5h'));
    assert.equal((await run('import', 'ruled.entity.yaml')).code, 0);
    const again = JSON.parse((await run('findings', 'ruled.entity.yaml', '--format', 'json')).stdout) as FindingsAnswer;
    // All of them break it now.
    assert.deepEqual(
      again.findings.map(({ explainsViolations }) => explainsViolations),
      [2 / 40],
    );
  });

  it('is a part of check with --data', async () => {
    const { code, stdout } = await run('check', 'shop.entity.yaml', '--data');
    assert.equal(code, 0);
    assert.match(stdout, /All \d+ points hold\.\nwarning {2}duplicate-events/);
    const json = JSON.parse((await run('check', 'shop.entity.yaml', '--data', '--format', 'json')).stdout) as {
      failed: number;
      data: FindingsAnswer;
    };
    assert.deepEqual([json.failed, json.data.findings.map(({ kind }) => kind)], [0, ['duplicate-events']]);
    assert.ok(!(await run('check', 'shop.entity.yaml')).stdout.includes('duplicate-events'));
  });

  it('prints a table whose data has no effect in comments', async () => {
    const { stdout } = await run('findings', 'shop.entity.yaml', '--format', 'markdown');
    assert.match(stdout, /^\| \| finding \| where \| explains \| what \| what to do \|\n/);
    assert.ok(
      stdout.includes(
        '| warning | duplicate-events | Pay \\@\u2060here.order | 4.8 % of the paths, 50 % of the variants | 2 of 42 events of ',
      ),
      stdout,
    );
  });

  it('prints SARIF at the entries', async () => {
    const { stdout } = await run('findings', 'shop.entity.yaml', '--format', 'sarif');
    const { runs } = JSON.parse(stdout) as {
      runs: readonly [
        { results: readonly { ruleId: string; level: string; message: { text: string }; locations: unknown }[] },
      ];
    };
    assert.deepEqual(
      runs[0].results.map(({ ruleId, level, message: { text } }) => [ruleId, level, text]),
      [['data-finding', 'warning', `duplicate-events: ${message} ${remedy}`]],
    );
    const line = files['shop.entity.yaml'].split('\n').findIndex((text) => text.includes('Pay @here')) + 1;
    assert.match(JSON.stringify(runs[0].results[0]?.locations), new RegExp(`"startLine":${line},`));
  });

  it('keeps them beside the store, and reads nothing of another form from there', async () => {
    const kept = await filesNamed(folder, 'findings.kept');
    assert.ok(kept.length > 1);
    for (const path of kept) {
      const written = JSON.parse(await readFile(path, 'utf8')) as { findings: readonly object[] };
      const changed = written.findings.map((finding) => ({ ...finding, message: 'Kept.' }));
      await writeFile(path, JSON.stringify({ ...written, findings: changed }));
    }
    assert.match((await run('findings', 'shop.entity.yaml')).stdout, /Kept\./);
    for (const path of kept) await writeFile(path, (await readFile(path, 'utf8')).replaceAll('"Kept."', '7'));
    assert.ok((await run('findings', 'shop.entity.yaml')).stdout.includes(message));
  });

  it('says that nothing is odd', async () => {
    const { code, stdout } = await run('findings', 'clean.entity.yaml');
    assert.deepEqual([code, stdout], [0, 'Nothing is odd in the data.\n']);
  });

  it('refuses a graph that is not imported', async () => {
    const { code, stderr } = await run('findings', 'none.entity.yaml');
    assert.equal(code, 1);
    assert.match(stderr, /none\.entity\.yaml/);
  });
});
