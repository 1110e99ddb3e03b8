import assert from 'node:assert/strict';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CancellationTokenSource } from 'vscode-languageserver-protocol/node';
import type { TestFileView, TestRunView } from '../../protocol/graph-tests.ts';
import type { Outcome } from '../../protocol/query-results.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';
import { type LspClient, positionAt, startLspClient } from './lsp-client.ts';

const graph = (activity = 'Place Order'): string => `version: 1
dataSource: shop
dataObjects: [orders]
elements:
  - { activityName: ${activity}, entityType: order, dataObject: orders, key: id, startTimestamp: placed }
`;
const tests = `graph: shop.entity.yaml
tests:
  - name: one order
    given:
      orders: [{ id: 1, placed: 2024-01-01T10:00:00Z }]
    expect:
      events: [{ activity: Place Order, entity: 1 }]
  - name: no order
    expect: { events: [{ activity: Place Order }] }
`;

describe('language server: runs of tests with given rows', () => {
  let folder: string;
  let client: LspClient;
  let uri: string;
  const start = async (trusted: boolean): Promise<void> => {
    folder = await folderWith({
      'entity-sources.yaml':
        'version: 1\ndataSources:\n  shop: { kind: csv, path: data/*.csv }\n  db: { kind: mysql, host: db.example, databases: [shop], user: me }\n',
      'data/orders.csv': 'id,placed\n1,2024-07-01 12:00:00\n',
      'shop.entity.yaml': graph(),
      'shop.entity.test.yaml': tests,
      'db.entity.yaml': graph().replace('dataSource: shop', 'dataSource: db'),
      'sub/db.entity.test.yaml': tests.replace('shop.entity', '../db.entity'),
    });
    client = await startLspClient({ folder, initializationOptions: { trusted } });
    uri = pathToFileURL(join(folder, 'shop.entity.test.yaml')).href;
  };
  afterEach(async () => {
    await client.close();
    await removeFolder(folder);
  });

  const run = (file: string, names?: readonly string[]): Promise<Outcome<TestRunView>> =>
    client.connection.sendRequest('entityGraph/runTests', { uri: file, names });
  const outcomes = ({ tests: found }: TestRunView): readonly string[] =>
    found.map(({ name, outcome }) => `${name}: ${outcome}`);
  async function value(file: string, names?: readonly string[]): Promise<TestRunView> {
    const outcome = await run(file, names);
    assert.ok(outcome.ok, JSON.stringify(outcome));
    return outcome.value;
  }

  it('lists the tests of all files in the open folders, and of a file with its unsaved text', async () => {
    await start(true);
    const all = await client.connection.sendRequest<TestFileView[]>('entityGraph/graphTests', {});
    assert.deepEqual(
      all.map((file) => [file.uri.slice(pathToFileURL(folder).href.length), file.tests.map(({ name }) => name)]),
      [
        ['/shop.entity.test.yaml', ['one order', 'no order']],
        ['/sub/db.entity.test.yaml', ['one order', 'no order']],
      ],
    );
    assert.deepEqual(all[0]?.tests[1]?.range.start, positionAt(tests, tests.indexOf('no order')));
    await client.open(join(folder, 'shop.entity.test.yaml'), tests.replace('no order', 'none'));
    const [one] = await client.connection.sendRequest<TestFileView[]>('entityGraph/graphTests', { uri });
    assert.deepEqual(
      one?.tests.map(({ name }) => name),
      ['one order', 'none'],
    );
  });

  it('reports expected and actual result at its place, with the edits that update the expectation', async () => {
    await start(true);
    const result = await value(uri);
    assert.deepEqual(outcomes(result), ['one order: passed', 'no order: failed']);
    const [failure] = result.tests[1]?.failures ?? [];
    assert.equal(failure?.expected, '- { activity: Place Order }');
    assert.equal(failure.actual, '[]');
    const place = tests.lastIndexOf('[{ activity');
    assert.equal(failure.range.start.line, positionAt(tests, place).line);
    const [edit] = result.edits;
    assert.deepEqual(edit?.range.start, positionAt(tests, place));
    assert.deepEqual([edit.newText, result.edits.length], ['[]', 1]);
  });

  it('runs only the requested tests', async () => {
    await start(true);
    assert.deepEqual(outcomes(await value(uri, ['one order'])), ['one order: passed']);
  });

  it('runs the unsaved texts of the tests and of their graph', async () => {
    await start(true);
    await client.open(join(folder, 'shop.entity.yaml'), graph('Order'));
    await client.open(
      join(folder, 'shop.entity.test.yaml'),
      tests.replaceAll('activity: Place Order', 'activity: Order'),
    );
    const result = await value(uri, ['one order']);
    assert.deepEqual(outcomes(result), ['one order: passed']);
    assert.equal(result.version, 1);
  });

  it('reports tests that need a server as not run, with the reason', async () => {
    await start(true);
    const result = await value(pathToFileURL(join(folder, 'sub/db.entity.test.yaml')).href);
    assert.deepEqual(outcomes(result), ['one order: not run', 'no order: not run']);
    assert.match(result.tests[0]?.reason ?? '', /MySQL/);
  });

  it('ends a run that is cancelled', async () => {
    await start(true);
    const cancelling = new CancellationTokenSource();
    const running = client.connection.sendRequest<Outcome<TestRunView>>(
      'entityGraph/runTests',
      { uri },
      cancelling.token,
    );
    cancelling.cancel();
    const ended = await running.catch((error: unknown) => error);
    assert.match(JSON.stringify(ended), /cancel/i);
  });

  it('runs nothing in an untrusted workspace', async () => {
    await start(false);
    const outcome = await run(uri);
    assert.equal(!outcome.ok && outcome.error.code, 'workspace-untrusted');
  });
});
