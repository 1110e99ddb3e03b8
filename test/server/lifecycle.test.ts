import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ColumnView, DataObjectsView, IntentEdits } from '../../protocol/canvas-intents.ts';
import type { GraphStatusView } from '../../protocol/requests/graph-requests.ts';
import type { DeletionView, EntitiesView, FileResult } from '../../protocol/requests/lifecycle-requests.ts';
import type { DataSourcesView } from '../../protocol/requests/source-requests.ts';
import type { DraftOutcome } from '../../protocol/first-draft.ts';
import type { ImportOutcome } from '../../protocol/import-progress.ts';
import { importSummary } from '../../server/src/cli/import-summary.ts';
import type { Outcome, TestQueryResult } from '../../protocol/query-results.ts';
import type { Diagnosis } from '../../protocol/diagnosis.ts';
import type { SourceKindView } from '../../protocol/source-kinds.ts';
import { sourceKindView } from '../../server/src/connectors/source-kind.ts';
import { sourceKinds } from '../../server/src/connectors/source-kinds.ts';
import { parseEntityGraph } from '../../server/src/model/parse-model.ts';
import { removeFolder } from '../support/temporary-folder.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type LspClient, startLspClient } from './lsp-client.ts';
import { type SampleFolder, copySampleFolder } from './sample-folder.ts';

