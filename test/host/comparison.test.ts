import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type CodeLens, TabInputCustom, commands, extensions, window, workspace } from 'vscode';
import { type Lab, openLab, shopGraph } from './lab.ts';
import { answering, pick, press } from './person.ts';
import { waitFor } from './wait-for.ts';

describe('effects in VS Code', () => {
  let lab: Lab;

  before(async () => {
    lab = await openLab();
  });
  after(() => lab.close());
  afterEach(() => commands.executeCommand('workbench.action.closeAllEditors'));

  const run = (name: string, ...args: readonly unknown[]): Thenable<unknown> =>
    commands.executeCommand(`entityGraph.${name}`, ...args);
  const lenses = async (graph: string): Promise<readonly string[]> => {
    const found = await commands.executeCommand<CodeLens[]>('vscode.executeCodeLensProvider', lab.uri(graph), 50);
    return found.flatMap(({ command }) => (/^Compared/.test(command?.title ?? '') ? [command?.title ?? ''] : []));
  };

  /** What the last run of a graph says of accepted guards. */
  const acceptedGuards = async (graph: string): Promise<readonly string[] | null> => {
    const { store = '' } = JSON.parse(await lab.text(`.entity-graph/state/${graph}.json`)) as { store?: string };
    const path = join(lab.folder, '.entity-graph/graphs', graph, store);
    const script = `
      const { DuckDBInstance } = require('@duckdb/node-api');
      DuckDBInstance.create(${JSON.stringify(path)}, { access_mode: 'READ_ONLY' })
        .then((instance) => instance.connect())
        .then((connection) => connection.runAndReadAll("SELECT counts->>'acceptedGuards' FROM run"))
        .then((result) => console.log(result.getRows()[0][0]));`;
    const root = extensions.all.find(({ packageJSON }) => (packageJSON as { name?: string }).name === 'entity-graph');
    const printed = execFileSync(process.execPath, ['-e', script], { cwd: root?.extensionPath, encoding: 'utf8' });
    return JSON.parse(printed) as readonly string[] | null;
  };

  it('Compare with… of a file in the source control view compares its text, and says what is no entity graph', async () => {
    const base = lab.uri('base.entity.yaml');
    await writeFile(base.fsPath, shopGraph);
    await writeFile(
      lab.uri('edited.entity.yaml').fsPath,
      shopGraph.replace('properties: [amount]', 'where: amount > 5'),
    );
    const resource = { resourceUri: lab.uri('edited.entity.yaml') };
    const told = await answering(
      [
        pick(/^Compare with… \|/, 'File…'),
        { kind: 'file', asked: /^Compare with…$/, files: [base] },
        press(/^The graph differs from that of .*base\.entity\.yaml\. Place Order · /, 'Show Details'),
      ],
      () => run('compareWith', resource, resource),
    );
    // A question about another data source of the window may come in between.
    assert.equal(told.filter((each) => /graph differs/.test(each)).length, 1, told.join('\n'));
    assert.equal(window.activeTextEditor?.document.uri.toString(), resource.resourceUri.toString());
    await waitFor('there is a lens', async () => (await lenses('edited.entity.yaml')).length === 1);
    const other = { resourceUri: lab.uri('data/orders.csv') };
    assert.deepEqual(await answering([], () => run('compareWith', other, other)), [
      'orders.csv is no entity graph (*.entity.yaml), so there is nothing to compare.',
    ]);
  });

  it('Compare with… on the canvas leaves it in front', async () => {
    await writeFile(
      lab.uri('drawn.entity.yaml').fsPath,
      shopGraph.replace('properties: [amount]', 'where: amount > 5'),
    );
    await writeFile(lab.uri('base.entity.yaml').fsPath, shopGraph);
    await run('openCanvas', lab.uri('drawn.entity.yaml'));
    const isInFront = (): boolean => {
      const input = window.tabGroups.activeTabGroup.activeTab?.input;
      return input instanceof TabInputCustom && input.uri.path.endsWith('drawn.entity.yaml');
    };
    await waitFor('the canvas is shown', isInFront);
    const told = await answering(
      [
        pick(/^Compare with… \|/, 'File…'),
        { kind: 'file', asked: /^Compare with…$/, files: [lab.uri('base.entity.yaml')] },
      ],
      () => run('compareWith'),
    );
    assert.match(told.join(), /^The graph differs from that of .*base\.entity\.yaml\./);
    assert.equal(isInFront(), true);
    await run('stopComparing', lab.uri('drawn.entity.yaml'));
  });

  it('Import Anyway publishes a graph whose guard is broken, once, and the run says so', async () => {
    const graph = 'guarded.entity.yaml';
    const broken = 'Place Order has 1 event, 3 before: 66.7 % fewer, and its guard allows 10 %.';
    await writeFile(lab.uri(graph).fsPath, shopGraph);
    await appendFile(
      lab.uri(graph).fsPath,
      'guards:\n  - { element: Place Order, losesAtMost: 10%, severity: error }\n',
    );
    await window.showTextDocument(lab.uri(graph));
    // A view that shows the status of graphs makes messages unnecessary.
    await commands.executeCommand('workbench.action.closeSidebar');
    const first = await answering([], () => run('import'));
    assert.match(first.join(), /^Import Done: 3 events/);
    assert.equal(await acceptedGuards('guarded'), null);
    const orders = await lab.text('data/orders.csv');
    try {
      await writeFile(lab.uri('data/orders.csv').fsPath, orders.split('\n').slice(0, 2).join('\n') + '\n');
      const told = await answering([press(/^Import stopped/, 'Import Anyway')], () => run('import'));
      assert.ok(told[0]?.includes(broken), told.join('\n'));
      assert.match(told[0] ?? '', /The graph of .* is still in use\./);
      assert.match(told[1] ?? '', /^Import Done: 1 event/);
      assert.deepEqual(await acceptedGuards('guarded'), [broken]);
      // The next import has the same rows, and nothing to accept.
      assert.match((await answering([], () => run('import'))).join(), /^Import Done: 1 event/);
      assert.equal(await acceptedGuards('guarded'), null);
    } finally {
      await writeFile(lab.uri('data/orders.csv').fsPath, orders);
    }
    assert.equal(
      workspace.textDocuments.some(({ isDirty }) => isDirty),
      false,
    );
  });
});
