import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ExportFormatName, ExportedGraph } from '../../protocol/event-graph.ts';
import type { ImportPlanView } from '../../protocol/import-plan.ts';
import type { ImportOutcome, ImportProgress } from '../../protocol/import-progress.ts';
import { importSummary } from '../../server/src/cli/import-summary.ts';
import type { ImportRequest } from '../../protocol/import-request.ts';
import type { GraphStatusView } from '../../protocol/requests/graph-requests.ts';
import type { QueryTargetView } from '../../protocol/requests/query-requests.ts';
import type { GraphView } from '../../protocol/graph-view.ts';
import type { Outcome, ShowQueryResult, TestQueryResult } from '../../protocol/query-results.ts';
import { CancellationToken, CancellationTokenSource } from 'vscode-languageserver-protocol/node';
import { removeFolder } from '../support/temporary-folder.ts';
import { type LspClient, startLspClient } from './lsp-client.ts';
import { type SampleFolder, copySampleFolder } from './sample-folder.ts';

describe('language server: queries and imports', () => {
  let sample: SampleFolder;
  let client: LspClient;
  let uri: string;

  beforeEach(async () => {
    sample = await copySampleFolder('incidents');
    client = await startLspClient({ folder: sample.folder, initializationOptions: { trusted: true, extended: true } });
    uri = await client.open(sample.path('incidents.entity.yaml'), await sample.text('incidents.entity.yaml'));
  });
  afterEach(async () => {
    await client.close();
    await removeFolder(sample.folder);
  });

  it('lists elements and relationships in file order', async () => {
    const targets: QueryTargetView[] = await client.connection.sendRequest('entityGraph/queryTargets', { uri });
    assert.deepEqual(
      targets.map(({ target, description }) => [target.kind, target.name, description]),
      [
        ['element', 'Update Incident', 'incident_event_log'],
        ['element', 'Open Incident', 'incident_event_log'],
        ['element', 'Resolve Incident', 'incident_event_log'],
        ['element', 'Close Incident', 'incident_event_log'],
        ['element', 'Contact Service Desk', 'incident_event_log'],
        ['relationship', 'reports', 'Contact Service Desk → Open Incident'],
      ],
    );
  });

  it('shows the executed query', async () => {
    const target = { kind: 'element', name: 'Open Incident' };
    const shown: Outcome<ShowQueryResult> = await client.connection.sendRequest('entityGraph/showQuery', {
      uri,
      target,
    });
    assert.ok(shown.ok, JSON.stringify(shown));
    const core = shown.value.steps.filter(({ role }) => role === 'core');
    assert.equal(core.length, 1);
    assert.match(core[0]?.text ?? '', /^SELECT[\s\S]*"opened_at"[\s\S]*FROM[\s\S]*"incident_event_log"/);
  });

  it('shows every statement of an import under the step names of its report', async () => {
    const planned: Outcome<ImportPlanView> = await client.connection.sendRequest('entityGraph/importPlan', { uri });
    assert.ok(planned.ok, JSON.stringify(planned));
    const { engine, steps } = planned.value;
    assert.equal(engine, 'embedded');
    const summary = importSummary(await client.connection.sendRequest<ImportOutcome>('entityGraph/import', { uri }));
    assert.deepEqual(
      steps.map(({ name }) => name),
      summary.steps?.map(({ name }) => name),
    );
    assert.deepEqual(
      summary.steps
        ?.filter(({ name }) => ['element_2', 'coded_event', 'directly_follows'].includes(name))
        .map(({ rows }) => rows),
      [summary.elements[1]?.rows, summary.totals.events, summary.totals.directlyFollows],
    );
    const event = steps.find(({ name }) => name === 'coded_event');
    assert.match(event?.parts[0]?.text ?? '', /^CREATE TABLE graph\.entity_graph_storage\.coded_event AS/);
  });

  it('runs a query of the unsaved text with the requested number of rows', async () => {
    await client.edit(uri, 'properties: [number, caller_id,', 'properties: [number, priority, caller_id,');
    const target = { kind: 'element', name: 'Open Incident' };
    const tested: Outcome<TestQueryResult> = await client.connection.sendRequest('entityGraph/testQuery', {
      ...{ uri, target, limit: 3 },
    });
    assert.ok(tested.ok, JSON.stringify(tested));
    assert.equal(tested.value.rows.length, 3);
    assert.equal(tested.value.truncated, true);
    assert.ok(tested.value.columns.some(({ name }) => name === 'priority'));
  });

  it('takes the number of rows from the settings', async () => {
    const configured = await startLspClient({
      folder: sample.folder,
      capabilities: { workspace: { configuration: true } },
      answers: { 'workspace/configuration': () => [{ previewRows: 7, queryTimeout: 30 }] },
    });
    try {
      const target = { kind: 'element', name: 'Open Incident' };
      const tested: Outcome<TestQueryResult> = await configured.connection.sendRequest('entityGraph/testQuery', {
        ...{ uri, target },
      });
      assert.equal(tested.ok && tested.value.rows.length, 7);
    } finally {
      await configured.close();
    }
  });

  it('maps an SQL error to its YAML position', async () => {
    await client.edit(uri, "incident_state = 'Closed'", "incident_stat = 'Closed'");
    const target = { kind: 'element', name: 'Open Incident' };
    const tested: Outcome<TestQueryResult> = await client.connection.sendRequest('entityGraph/testQuery', {
      uri,
      target,
    });
    assert.equal(tested.ok, false);
    if (tested.ok) return;
    assert.match(tested.error.message, /incident_stat/);
    assert.equal(tested.error.file, sample.path('incidents.entity.yaml'));
    assert.ok(tested.error.range);
    const { sql = '', place } = tested.error.query ?? {};
    assert.match(sql, /^SELECT[\s\S]*FROM "incident_event_log"/);
    assert.equal(sql.slice(place?.start, place?.end), 'incident_stat');
  });

  it('marks texts that cannot be read as times', async () => {
    await client.edit(uri, 'startTimestamp: opened_at', 'startTimestamp: number');
    const tested: Outcome<TestQueryResult> = await client.connection.sendRequest('entityGraph/testQuery', {
      ...{ uri, target: { kind: 'element', name: 'Open Incident' }, limit: 2 },
    });
    assert.ok(tested.ok, JSON.stringify(tested));
    const column = tested.value.columns.findIndex(({ name }) => name === 'number');
    assert.deepEqual(
      tested.value.marks?.map(({ row, column: place, severity, message }) => [row, place, severity, message]),
      [0, 1].map((row) => {
        const text = String(tested.value.rows[row]?.[column]);
        return [row, column, 'error', `"${text}" is not a readable time: an import stops here.`];
      }),
    );
    assert.deepEqual(tested.value.warnings, ['2 values are not readable times.']);
  });

  it('rejects an unknown name with a message', async () => {
    const target = { kind: 'element', name: 'Nothing' };
    const tested: Outcome<TestQueryResult> = await client.connection.sendRequest('entityGraph/testQuery', {
      uri,
      target,
    });
    assert.equal(!tested.ok && tested.error.code, 'unknown-activity');
  });

  it('returns the graph view, and announces changes', async () => {
    const view: GraphView = await client.connection.sendRequest('entityGraph/graphView', { uri });
    assert.deepEqual(
      [view.uri, view.version, view.name, view.dataSource, view.elements.length, view.relationships.length],
      [uri, 1, 'Incident management', 'log', 5, 1],
    );
    await client.edit(uri, 'name: Incident management', 'name: Incidents');
    await client.notification<{ uri: string; version: number }>(
      'entityGraph/graphChanged',
      (changed) => changed.uri === uri && changed.version === 2,
    );
    const changed: GraphView = await client.connection.sendRequest('entityGraph/graphView', { uri });
    assert.deepEqual([changed.version, changed.name], [2, 'Incidents']);
  });

  it('refreshes a source and counts its data objects', async () => {
    const outcome = await client.connection.sendRequest('entityGraph/refreshCatalog', { uri });
    assert.deepEqual(outcome, { ok: true, value: { objects: 1 } });
  });

  it('imports in a separate process with progress, and records the run', async () => {
    const statusBefore: GraphStatusView = await client.connection.sendRequest('entityGraph/status', { uri });
    assert.equal(statusBefore.status, 'Not Imported');
    const summary = importSummary(await client.connection.sendRequest<ImportOutcome>('entityGraph/import', { uri }));
    assert.equal(summary.status, 'imported', summary.error?.message);
    assert.ok(summary.store && existsSync(summary.store));
    assert.ok(summary.totals.events > 0);
    await client.notification<{ uri: string; progress: ImportProgress }>(
      'entityGraph/importProgress',
      ({ uri: of, progress }) => of === uri && progress.step === 'data pull',
    );
    await client.notification<{ uri: string; progress: ImportProgress }>(
      'entityGraph/importProgress',
      ({ progress }) => progress.step === 'Import Done',
    );
    const status: GraphStatusView = await client.connection.sendRequest('entityGraph/status', { uri });
    assert.deepEqual([status.status, status.progress, status.modifiedSinceImport], ['Imported', 'Import Done', false]);
  });

  it('imports changes only, or everything on request', async () => {
    const unchanged = async (params: { request?: ImportRequest }): Promise<number> => {
      const { steps, status } = importSummary(
        await client.connection.sendRequest<ImportOutcome>('entityGraph/import', {
          uri,
          ...params,
        }),
      );
      assert.equal(status, 'imported');
      return (steps ?? []).filter(({ isUnchanged }) => isUnchanged).length;
    };
    assert.equal(await unchanged({}), 0);
    assert.ok((await unchanged({})) > 0);
    assert.equal(await unchanged({ request: { kind: 'build', isFull: true } }), 0);
  });

  it('exports the event graph to files, also while it is being viewed, and explains failures', async () => {
    const exportAs = (
      form: ExportFormatName,
      name: string,
      token?: CancellationToken,
      more: { readonly entityType?: string } = {},
    ): Promise<Outcome<ExportedGraph>> =>
      client.connection.sendRequest(
        'entityGraph/exportGraph',
        { uri, form, output: pathToFileURL(sample.path(name)).href, ...more },
        token ?? CancellationToken.None,
      );
    const early = await exportAs('parquet', 'out');
    assert.equal(early.ok ? '' : early.error.code, 'not-imported');
    const { totals } = importSummary(await client.connection.sendRequest<ImportOutcome>('entityGraph/import', { uri }));
    const asked = { uri, question: 'overview', params: {} };
    const before: Outcome<unknown> = await client.connection.sendRequest('entityGraph/eventGraph', asked);
    assert.ok(before.ok);
    const cancellation = new CancellationTokenSource();
    const cancelled = exportAs('ocel-json', 'cancelled.json', cancellation.token);
    cancellation.cancel();
    assert.equal(await cancelled.then((outcome) => outcome.ok), false);
    const [one, several] = await Promise.all([exportAs('ocel-json', 'log.json'), exportAs('csv', 'tables')]);
    assert.deepEqual(one, { ok: true, value: { files: [sample.path('log.json')], notes: [] } });
    const log = JSON.parse(await readFile(sample.path('log.json'), 'utf8')) as { events: unknown[] };
    assert.equal(log.events.length, totals.events);
    assert.ok(
      several.ok && several.value.files.includes(join(sample.path('tables'), 'event.csv')),
      JSON.stringify(several),
    );
    assert.deepEqual(
      (await readdir(sample.folder)).filter((name) => name.startsWith('.entity-graph-') || name === 'cancelled.json'),
      [],
    );
    const ofType = (entityType: string): Promise<Outcome<ExportedGraph>> =>
      exportAs('xes', 'log.xes', undefined, { entityType });
    assert.deepEqual(await ofType('incident'), { ok: true, value: { files: [sample.path('log.xes')], notes: [] } });
    const unknown = await ofType('incidents');
    assert.equal(unknown.ok ? '' : unknown.error.code, 'entity-type-unknown');
    await mkdir(sample.path('taken.json'));
    const refused = await exportAs('ocel-json', 'taken.json');
    assert.equal(refused.ok, false);
  });

  it('cancels the layout of a map that is no longer needed, and answers the next request', async () => {
    const lines = ['id,at,activity'];
    for (let index = 0; index < 12_000; index += 1) {
      const day = new Date(Date.UTC(2024, 0, 1) + index * 60_000).toISOString();
      const at = `${day.slice(8, 10)}-${day.slice(5, 7)}-${day.slice(0, 4)} ${day.slice(11, 16)}`;
      lines.push(`${index % 60},${at},A${(index * 7919 + (index >> 6)) % 97}`);
    }
    await writeFile(sample.path('data/steps.csv'), lines.join('\n'));
    const path = sample.path('steps.entity.yaml');
    const graph = `version: 1\nname: Steps\ndataSource: log\nelements:\n  - { activityName: Step, dataObject: steps, key: id, startTimestamp: at, activityColumn: activity }\n`;
    await writeFile(path, graph);
    const steps = await client.open(path, graph);
    const summary = importSummary(
      await client.connection.sendRequest<ImportOutcome>('entityGraph/import', { uri: steps }),
    );
    assert.equal(summary.status, 'imported', summary.error?.message);
    const ask = (question: string, params: unknown, token = CancellationToken.None): Promise<Outcome<unknown>> =>
      client.connection.sendRequest('entityGraph/eventGraph', { uri: steps, question, params }, token);
    const cancellation = new CancellationTokenSource();
    const large = ask('map', { filter: {}, activities: 1, paths: 1 }, cancellation.token);
    // While ELK works, other requests are answered.
    assert.equal((await ask('overview', {})).ok, true);
    cancellation.cancel();
    const outcome = await large;
    assert.equal(outcome.ok ? '' : outcome.error.code, 'cancelled');
    const small = await ask('map', { filter: {}, activities: 0.1, paths: 0.1 });
    assert.ok(small.ok, JSON.stringify(small));
  });

  it('a cancelled import leaves no graph', async () => {
    const cancellation = new CancellationTokenSource();
    const running = client.connection.sendRequest<ImportOutcome>('entityGraph/import', { uri }, cancellation.token);
    await client.notification('entityGraph/importProgress', () => true);
    cancellation.cancel();
    assert.equal((await running).status, 'cancelled');
    const status: GraphStatusView = await client.connection.sendRequest('entityGraph/status', { uri });
    assert.deepEqual([status.status, status.imported], ['Not Imported', null]);
  });

  it('reports phase and cause of a failed import', async () => {
    await writeFile(sample.path('data/incident_event_log.csv'), Buffer.from([0, 1, 2, 3, 0, 255]));
    const summary = importSummary(await client.connection.sendRequest<ImportOutcome>('entityGraph/import', { uri }));
    assert.equal(summary.status, 'failed');
    assert.ok(summary.failedStep);
    assert.match(summary.error?.message ?? '', /incident_event_log\.csv/);
  });
});
