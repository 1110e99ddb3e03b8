import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  CancellationTokenSource,
  type Disposable,
  type ExtensionContext,
  type LogOutputChannel,
  type TestController,
  type TestItem,
  type TestMessage,
  TestRunRequest,
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
  /** What runs told VS Code, in order. */
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

  /** The controller, which also notes what it is told. */
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

  it('is there once a folder has tests', () => {
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

  it('writes what came with Update Expected, unsaved, and follows the edited text', async () => {
    await run('Update Expected', fileItem());
    const document = await workspace.openTextDocument(lab.uri('shop.entity.test.yaml'));
    assert.equal(document.getText(), written.replace(/(no order\n.*)\[\{ activity: Place Order \}\]/u, '$1[]'));
    assert.equal(document.isDirty, true);
    await run('Run', fileItem());
    assert.deepEqual(told, ['passed an order', 'passed no order', 'end']);
  });
});
passed a secret without a host is bound after one question
passed another host is confirmed by name, and receives nothing without consent
passed environment variables require consent as well
passed Manage Allowed Hosts revokes deselected entries
passed an entered secret is bound to the named host
passed opening a graph offers consent without a modal dialog
passed are recomputed when the document has changed
passed are reported as failed when the document keeps changing
passed are applied one after another
passed report a refused edit, and continue with the next
passed Export Configuration writes YAML with its comments, and equivalent JSON
passed Export Configuration makes no second entity graph unless told so
passed Copy Configuration creates a file that differs in name only
passed Import Configuration asks once for files, reports on each, and never overwrites without consent
passed Import Configuration takes a folder, the selection of the Explorer, and dropped texts
passed New Entity writes an empty graph beside the sources file, and opens its canvas
passed New Entity generates a graph from chosen data objects
passed New Entity asks where two columns are equally good, and writes nothing when that is dismissed
passed New Entity offers an empty graph or a retry when the source cannot be read
passed New Entity reports a source without data objects, and offers an empty graph or another source
passed Find Data Object names sources that could not be searched, and opens them
passed New Entity from Data Object generates a graph beside its source
passed Add to Entity Graph adds an element of a data object
passed Reset restores the text of the last import, and undo reverts it
passed Export Event Graph writes a file or a folder, and names it
passed Export Event Graph asks whose events an event log has, where there are entities of several types
passed Delete removes file, state and graphs after a confirmation that names them
passed Test Connection reports a usable source
passed Set Secret stores the credentials of a source, Forget Secret deletes them
passed Test Connection tells its step while the source is slow, and can be cancelled
passed Refresh Data Source reads it again, and reveals it
passed Refresh Data Source of a collapsed row reads it at once
passed Go to Data Source opens its configuration
passed Preview Rows and Show Details ask for a data object
passed Copy Query copies the text of Show Query, Open Query in a New File opens it
passed Test Query asks for an element only when there are several
passed Cancel Import stops an import without any change
passed reports when it becomes visible and hidden
passed recognises its languages by file name
passed is activated by its languages
passed registers every declared command
passed shows a problem, and clears it when fixed
passed completes columns of the file
passed shows a hover
passed renames an activity and its uses as one undo step
passed offers a quick fix for a misspelt field
passed shows code lenses with commands for their element
passed shows the query of the element at the cursor as read-only SQL
passed opens the canvas in place and to the side, and the text again
passed imports
passed moves the state of its graphs, also of one modified since its import
passed starts waiting imports as soon as the setting allows more in parallel
passed at the end of an import
passed in the log
passed in the status bar
passed has the query first, and every step under its title, with the lines to fold
passed has requests under their own titles, one parameter a line
passed on line 1 is none
passed on line 2 is First
passed on line 4 is First
passed on line 5 is Second
passed on line 7 is Second
passed on line 8 is none
passed Create Record shows the request, which can be copied before it is sent
passed Change Record lists fields that the instance ignored
passed Change Record accepts display values
passed Delete Record sends nothing without confirmation, and reports a missing record
passed Change Many Records and Delete Many Records show the number of records, and list missing ones
passed Attachments of Record attaches, saves and deletes a file
passed Insert Rows into Staging Table shows the number of rows, and the result for each
passed Insert Rows into Staging Table reports an invalid file before anything is sent
passed Insert Rows into Staging Table resumes with the rows that were not sent
passed Insert Rows into Staging Table sends the rows of a query in bulk
passed Call Endpoint accepts a pasted path, and asks before it writes
passed is not shown for quick work
passed is shown for slow work, and cancels it
passed tells the latest step of the work, with the time that it has taken so far
passed is shown only after questions of the work are answered
passed a failure of the work is not treated as a cancellation
passed graphs, elements and relationships of the same name have separate documents
passed requests of a REST source are shown as HTTP, with the SQL that runs on the records
passed asks for another path when a file cannot be written
passed stops when the user cancels
passed asks for an import first
passed writes the chosen rules into the file, as one undo step
passed is there once a folder has tests
passed lists the tests of all files in the open folder
passed shows expected against actual at the place of a failed test
passed shows tests that need a server as skipped, with the reason
passed ends a run that is cancelled, without a result
passed writes what came with Update Expected, unsaved, and follows the edited text
passed asks what to mask and for a name, and adds tests to the file beside the graph
passed have a context value with the capabilities of their source
passed show a source whose objects are not known
passed show a source whose secret comes from the environment
passed show a source with objects
passed show a source with one object
passed show a source that could not be read
passed show a source that is being read again
passed show an object with rows and size
passed show an object with a size only
passed show an object of which nothing is known
passed show a source that nobody has read yet
passed show a source that cannot be read without a secret
passed show a source that cannot be reached
passed show a failure whose text begins with the name that the row above has
passed show a failure that needs the name
passed show files that are not there
passed show a refused password
passed show a refused login without a secret
passed show settings that cannot be used
passed show a workspace that is not trusted
passed show objects that may not be all
passed show a sources file that cannot be read
passed show a list that could not be read
passed have a rich tooltip, so that screen readers read label and description
passed open an invalid file at the position of the problem
passed show a graph that is not imported
passed show a graph whose text cannot be read
passed show an imported graph whose text cannot be read any more
passed show a graph without a data source
passed show an import that runs
passed notice changes of data files and sources files
passed is in English when VS Code is
passed contains translations without a relaxed content security policy
end 
