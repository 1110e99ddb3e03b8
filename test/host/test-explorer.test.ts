import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import {
  CancellationTokenSource,
  type Disposable,
  type ExtensionContext,
  type LogOutputChannel,
  Range,
  type TestController,
  type TestItem,
  type TestMessage,
  TestRunRequest,
  type Uri,
  WorkspaceEdit,
  commands,
  extensions,
  tests,
  window,
  workspace,
} from 'vscode';
import packageJson from '../../package.json';
import { type GraphLanguage, createGraphLanguage } from '../../client/src/language-client.ts';
import { openTestController } from '../../client/src/test-controller.ts';
import { type Lab, openLab } from './lab.ts';
import { waitFor } from './wait-for.ts';

const written = `graph: shop.entity.yaml
tests:
  - name: an order
    given: { orders: [{ order_id: 1, placed_at: 2024-05-01T09:00:00Z }] }
    expect:
      events: [{ activity: Place Order }]
  - name: no order
    expect: { events: [{ activity: Place Order }] }
`;

describe('Test Explorer in VS Code', () => {
  let lab: Lab;
  let log: LogOutputChannel;
  let language: GraphLanguage;
  let explorer: Disposable;
  let controller: TestController;
  /** The results that runs reported to VS Code, in order. */
  const told: string[] = [];
  const messages: TestMessage[] = [];
  const profiles = new Map<string, ReturnType<TestController['createRunProfile']>>();
  const errors: unknown[] = [];
  /** Controllers that the extension creates. */
  const ofExtension: string[] = [];

  before(async () => {
    lab = await openLab();
    log = window.createOutputChannel('Test Explorer', { log: true });
    const extension = extensions.getExtension(`${packageJson.publisher}.${packageJson.name}`);
    assert.ok(extension);
    await extension.activate();
    const create = tests.createTestController;
    tests.createTestController = (id, label) => (ofExtension.push(id), create(id, label));
    await writeFile(join(lab.folder, 'shop.entity.test.yaml'), written);
    await writeFile(join(lab.folder, 'more.entity.test.yaml'), written);
    await waitFor('the extension lists tests', () => ofExtension.length > 0);
    const none = (): Promise<never> => Promise.reject(new Error('Nothing is asked.'));
    language = createGraphLanguage({ extensionUri: extension.extensionUri } as ExtensionContext, log, {
      'entityGraph/secret': none,
      'entityGraph/allowSecret': none,
      'entityGraph/token': none,
      'entityGraph/keepToken': none,
      'entityGraph/authorize': none,
    });
    // The extension has a controller of this id.
    tests.createTestController = (id, label) => (controller = listenedTo(create(`${id}.watched`, label)));
    explorer = openTestController(language, (error) => errors.push(error));
    tests.createTestController = create;
  });
  after(async () => {
    explorer.dispose();
    language.dispose();
    await commands.executeCommand('workbench.action.closeAllEditors');
    await lab.close();
    assert.deepEqual(errors, []);
  });

  /** The controller, which also records its calls. */
  function listenedTo(real: TestController): TestController {
    const createProfile = real.createRunProfile.bind(real);
    const createRun = real.createTestRun.bind(real);
    real.createRunProfile = (label, ...rest) => {
      const profile = createProfile(label, ...rest);
      profiles.set(label, profile);
      return profile;
    };
    real.createTestRun = (...args) => {
      const run = createRun(...args);
      const { passed, failed, skipped, errored, end } = run;
      run.passed = (item, ms) => (told.push(`passed ${item.id}`), passed.call(run, item, ms));
      run.skipped = (item) => (told.push(`skipped ${item.id}: ${item.description}`), skipped.call(run, item));
      run.errored = (item, message) => (told.push(`errored ${item.id}`), errored.call(run, item, message));
      run.failed = (item, found, ms) => {
        told.push(`failed ${item.id}`);
        messages.push(...[found].flat());
        failed.call(run, item, found, ms);
      };
      run.end = () => (told.push('end'), end.call(run));
      return run;
    };
    return real;
  }

  const fileItem = (name = 'shop.entity.test.yaml'): TestItem | undefined =>
    controller.items.get(lab.uri(name).toString());
  const names = (item: TestItem | undefined): readonly string[] =>
    [...(item?.children ?? [])].map(([, { label }]) => label);

  async function run(
    profile: string,
    item: TestItem | undefined,
    source = new CancellationTokenSource(),
  ): Promise<void> {
    assert.ok(item);
    told.length = 0;
    messages.length = 0;
    await profiles.get(profile)?.runHandler(new TestRunRequest([item]), source.token);
  }

  it('appears once a folder has tests', () => {
    assert.deepEqual(ofExtension, ['entityGraph.tests']);
  });

  it('lists the tests of all files in the open folder', async () => {
    await waitFor('the tests are listed', () => fileItem() !== undefined && controller.items.size > 1);
    assert.deepEqual(names(fileItem()), ['an order', 'no order']);
    assert.equal(fileItem()?.children.get('no order')?.range?.start.line, 6);
  });

  it('shows expected against actual at the place of a failed test', async () => {
    await run('Run', fileItem());
    assert.deepEqual(told, ['passed an order', 'failed no order', 'end']);
    const [message] = messages;
    assert.deepEqual([message?.expectedOutput, message?.actualOutput], ['- { activity: Place Order }', '[]']);
    assert.equal(message?.location?.uri.toString(), lab.uri('shop.entity.test.yaml').toString());
    assert.equal(message.location.range.start.line, 7);
  });

  it('shows tests that need a server as skipped, with the reason', async () => {
    const sources = await lab.text('entity-sources.yaml');
    await writeFile(
      join(lab.folder, 'entity-sources.yaml'),
      `${sources}  db: { kind: mysql, host: 127.0.0.1, port: 1, databases: [d], user: u }\n`,
    );
    await writeFile(
      join(lab.folder, 'db.entity.yaml'),
      (await lab.text('shop.entity.yaml')).replace('dataSource: shop', 'dataSource: db'),
    );
    await writeFile(join(lab.folder, 'db.entity.test.yaml'), written.replace('shop.entity', 'db.entity'));
    await waitFor('the new file is listed', () => fileItem('db.entity.test.yaml') !== undefined);
    await run('Run', fileItem('db.entity.test.yaml')?.children.get('an order'));
    assert.equal(told.length, 2);
    assert.match(told[0] ?? '', /^skipped an order: Tests of graphs on MySQL run in the data source only/u);
    await run('Run Online', fileItem('db.entity.test.yaml')?.children.get('an order'));
    assert.equal(told.length, 2);
    assert.match(told[0] ?? '', /^skipped an order: .*127\.0\.0\.1:1/u);
    await rm(join(lab.folder, 'db.entity.test.yaml'));
    await waitFor('the deleted file is gone', () => fileItem('db.entity.test.yaml') === undefined);
  });

  it('ends a run that is cancelled, without a result', async () => {
    const source = new CancellationTokenSource();
    const running = run('Run', fileItem(), source);
    source.cancel();
    await running;
    assert.equal(told.at(-1), 'end');
    assert.ok(!told.some((each) => each.startsWith('passed') || each.startsWith('failed')));
  });

  it('Update Expected writes the actual results without saving, and the tests follow the edited text', async () => {
    await run('Update Expected', fileItem());
    const document = await workspace.openTextDocument(lab.uri('shop.entity.test.yaml'));
    assert.equal(document.getText(), written.replace(/(no order\n.*)\[\{ activity: Place Order \}\]/u, '$1[]'));
    assert.equal(document.isDirty, true);
    await run('Run', fileItem());
    assert.deepEqual(told, ['passed an order', 'passed no order', 'end']);
  });

  it('runs watched tests again after edits and changes on disk, until watching is turned off', async () => {
    const source = new CancellationTokenSource();
    const item = fileItem();
    const profile = profiles.get('Run');
    assert.ok(item && profile);
    /** A change may be reported twice; the last run counts. */
    const untilLast = (what: string, ...expected: readonly string[]): Promise<void> =>
      waitFor(
        what,
        () => isDeepStrictEqual(told.slice(-3), [...expected, 'end']),
        () => told,
      );
    const replaceIn = async (uri: Uri, old: string, text: string): Promise<void> => {
      const document = await workspace.openTextDocument(uri);
      const at = document.getText().indexOf(old);
      const edit = new WorkspaceEdit();
      edit.replace(uri, new Range(document.positionAt(at), document.positionAt(at + old.length)), text);
      told.length = 0;
      await workspace.applyEdit(edit);
    };
    told.length = 0;
    await profile.runHandler(new TestRunRequest([item], undefined, profile, true), source.token);
    await untilLast('the tests run at once', 'passed an order', 'passed no order');
    const uri = lab.uri('shop.entity.test.yaml');
    await replaceIn(uri, 'activity: Place Order', 'activity: Place No Order');
    await untilLast('they run after an edit', 'failed an order', 'passed no order');
    await replaceIn(uri, 'activity: Place No Order', 'activity: Place Order');
    await untilLast('they run after it is taken back', 'passed an order', 'passed no order');
    const graph = await lab.text('shop.entity.yaml');
    told.length = 0;
    await writeFile(
      join(lab.folder, 'shop.entity.yaml'),
      graph.replace('activityName: Place Order', 'activityName: Buy'),
    );
    await untilLast('they run after a change of the graph on the disk', 'failed an order', 'passed no order');
    told.length = 0;
    await writeFile(join(lab.folder, 'shop.entity.yaml'), graph);
    await untilLast('they run after the graph is as before', 'passed an order', 'passed no order');
    source.cancel();
    await replaceIn(uri, 'activity: Place Order', 'activity: Place Nothing');
    // Longer than the pause after which watched tests would run.
    told.length = 0;
    const other = fileItem('more.entity.test.yaml');
    assert.ok(other);
    const byHand = () => profile.runHandler(new TestRunRequest([other]), new CancellationTokenSource().token);
    await byHand();
    await byHand();
    const once = ['passed an order', 'failed no order', 'end'];
    assert.deepEqual(told, [...once, ...once]);
  });
});
