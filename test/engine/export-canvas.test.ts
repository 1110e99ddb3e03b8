import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { GraphEffect } from '../../protocol/graph-effect.ts';
import { csvSources, graphText } from '../support/import-text.ts';
import { runCommand } from '../support/run-command.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';
import { projectFolder } from '../support/vscode-host.ts';

const name = 'order-to-cash.entity.yaml';
const place = '  - { activityName: Place, dataObject: orders, key: id, entityType: order, startTimestamp: at }\n';
const baseText = graphText(
  `${place}  - { activityName: Win, dataObject: customers, key: id, entityType: customer, startTimestamp: since }\n`,
  '  - { name: places, source: Win, target: Place, mappings: [{ source: id, target: customer }] }\n',
);
const editedText = graphText(
  `${place.replace(' }', ', where: amount > 3 }')}  - { activityName: Pay, dataObject: orders, key: id, entityType: order, startTimestamp: at, where: amount > 5 }\n`,
);

describe('entity-graph export --as svg', () => {
  let folder: string;
  const run = (...args: readonly string[]) => runCommand([...args, '--workspace', folder], folder);
  const texts = async (svg: string): Promise<readonly string[]> =>
    [...(await readFile(svg, 'utf8')).matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, text = '']) => text);
  before(async () => {
    folder = await folderWith({});
    const filter = (path: string): boolean => basename(path) !== '.entity-graph';
    await cp(join(projectFolder, 'samples/order-to-cash'), folder, { recursive: true, filter });
  });
  after(() => removeFolder(folder));

  it('draws the canvas of a graph that was never imported', async () => {
    const { code, stdout, stderr } = await run('export', name, '--as', 'svg', '--output', 'canvas.svg');
    assert.deepEqual([code, stdout.trim()], [0, join(folder, 'canvas.svg')], stderr);
    const drawn = await texts(join(folder, 'canvas.svg'));
    for (const said of ['Place Order', 'Receive Payment', 'customer', 'delivers', 'bills'])
      assert.ok(drawn.includes(said), said);
    assert.equal(
      drawn.some((text) => text.includes('New')),
      false,
    );
  });

  it('draws what differs from a commit, with the numbers of entity-graph effect', async () => {
    const shop = await folderWith({
      'entity-sources.yaml': csvSources(),
      'shop.entity.yaml': baseText,
      'orders.csv': 'id,customer,at,amount\n1,7,2024-01-02,5\n2,7,2024-01-03,6\n3,8,2024-01-04,3\n',
      'customers.csv': 'id,since\n7,2024-01-01\n8,2024-01-01\n',
    });
    try {
      const git = (...args: readonly string[]) =>
        execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b.example', ...args], {
          cwd: shop,
          encoding: 'utf8',
        });
      git('init', '-q', '-b', 'main');
      git('add', '.');
      git('commit', '-q', '-m', 'first');
      await writeFile(join(shop, 'shop.entity.yaml'), editedText);
      const args = ['--base', 'main', '--workspace', shop];
      const drawing = ['export', 'shop.entity.yaml', '--as', 'svg', '--output', 'effect.svg', ...args];
      const { code, stderr } = await runCommand(drawing, shop);
      assert.equal(code, 0, stderr);
      const drawn = await texts(join(shop, 'effect.svg'));
      const commit = git('rev-parse', '--short=10', 'main').trim();
      assert.ok(drawn[0]?.startsWith(`main (${commit}), `), drawn[0]);
      assert.deepEqual(drawn.slice(1, 3), [
        '+ New 1   • Changed 1   − Gone 2',
        '−3 events, +1 event, −3 entities, −9 correlations, +1 correlation, −3 relations',
      ]);
      const said = drawn.filter((text) => /^(New|Changed|Gone): /.test(text));
      assert.deepEqual(said.toSorted(), [
        'Changed: −1 event',
        'Gone: −2 events',
        'Gone: −3 relations',
        'New: +1 event',
      ]);
      const effect = await runCommand(['effect', 'shop.entity.yaml', '--format', 'json', '--total', ...args], shop);
      const { changes } = JSON.parse(effect.stdout) as GraphEffect;
      assert.deepEqual(
        changes?.events.map(({ name: of, new: added, gone }) => [of, added, gone]),
        [
          ['Pay', 1, 0],
          ['Place', 0, 1],
          ['Win', 0, 2],
        ],
      );
    } finally {
      await removeFolder(shop);
    }
  });

  it('refuses options of the other forms, and a base that is not there', async () => {
    for (const [args, said] of [
      [['--as', 'svg', '--offline'], '--offline goes with --base.'],
      [['--as', 'csv', '--base', 'main'], '--base and --offline are for --as svg: csv has the imported graph.'],
      [['--as', 'svg', '--base', 'nowhere'], 'nowhere is no file, and '],
    ] as const) {
      const { code, stderr } = await run('export', name, ...args, '--output', 'no.svg');
      assert.notEqual(code, 0);
      assert.ok(stderr.includes(said), stderr);
    }
  });
});
