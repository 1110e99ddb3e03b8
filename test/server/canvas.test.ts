import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { WorkspaceEdit } from 'vscode-languageserver/node';
import type {
  CanvasLayout,
  ColumnView,
  DataObjectsView,
  IntentCheck,
  IntentEdits,
  JoinSuggestion,
} from '../../protocol/canvas-intents.ts';
import type { CanvasIntent } from '../../protocol/shapes/canvas-shapes.ts';
import type { GraphView, ProblemFix } from '../../protocol/graph-view.ts';
import type { LanguageNotifications } from '../../protocol/requests/notifications.ts';
import type { Outcome, ShowQueryResult, TestQueryResult } from '../../protocol/query-results.ts';
import { removeFolder } from '../support/temporary-folder.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type LspClient, startLspClient } from './lsp-client.ts';
import { type SampleFolder, copySampleFolder } from './sample-folder.ts';

describe('language server: canvas', () => {
  let sample: SampleFolder;
  let client: LspClient;
  let uri: string;
  let text: string;

  before(async () => {
    sample = await copySampleFolder('incidents');
    client = await startLspClient({ folder: sample.folder });
    text = await sample.text('incidents.entity.yaml');
    uri = await client.open(sample.path('incidents.entity.yaml'), text);
    await objects();
  });
  after(async () => {
    await client.close();
    await removeFolder(sample.folder);
  });

  const ask = <T>(method: string, params: object): Promise<T> =>
    client.connection.sendRequest(`entityGraph/${method}`, { uri, ...params });
  const objects = (): Promise<DataObjectsView> =>
    waitUntil('the data objects are known', async () => {
      const outcome = await ask<Outcome<DataObjectsView>>('dataObjects', {});
      return outcome.ok ? outcome.value : undefined;
    });

  it('sends the view with each change of a graph on a canvas, until the canvas is closed', async () => {
    const own = await startLspClient({ folder: sample.folder, initializationOptions: { extended: true } });
    try {
      const path = sample.path('incidents.entity.yaml');
      await own.open(path, text);
      const changed = (version: number) =>
        own.notification<LanguageNotifications['entityGraph/graphChanged']>(
          'entityGraph/graphChanged',
          (params) => params.uri === uri && params.version === version,
        );
      assert.equal((await changed(1)).view, undefined);
      const view: GraphView = await own.connection.sendRequest('entityGraph/graphView', { uri, follow: true });
      await own.edit(uri, 'name: Incident management', 'name: Incidents');
      assert.deepEqual((await changed(2)).view, { ...view, version: 2, name: 'Incidents' });
      // The last valid picture stays while the text cannot be read.
      await own.edit(uri, 'name: Incidents', 'name: [Incidents');
      assert.match((await changed(3)).view?.syntaxError?.message ?? '', /./);
      await own.edit(uri, 'name: [Incidents', 'name: Incident management');
      assert.deepEqual((await changed(4)).view, { ...view, version: 4 });
      await own.connection.sendNotification('entityGraph/unfollowGraph', { uri });
      await own.edit(uri, 'name: Incident management', 'name: Incidents');
      assert.deepEqual(await changed(5), { uri, version: 5 });
      // A reopened document is followed only on request.
      await own.connection.sendRequest('entityGraph/graphView', { uri, follow: true });
      await own.connection.sendNotification('textDocument/didClose', { textDocument: { uri } });
      await own.open(path, `${text}# again\n`);
      await own.edit(uri, '# again', '# once more');
      await own.notification<LanguageNotifications['entityGraph/graphChanged']>(
        'entityGraph/graphChanged',
        ({ version, view: itsView }) => version === 2 && itsView === undefined,
      );
    } finally {
      await own.close();
    }
  });

  it('sends the problems of entries after each change, and the edits of their quick fixes', async () => {
    const own = await startLspClient({ folder: sample.folder, initializationOptions: { extended: true } });
    try {
      await own.open(sample.path('incidents.entity.yaml'), text);
      await own.connection.sendRequest('entityGraph/graphView', { uri, follow: true });
      const noted = (problems: number) =>
        own.notification<Required<LanguageNotifications['entityGraph/graphChanged']>>(
          'entityGraph/graphChanged',
          ({ version, view }) =>
            version === 2 && view?.elements.flatMap((element) => element.problems ?? []).length === problems,
        );
      await own.edit(uri, 'startTimestamp: opened_at', 'startTimestamp: opened_a');
      const { view } = await noted(1);
      const [problem] = view.elements.flatMap((element) => element.problems ?? []);
      assert.equal(problem?.severity, 'error');
      assert.match(problem.message, /opened_a/);
      const { range } = problem;
      const address = { list: 'elements', entry: 'Open Incident', problem: problem.id } as const;
      const fixes: readonly ProblemFix[] = await own.connection.sendRequest('entityGraph/problemFixes', {
        ...{ uri, ...address },
      });
      const fix = fixes.find(({ title }) => title.includes('opened_at'));
      assert.ok(fix, JSON.stringify(fixes));
      const edits: Outcome<IntentEdits> = await own.connection.sendRequest('entityGraph/fixProblem', {
        ...{ uri, ...address, fix: fix.id },
      });
      assert.deepEqual(edits, { ok: true, value: { version: 2, edits: [{ range, newText: 'opened_at' }] } });
      const gone: Outcome<IntentEdits> = await own.connection.sendRequest('entityGraph/fixProblem', {
        ...{ uri, ...address, entry: 'Close Incident', fix: fix.id },
      });
      assert.equal(gone.ok, false);
    } finally {
      await own.close();
    }
  });

  it('renames an activity in the files of tests of the graph, on the canvas and in the text', async () => {
    const tests = `graph: GRAPH
tests:
  - name: Opened
    given: { incident_event_log: [{ number: a }] }
    expect: { eventsInclude: [{ activity: Open Incident }] }
`;
    const own = sample.path('checks/incidents.entity.test.yaml');
    await mkdir(dirname(own), { recursive: true });
    await writeFile(own, tests.replace('GRAPH', '../incidents.entity.yaml'));
    await writeFile(sample.path('other.entity.test.yaml'), tests.replace('GRAPH', 'trail.entity.yaml'));
    const at = { start: { line: 4, character: 42 }, end: { line: 4, character: 55 } };
    const expected = [{ range: at, newText: 'Report' }];
    const configure = { kind: 'configureElement', element: 'Open Incident' } as const;
    const intent: CanvasIntent = { ...configure, values: { activityName: 'Report' } };
    const edited = await ask<Outcome<IntentEdits>>('edit', { intent });
    assert.ok(edited.ok, JSON.stringify(edited));
    const others = new Map(edited.value.others?.map(({ uri: file, edits }) => [file, edits]));
    const beside = pathToFileURL(sample.path('incidents.entity.test.yaml')).href;
    assert.deepEqual([...others.keys()].sort(), [pathToFileURL(own).href, beside].sort());
    assert.deepEqual(others.get(pathToFileURL(own).href), expected);
    const line = text.split('\n').findIndex((each) => each.includes('activityName: Open Incident'));
    const position = { line, character: text.split('\n')[line]?.indexOf('Open') ?? 0 };
    const renamed: WorkspaceEdit = await client.connection.sendRequest('textDocument/rename', {
      ...{ textDocument: { uri }, position, newName: 'Report' },
    });
    const changes = (renamed.documentChanges ?? []).flatMap((each) =>
      'textDocument' in each ? [[each.textDocument.uri, each.edits] as const] : [],
    );
    const { [uri]: inGraph, ...inTests } = renamed.changes ?? Object.fromEntries(changes);
    assert.ok(inGraph);
    assert.deepEqual(inTests, Object.fromEntries(others));
    // Other edits of an element concern no other file.
    const changed: CanvasIntent = { ...configure, values: { changeTimestamp: 'sys_updated_at' } };
    const kept = await ask<Outcome<IntentEdits>>('edit', { intent: changed });
    assert.ok(kept.ok && kept.value.others === undefined);
  });

  it('lists data objects and columns', async () => {
    const { objects: found } = await objects();
    assert.deepEqual(
      found.map(({ name, kind }) => [name, kind]),
      [['incident_event_log', 'file']],
    );
    assert.ok((found[0]?.columnCount ?? 0) > 30);
    const columns = await ask<ColumnView[]>('columns', { values: { dataObject: 'incident_event_log' } });
    assert.equal(columns.find(({ name }) => name === 'opened_at')?.sense, 'timestamp');
    const joins = await ask<JoinSuggestion[]>('suggestJoins', { source: 'Open Incident', target: 'Close Incident' });
    assert.deepEqual(joins, []);
  });

  it('answers an intent with edits for the current version', async () => {
    const intent: CanvasIntent = {
      kind: 'configureElement',
      element: 'Open Incident',
      values: { changeTimestamp: 'resolved_at' },
    };
    const outcome = await ask<Outcome<IntentEdits>>('edit', { intent });
    assert.ok(outcome.ok, JSON.stringify(outcome));
    const { version, edits, select } = outcome.value;
    const view = await ask<GraphView>('graphView', {});
    assert.equal(version, view.version);
    assert.equal(select, 'element:Open Incident');
    assert.deepEqual(
      edits.map(({ newText }) => newText),
      ['\n    changeTimestamp: resolved_at'],
    );
    const refused = await ask<Outcome<IntentEdits>>('edit', { intent: { ...intent, element: 'Gone' } });
    assert.deepEqual(refused, {
      ok: false,
      error: { code: 'edit-refused', message: 'The element "Gone" is no longer in the file.' },
    });
  });

  it('validates a draft, and shows and runs its query before it is in the file', async () => {
    const draft: CanvasIntent = {
      kind: 'configureElement',
      element: 'Open Incident',
      values: { activityName: 'Take Incident', where: "incident_state = 'New'", startTimestamp: 'opened_a' },
    };
    const check = await ask<Outcome<IntentCheck>>('checkIntent', { intent: draft });
    assert.ok(check.ok);
    assert.deepEqual(
      check.value.problems.map(({ code, property }) => [code, property]),
      [['unknown-column', 'startTimestamp']],
    );
    const good = { ...draft, values: { ...draft.values, startTimestamp: 'opened_at' } };
    const target = { kind: 'element', name: 'Take Incident' };
    const shown = await ask<Outcome<ShowQueryResult>>('showQuery', { target, draft: good });
    assert.ok(shown.ok, JSON.stringify(shown));
    assert.match(shown.value.steps.find(({ role }) => role === 'core')?.text ?? '', /incident_state = 'New'/);
    const tested = await ask<Outcome<TestQueryResult>>('testQuery', { target, draft: good, limit: 3 });
    assert.ok(tested.ok, JSON.stringify(tested));
    assert.equal(tested.value.rows.length, 3);
    const broken = { ...good, values: { ...good.values, where: 'incident_state = nobody_knows' } };
    const failed = await ask<Outcome<TestQueryResult>>('testQuery', { target, draft: broken });
    assert.ok(!failed.ok);
    const { property, excerpt, range } = failed.error;
    assert.deepEqual([property, excerpt, range], ['where', 'nobody_knows', undefined]);
    assert.equal(
      (await ask<GraphView>('graphView', {})).elements.some(({ id }) => id === 'Take Incident'),
      false,
    );
  });

  it('stores positions where they are shared with colleagues', async () => {
    const layout: CanvasLayout = {
      elements: { 'Open Incident': { x: 10.4, y: 20 }, 'Close Incident': { x: 300, y: 1 } },
    };
    assert.deepEqual(await ask('saveLayout', { layout }), { ok: true, value: null });
    const file = join(sample.folder, '.entity-graph/layout/incidents.json');
    assert.equal(
      await readFile(file, 'utf8'),
      '{\n  "version": 1,\n  "elements": {\n    "Close Incident": {"x":300,"y":1},\n    "Open Incident": {"x":10,"y":20}\n  }\n}\n',
    );
    assert.match(await readFile(join(sample.folder, '.entity-graph/.gitignore'), 'utf8'), /!layout\//);
    assert.deepEqual(await ask('layout', {}), {
      elements: { 'Close Incident': { x: 300, y: 1 }, 'Open Incident': { x: 10, y: 20 } },
    });
    await ask('saveLayout', { layout: { elements: {} } });
    assert.deepEqual(await ask('layout', {}), { elements: {} });
  });
});