describe('language server: lifecycle of entity graphs', () => {
  let sample: SampleFolder;
  let client: LspClient;
  let uri: string;
  let text: string;

  before(async () => {
    sample = await copySampleFolder('incidents');
    client = await startLspClient({ folder: sample.folder, initializationOptions: { extended: true } });
    text = await sample.text('incidents.entity.yaml');
    uri = address('incidents.entity.yaml');
  });
  after(async () => {
    await client.close();
    await removeFolder(sample.folder);
  });

  const ask = <T>(method: string, params: object): Promise<T> =>
    client.connection.sendRequest(`entityGraph/${method}`, params);
  const address = (name: string): string => pathToFileURL(sample.path(name)).href;
  const list = async () => {
    const { entities, unreadable } = await ask<EntitiesView>('entities', {});
    assert.deepEqual(unreadable, []);
    return entities.map((entity) => [basename(entity.uri), entity.name, entity.status, entity.modifiedSinceImport]);
  };

  it('lists graphs with their status, before and after an import', async () => {
    assert.deepEqual(await list(), [
      ['incidents.entity.yaml', 'Incident management', 'Not Imported', false],
      ['trail.entity.yaml', 'Incident trail', 'Not Imported', false],
    ]);
    const none = await ask<Outcome<{ text: string }>>('importedText', { uri });
    assert.ok(!none.ok && none.error.code === 'not-imported');
    const summary = importSummary(await ask<ImportOutcome>('import', { uri }));
    assert.equal(summary.status, 'imported', JSON.stringify(summary.error));
    await writeFile(sample.path('incidents.entity.yaml'), `${text}# changed\n`);
    assert.deepEqual((await list())[0], ['incidents.entity.yaml', 'Incident management', 'Imported', true]);
    const imported = await ask<Outcome<{ text: string }>>('importedText', { uri });
    assert.deepEqual(imported, { ok: true, value: { text } });
  });

  it('uses unsaved text for the status', async () => {
    const statusOf = async () => {
      const row = (await ask<EntitiesView>('entities', {})).entities.find((entity) => entity.uri === uri);
      const status = await ask<GraphStatusView>('status', { uri });
      return [row?.name, row?.modifiedSinceImport, status.modifiedSinceImport];
    };
    assert.equal(await client.open(sample.path('incidents.entity.yaml'), text), uri);
    assert.deepEqual(await statusOf(), ['Incident management', false, false]);
    await client.edit(uri, 'name: Incident management', 'name: Unsaved');
    assert.deepEqual(await statusOf(), ['Unsaved', true, true]);
    await client.edit(uri, 'name: Unsaved', 'name: Incident management');
    assert.deepEqual(await statusOf(), ['Incident management', false, false]);
    await client.edit(uri, 'name: Incident management', 'name: Unsaved');
    assert.deepEqual(await statusOf(), ['Unsaved', true, true]);
    await client.connection.sendNotification('textDocument/didClose', { textDocument: { uri } });
    // The file on disk counts again.
    assert.deepEqual(await statusOf(), ['Incident management', true, true]);
    await writeFile(sample.path('incidents.entity.yaml'), text);
    assert.deepEqual(await statusOf(), ['Incident management', false, false]);
    await writeFile(sample.path('incidents.entity.yaml'), `${text}# changed\n`);
  });

  it('explains why a graph cannot be imported, based on unsaved graph and sources text', async () => {
    const graph = sample.path('incidents.entity.yaml');
    const before = await readFile(graph, 'utf8');
    const problems = async () => {
      const row = (await ask<EntitiesView>('entities', {})).entities.find((entity) => entity.uri === uri);
      const status = await ask<GraphStatusView>('status', { uri });
      assert.deepEqual(status.problem, row?.problem);
      return row?.problem && [row.problem.code, row.problem.message, row.problem.range?.start.line];
    };
    const line = (part: string): number => text.slice(0, text.indexOf(part)).split('\n').length - 1;
    assert.equal(await problems(), undefined);
    await writeFile(graph, text.replace('dataSource: log', 'dataSource: lag'));
    const unknown = '"lag" is not a data source of entity-sources.yaml. Did you mean "log"?';
    assert.deepEqual(await problems(), ['unknown-data-source', unknown, line('dataSource:')]);
    await writeFile(graph, text.replace('dataSource: log\n', ''));
    assert.deepEqual(await problems(), ['unknown-data-source', 'The entity graph names no data source.', undefined]);
    await writeFile(graph, text);
    await client.open(graph, text);
    await client.edit(uri, 'name: Incident management', 'name: [Incident management');
    const at = line('name: Incident management');
    const open = `Line ${at + 1}: This "[" is never closed. Close it with "]", or write its entries on lines of their own.`;
    assert.deepEqual(await problems(), ['yaml-syntax', open, at]);
    await client.edit(uri, 'name: [Incident management', 'name: Incident management');
    assert.equal(await problems(), undefined);
    await client.connection.sendNotification('textDocument/didClose', { textDocument: { uri } });
    const sources = await sample.text('entity-sources.yaml');
    const sourcesUri = await client.open(sample.path('entity-sources.yaml'), sources);
    await client.edit(sourcesUri, '  log:', '  lag:');
    assert.deepEqual((await problems())?.[0], 'unknown-data-source');
    await client.connection.sendNotification('textDocument/didClose', { textDocument: { uri: sourcesUri } });
    assert.equal(await problems(), undefined);
    await writeFile(graph, before);
  });

  it('copies, exports and imports configurations, and never overwrites', async () => {
    const copy = await ask<Outcome<FileResult>>('copy', { uri, target: address('second.entity.yaml') });
    assert.ok(copy.ok && copy.value.action === 'created');
    const again = await ask<Outcome<FileResult>>('copy', { uri, target: address('second.entity.yaml') });
    assert.ok(!again.ok && again.error.code === 'file-exists');
    const target = address('out.json');
    const exported = await ask<Outcome<FileResult>>('exportConfiguration', { uri, target, format: 'json' });
    assert.ok(exported.ok);
    assert.equal((JSON.parse(await readFile(sample.path('out.json'), 'utf8')) as { version: number }).version, 1);
    const taken = await ask<Outcome<FileResult[]>>('importConfigurations', {
      files: [address('out.json'), address('missing.json')],
      folder: address(''),
    });
    assert.ok(taken.ok);
    assert.deepEqual(
      taken.value.map(({ action }) => action),
      ['imported', 'refused'],
    );
  });

  it('an exported configuration is byte-equal after import and export, with numbers of any length', async () => {
    const numbers = 'x-id: 12345678901234567890\nx-share: 0.12345678901234567890123\nx-price: 1.10\n';
    await writeFile(sample.path('numbers.entity.yaml'), `${text}${numbers}`);
    const exportAs = async (from: string, to: string, format: 'json' | 'yaml'): Promise<string> => {
      const params = { uri: address(from), target: address(to), format };
      const outcome = await ask<Outcome<FileResult>>('exportConfiguration', params);
      assert.ok(outcome.ok, JSON.stringify(outcome));
      return readFile(sample.path(to), 'utf8');
    };
    const first = await exportAs('numbers.entity.yaml', 'digits.json', 'json');
    const written = /"x-id": 12345678901234567890,\s+"x-share": 0\.12345678901234567890123,\s+"x-price": 1\.10\s/;
    assert.match(first, written);
    const files = [address('digits.json')];
    await ask<Outcome<FileResult[]>>('importConfigurations', { files, folder: address('') });
    assert.equal(await exportAs('digits.entity.json', 'digits-again.json', 'json'), first);
    assert.ok((await exportAs('digits.entity.json', 'digits.yaml', 'yaml')).endsWith(numbers));
    // JSON would turn it into null: refused, with the place; YAML keeps it.
    await writeFile(sample.path('numbers.entity.yaml'), `${text}${numbers}x-most: [.inf]\n`);
    const params = { uri: address('numbers.entity.yaml'), target: address('digits.json'), format: 'json' };
    const refused = await ask<Outcome<FileResult>>('exportConfiguration', params);
    assert.ok(!refused.ok);
    assert.deepEqual(
      [refused.error.code, refused.error.message, refused.error.range?.start],
      [
        'not-in-json',
        'numbers.entity.yaml has the number .inf, which JSON cannot say.',
        { line: text.split('\n').length - 1 + 3, character: 9 },
      ],
    );
    assert.equal(await readFile(sample.path('digits.json'), 'utf8'), first);
    assert.match(await exportAs('numbers.entity.yaml', 'digits.yaml', 'yaml'), /x-most: \[\.inf\]\n$/);
    for (const name of ['numbers.entity.yaml', 'digits.entity.json']) await rm(sample.path(name));
  });

  it('JSON export names an alias that cannot be expanded, and writes nothing', async () => {
    for (const [line, message] of [
      ['x-a: &a { x-b: *a }', /^"\*a" stands within "&a"/],
      ['x-a: *nowhere', /^"\*nowhere" refers to no anchor/],
    ] as const) {
      await writeFile(sample.path('aliases.entity.yaml'), `${text}${line}\n`);
      const params = { uri: address('aliases.entity.yaml'), target: address('aliases.json'), format: 'json' };
      const refused = await ask<Outcome<FileResult>>('exportConfiguration', params);
      assert.ok(!refused.ok);
      assert.equal(refused.error.code, 'yaml-syntax');
      assert.match(refused.error.message, message);
      await assert.rejects(readFile(sample.path('aliases.json')));
    }
    await rm(sample.path('aliases.entity.yaml'));
  });

  it('keeps the state of a graph renamed in the editor, also when modified', async () => {
    const [from, to] = [sample.path('incidents.entity.yaml'), sample.path('renamed.entity.yaml')];
    await rename(from, to);
    const files = [{ oldUri: pathToFileURL(from).href, newUri: pathToFileURL(to).href }];
    await client.connection.sendNotification('workspace/didRenameFiles', { files });
    await waitUntil('the state went along', async () =>
      (await list()).some(([file, , status]) => file === 'renamed.entity.yaml' && status === 'Imported')
        ? true
        : undefined,
    );
    await rename(to, from);
    const back = files.map(({ oldUri, newUri }) => ({ oldUri: newUri, newUri: oldUri }));
    await client.connection.sendNotification('workspace/didRenameFiles', { files: back });
    await waitUntil('it came back', async () =>
      (await list()).some(([file, , status]) => file === 'incidents.entity.yaml' && status === 'Imported')
        ? true
        : undefined,
    );
  });

  it('a graph renamed to the path of a deleted graph keeps its own state', async () => {
    const gone = sample.path('gone.entity.yaml');
    await writeFile(gone, text.replace('Incident management', 'Gone'));
    const imported = importSummary(await ask<ImportOutcome>('import', { uri: pathToFileURL(gone).href }));
    assert.equal(imported.status, 'imported', imported.error?.message);
    await rm(gone);
    const from = sample.path('incidents.entity.yaml');
    await rename(from, gone);
    const files = [{ oldUri: pathToFileURL(from).href, newUri: pathToFileURL(gone).href }];
    await client.connection.sendNotification('workspace/didRenameFiles', { files });
    await waitUntil('its own text is the imported one', async () => {
      const found = await ask<Outcome<{ text: string }>>('importedText', { uri: pathToFileURL(gone).href });
      return found.ok && found.value.text.includes('Incident management') ? true : undefined;
    });
    await rename(gone, from);
    const back = files.map(({ oldUri, newUri }) => ({ oldUri: newUri, newUri: oldUri }));
    await client.connection.sendNotification('workspace/didRenameFiles', { files: back });
    await waitUntil('it came back', async () =>
      (await list()).some(([file, , status]) => file === 'incidents.entity.yaml' && status === 'Imported')
        ? true
        : undefined,
    );
  });

  it('previews data objects, diagnoses and adds data sources', async () => {
    const sources = address('entity-sources.yaml');
    const rows = await ask<Outcome<TestQueryResult>>('previewObject', {
      uri: sources,
      dataSource: 'log',
      dataObject: 'incident_event_log',
    });
    assert.ok(rows.ok && rows.value.rows.length === 100 && rows.value.truncated, JSON.stringify(rows));
    assert.deepEqual([rows.value.marks, rows.value.warnings], [undefined, []]);
    const unknown = await ask<Outcome<TestQueryResult>>('previewObject', {
      uri: sources,
      dataSource: 'log',
      dataObject: 'incident_event_lo',
    });
    assert.ok(
      !unknown.ok && unknown.error.code === 'unknown-data-object' && /Refresh log/.test(unknown.error.remedy ?? ''),
    );
    const params = { uri: sources, name: 'more', settings: { kind: 'csv', path: 'data/*.csv' } };
    const added = await ask<Outcome<IntentEdits & { text: string }>>('addDataSource', params);
    assert.ok(added.ok);
    assert.match(added.value.text, /\n {2}more:\n {4}kind: csv\n {4}path: data\/\*\.csv\n/);
    assert.equal(added.value.edits.length, 1);
    const tried = await ask<Outcome<Diagnosis>>('diagnoseSource', {
      uri: sources,
      dataSource: 'more',
      draft: added.value.text,
    });
    assert.ok(tried.ok);
    assert.deepEqual(
      tried.value.checks.map(({ name, state }) => `${name} ${state}`),
      ['Settings ok', 'Data Objects ok', 'Rows ok'],
    );
    assert.doesNotMatch(await sample.text('entity-sources.yaml'), /more/);
    const taken = await ask<Outcome<unknown>>('addDataSource', { ...params, name: 'log' });
    assert.ok(!taken.ok && /log already/.test(taken.error.message));
  });

  it('lists source kinds with the questions of Add Data Source', async () => {
    const kinds = await ask<readonly SourceKindView[]>('sourceKinds', {});
    assert.deepEqual(kinds, sourceKinds().map(sourceKindView));
  });

  it('lists data sources, their objects and columns', async () => {
    const { sources, unreadable } = await ask<DataSourcesView>('allDataSources', {});
    assert.deepEqual(unreadable, []);
    assert.deepEqual(
      sources.map((source) => [basename(source.uri), source.name, source.kind, source.icon, source.abilities]),
      [['entity-sources.yaml', 'log', 'csv', 'files', []]],
    );
    const params = { uri: sources[0]?.uri, dataSource: 'log' };
    const objects = await ask<Outcome<DataObjectsView>>('sourceObjects', { ...params, refresh: true });
    assert.ok(objects.ok, JSON.stringify(objects));
    assert.deepEqual(
      objects.value.objects.map(({ name }) => name),
      ['incident_event_log'],
    );
    const counted = await ask<DataSourcesView>('allDataSources', {});
    assert.deepEqual(
      counted.sources.map(({ objectCount }) => objectCount),
      [1],
    );
    const columns = await ask<Outcome<ColumnView[]>>('sourceColumns', { ...params, dataObject: 'incident_event_log' });
    assert.ok(columns.ok && columns.value.some(({ name, sense }) => name === 'opened_at' && sense === 'timestamp'));
    const unknown = await ask<Outcome<DataObjectsView>>('sourceObjects', { ...params, dataSource: 'nope' });
    assert.ok(!unknown.ok && unknown.error.code === 'source-config');
  });

  it('explains why a source cannot be read, with a remedy', async () => {
    const sources = `version: 1
dataSources:
  gone: { kind: csv, path: "gone/*.csv" }
  down: { kind: postgresql, host: 127.0.0.1, port: 1, database: d, user: u }
  locked: { kind: postgresql, host: 127.0.0.1, port: 1, database: d, user: u, password: "\${secret:nobody-knows}" }
  nameless: { kind: postgresql, host: "\${env:NOBODY_SET_THIS}", database: d, user: u }
`;
    await mkdir(sample.path('hard'));
    await writeFile(sample.path('hard/entity-sources.yaml'), sources);
    const why = async (dataSource: string): Promise<readonly [code: string, message: string, hasRemedy: boolean]> => {
      const params = { uri: address('hard/entity-sources.yaml'), dataSource };
      const objects = await ask<Outcome<DataObjectsView>>('sourceObjects', params);
      assert.ok(!objects.ok);
      const { code, message, remedy } = objects.error;
      return [code, message, remedy !== undefined];
    };
    client.connection.onRequest('entityGraph/secret', () => ({ value: null }));
    const [gone, down, locked, nameless] = await Promise.all(['gone', 'down', 'locked', 'nameless'].map(why));
    const inFolder = `no file in ${sample.path('hard')} matches gone/*.csv.`;
    assert.deepEqual(gone, ['file-missing', `Data source gone: ${inFolder}`, true]);
    assert.deepEqual([down?.[0], down?.[2]], ['source-unreachable', true]);
    assert.match(down?.[1] ?? '', /^PostgreSQL cannot be reached at 127\.0\.0\.1:1/);
    assert.deepEqual(locked, ['catalog-unknown', 'The data objects of locked are not known yet.', false]);
    assert.deepEqual([nameless?.[0], nameless?.[2]], ['environment-variable-missing', true]);
    await rm(sample.path('hard'), { recursive: true });
  });

  it('finds the sources file of a graph', async () => {
    await mkdir(sample.path('nested'));
    await writeFile(sample.path('nested/entity-sources.yaml'), await sample.text('entity-sources.yaml'));
    await writeFile(sample.path('nested/same-name.entity.yaml'), text);
    const { entities } = await ask<EntitiesView>('entities', {});
    const holding = new Map(entities.map(({ uri: file, sourcesUri }) => [basename(file), sourcesUri]));
    assert.deepEqual(
      ['incidents.entity.yaml', 'same-name.entity.yaml'].map((name) => holding.get(name)),
      [address('entity-sources.yaml'), address('nested/entity-sources.yaml')],
    );
    await rm(sample.path('nested'), { recursive: true });
  });

  it('names unreadable files', async () => {
    await mkdir(sample.path('broken'));
    await symlink(sample.path('broken'), sample.path('folder.entity.yaml'));
    await symlink(sample.path('nowhere'), sample.path('broken/entity-sources.yaml'));
    await writeFile(
      sample.path('broken/entity-sources.yml'),
      'dataSources:\n  one: { kind: csv, path: "*.csv" }\n  two: [\n',
    );
    const listed = await ask<EntitiesView>('entities', {});
    assert.deepEqual(
      [listed.entities.length > 0, listed.unreadable.map(({ uri: file, error }) => [basename(file), error.code])],
      [true, [['folder.entity.yaml', 'file-missing']]],
    );
    assert.match(listed.unreadable[0]?.error.message ?? '', /^Cannot read .*folder\.entity\.yaml: it is a folder\.$/);
    const { sources, unreadable } = await ask<DataSourcesView>('allDataSources', {});
    // The readable parts of a file with a mistake are there.
    assert.deepEqual(sources.map(({ name }) => name).sort(), ['log', 'one', 'two']);
    const found = unreadable.map(({ uri: file, error }) => [basename(file), error.code, error.range?.start.line]);
    assert.deepEqual(found.sort(), [
      ['entity-sources.yaml', 'file-missing', undefined],
      ['entity-sources.yml', 'yaml-syntax', 2],
    ]);
    for (const path of ['folder.entity.yaml', 'broken']) await rm(sample.path(path), { recursive: true });
  });

  it('generates a first graph for a source', async () => {
    const target = address('drafted.entity.yaml');
    const name = 'Drafted: "log"';
    const made = await ask<Outcome<unknown>>('newGraph', { target, dataSource: 'log', name });
    assert.ok(made.ok, JSON.stringify(made));
    const { graph, problems } = parseEntityGraph(await readFile(sample.path('drafted.entity.yaml'), 'utf8'));
    assert.deepEqual(
      [problems, graph.name?.value, graph.dataSource?.value, graph.elements.map((each) => each.dataObject?.value)],
      [[], name, 'log', ['incident_event_log']],
    );
    const unnamed = address('unnamed.entity.yaml');
    assert.ok((await ask<Outcome<unknown>>('newGraph', { target: unnamed, dataSource: 'log' })).ok);
    assert.match(await readFile(sample.path('unnamed.entity.yaml'), 'utf8'), /^name: log$/m);
    const asked = address('asked.entity.yaml');
    const answered = await ask<Outcome<DraftOutcome>>('newGraph', { target: asked, dataSource: 'log', answers: [] });
    assert.ok(answered.ok && answered.value.kind === 'written', 'no column is as good as the chosen one: no question');
    assert.deepEqual(
      answered.value.chosen.slice(0, 3).map(({ role, columns }) => [role, ...columns]),
      [
        ['case', 'number'],
        ['activity', 'incident_state'],
        ['time', 'sys_updated_at'],
      ],
    );
    const unknown = await ask<Outcome<unknown>>('newGraph', { target: address('x.entity.yaml'), dataSource: 'nope' });
    assert.ok(!unknown.ok && unknown.error.code === 'source-config');
  });

  it('deletes a graph with its state, and lists both beforehand', async () => {
    const removed = await ask<Outcome<DeletionView>>('previewDelete', { uri });
    assert.ok(removed.ok);
    const { paths, inSources } = removed.value;
    assert.deepEqual([paths.length, inSources], [3, []]);
    const gone = await ask<Outcome<FileResult[]>>('delete', { uri });
    assert.ok(gone.ok, JSON.stringify(gone));
    assert.ok(paths.every((path) => !existsSync(path)));
  });
});
