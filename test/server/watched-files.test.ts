import assert from 'node:assert/strict';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FileChangeType } from 'vscode-languageserver-protocol/node';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';
import { waitUntil } from '../support/wait-until.ts';
import { messageOf } from './lsp-client.ts';
import { type WatchingClient, startWatchingClient } from './watching-client.ts';

const sourcesWith = (source: string): string => `version: 1\ndataSources:\n  log: ${source}\n`;
/** Its key is a column that the data does not have yet. */
const graph = `version: 1
dataSource: log
dataObjects: [orders]
elements:
  - activityName: Place Order
    dataObject: orders
    key: number
    startTimestamp: placed_at
`;
const csvRows = (key: string): string => `${key},placed_at\n1,2024-01-01 10:00:00\n2,2024-01-02 10:00:00\n`;
const jsonRows = (key: string): string => JSON.stringify([{ [key]: 1, placed_at: '2024-01-01T10:00:00Z' }]);
const openApi = (key: string): string => {
  const properties = { [key]: { type: 'integer' }, placed_at: { type: 'string', format: 'date-time' } };
  const schema = { type: 'array', items: { type: 'object', properties } };
  const responses = { 200: { content: { 'application/json': { schema } } } };
  return JSON.stringify({ openapi: '3.0.0', paths: { '/orders': { get: { operationId: 'orders', responses } } } });
};
/** The columns are in another file than the paths. */
const inParts = (part: string): string =>
  openApi('id').replace(/\{"type":"object","properties":.*?\}\}\}/, `{"$ref":"${part}#/Order"}`);
const ordersPart = (key: string): string =>
  `Order: { properties: { ${key}: { type: integer }, placed_at: { type: string, format: date-time } } }`;
const rest = '{ kind: rest, baseUrl: "http://127.0.0.1:1", openapi: FILE }';

/** One row per kind of file: the source, the file's place (beside the parent of the open folder), and its content. */
const files: readonly (readonly [what: string, source: string, file: string, text: (key: string) => string])[] = [
  ['a JSON file of a glob', '{ kind: csv, path: "data/*.json" }', 'work/data/orders.json', jsonRows],
  ['a file of any other name', '{ kind: csv, path: [data/orders.log] }', 'work/data/orders.log', csvRows],
  ['an OpenAPI document', rest.replace('FILE', 'api/openapi.json'), 'work/api/openapi.json', openApi],
];
/** The same, outside of the open folder. */
const filesOutside: typeof files = [
  ['a CSV file outside', '{ kind: csv, path: ../shared/orders.csv }', 'shared/orders.csv', csvRows],
  ['JSON files outside', '{ kind: csv, path: "../shared/**/*.json" }', 'shared/of/2024/orders.json', jsonRows],
  ['an OpenAPI document outside', rest.replace('FILE', '../openapi.json'), 'openapi.json', openApi],
];

describe('language server: file watchers', () => {
  let top: string;
  let client: WatchingClient | undefined;

  beforeEach(async () => (top = await folderWith({ 'work/.keep': '' })));
  afterEach(async () => {
    await client?.close();
    client = undefined;
    await removeFolder(top);
  });

  const path = (name: string): string => join(top, name);
  const sources = (): string => path('work/entity-sources.yaml');
  async function write(name: string, text: string): Promise<void> {
    await mkdir(join(path(name), '..'), { recursive: true });
    await writeFile(path(name), text);
  }

  async function start(anywhere: boolean, trusted = true): Promise<WatchingClient> {
    client = await startWatchingClient({ folder: path('work'), anywhere, trusted });
    return client;
  }

  const openGraph = (watching: WatchingClient, name = 'work/orders.entity.yaml'): Promise<string> =>
    watching.open(path(name), graph);

  /** Waits, because an earlier problem of the same file may still be the last one that was published. */
  async function isUnknown(watching: WatchingClient, uri: string): Promise<void> {
    const found = await watching.diagnostics(uri, (diagnostics) =>
      diagnostics.some(({ code }) => code === 'unknown-column'),
    );
    assert.deepEqual(
      found.map(({ code }) => code),
      ['unknown-column'],
      messageOf(found[0]),
    );
  }

  for (const anywhere of [true, false]) {
    const editors = anywhere ? 'editors that watch any folder' : 'editors that watch their own folders';
    for (const [what, source, file, text] of anywhere ? [...files, ...filesOutside] : files.slice(0, 1)) {
      it(`${what} is read again when it changes, in ${editors}`, async () => {
        await write(file, text('id'));
        await writeFile(sources(), sourcesWith(source));
        const watching = await start(anywhere);
        const uri = await openGraph(watching);
        await isUnknown(watching, uri);
        await write(file, text('number'));
        await watching.tell(path(file), FileChangeType.Changed);
        await watching.diagnostics(uri, (found) => found.length === 0);
      });
    }
  }

  it('a file referenced by an OpenAPI document is read again when it is created, changed or replaced', async () => {
    await write('work/api/openapi.json', inParts('parts/orders.yaml'));
    const sourcesText = sourcesWith(rest.replace('FILE', 'api/openapi.json'));
    await writeFile(sources(), sourcesText);
    const watching = await start(true);
    const uri = await openGraph(watching);
    const sourcesUri = await watching.open(sources(), sourcesText);
    const [missing] = await watching.diagnostics(sourcesUri, (found) => found.length > 0);
    assert.equal(missing?.code, 'source-incomplete');
    assert.match(messageOf(missing), /refers to parts\/orders\.yaml#\/Order, which is left out/);
    const steps: readonly (readonly [file: string, text: string])[] = [
      ['work/api/parts/orders.yaml', `Order: { $ref: ../all.yaml#/Order }`],
      ['work/api/all.yaml', ordersPart('id')],
      ['work/api/all.yaml', ordersPart('number')],
    ];
    for (const [index, [file, text]] of steps.entries()) {
      await write(file, text);
      await watching.tell(path(file), index === 2 ? FileChangeType.Changed : FileChangeType.Created);
      if (index === 1) await watching.diagnostics(sourcesUri, (found) => found.length === 0);
      if (index === 1) await isUnknown(watching, uri);
    }
    await watching.diagnostics(uri, (found) => found.length === 0);
  });

  it('a deleted data folder removes its files, and a restored one adds them', async () => {
    await write('work/raw/data/orders.json', jsonRows('number'));
    await writeFile(sources(), sourcesWith('{ kind: csv, path: "raw/data/*.json" }'));
    const watching = await start(true);
    const uri = await openGraph(watching);
    await watching.diagnostics(uri, (found) => found.length === 0);
    await rename(path('work/raw'), path('elsewhere'));
    await watching.tell(path('work/raw'), FileChangeType.Deleted);
    const [missing] = await watching.diagnostics(uri, (found) => found.length > 0);
    assert.equal(missing?.code, 'catalog-unknown');
    // The place is linked, and has a problem of its own.
    const at = { start: { line: 2, character: 26 }, end: { line: 2, character: 43 } };
    assert.deepEqual(
      missing.relatedInformation?.map(({ location }) => [
        location.uri.endsWith('/entity-sources.yaml'),
        location.range,
      ]),
      [[true, at]],
    );
    const sourcesText = sourcesWith('{ kind: csv, path: "raw/data/*.json" }');
    const sourcesUri = await watching.open(sources(), sourcesText);
    const [unmatched] = await watching.diagnostics(sourcesUri, (found) => found.length > 0);
    assert.deepEqual([unmatched?.code, unmatched?.range], ['source-incomplete', at]);
    assert.match(messageOf(unmatched), /matches raw\/data\/\*\.json\. Correct path in the data sources file/);
    await rename(path('elsewhere'), path('work/raw'));
    await watching.tell(path('work/raw'), FileChangeType.Created);
    await watching.diagnostics(uri, (found) => found.length === 0);
    await watching.diagnostics(sourcesUri, (found) => found.length === 0);
  });

  for (const glob of ['data/**/*.json', 'data/*/20??/*.json', '**/orders.json']) {
    for (const gone of ['work/data/north', 'work/data/north/2024']) {
      it(`a deleted ${gone}, matched by wildcards, removes its files, and a restored one adds them: ${glob}`, async () => {
        await write('work/data/north/2024/orders.json', jsonRows('number'));
        await writeFile(sources(), sourcesWith(`{ kind: csv, path: "${glob}" }`));
        const watching = await start(true);
        const uri = await openGraph(watching);
        await watching.diagnostics(uri, (found) => found.length === 0);
        await rename(path(gone), path('elsewhere'));
        await watching.tell(path(gone), FileChangeType.Deleted);
        const [missing] = await watching.diagnostics(uri, (found) => found.length > 0);
        assert.equal(missing?.code, 'catalog-unknown');
        await rename(path('elsewhere'), path(gone));
        await watching.tell(path(gone), FileChangeType.Created);
        await watching.diagnostics(uri, (found) => found.length === 0);
      });
    }
  }

  for (const name of ['entity-sources.yaml', 'entity-sources.yml', 'entity-sources.json']) {
    it(`${name} of a graph outside the open folder is watched for creation, change and deletion`, async () => {
      await write('other/.git/HEAD', '');
      await write('other/orders.csv', csvRows('number'));
      const watching = await start(true);
      const uri = await openGraph(watching, 'other/graphs/orders.entity.yaml');
      const file = path(`other/${name}`);
      const wrong = (source: string): string =>
        JSON.stringify({ version: 1, dataSources: { [source]: { kind: 'csv', path: '*.csv' } } });
      await writeFile(file, wrong('log'));
      await watching.tell(file, FileChangeType.Created);
      // Its data is watched from now on, too.
      await watching.tell(path('other/orders.csv'), FileChangeType.Changed);
      await writeFile(file, wrong('other'));
      await watching.tell(file, FileChangeType.Changed);
      const [unknown] = await watching.diagnostics(uri, (found) => found.length > 0);
      assert.equal(unknown?.code, 'unknown-data-source');
      await rm(file);
      await watching.tell(file, FileChangeType.Deleted);
      await watching.diagnostics(uri, (found) => found.every(({ code }) => code !== 'unknown-data-source'));
    });
  }

  it('changes made while no graph was open are read when one is opened', async () => {
    for (const [file, source, text] of [
      ['work/orders.json', '{ kind: csv, path: "*.json" }', jsonRows],
      ['work/openapi.json', rest.replace('FILE', 'openapi.json'), openApi],
    ] as const) {
      await write(file, text('id'));
      await writeFile(sources(), sourcesWith(source));
      const watching = await start(true);
      const uri = await openGraph(watching);
      await isUnknown(watching, uri);
      await watching.connection.sendNotification('textDocument/didClose', { textDocument: { uri } });
      await waitUntil('it is no longer watched', async () => (watching.isWatched(path(file)) ? undefined : true));
      await write(file, text('number'));
      const again = await watching.open(path('work/again.entity.yaml'), graph);
      await watching.diagnostics(again, (found) => found.length === 0);
      await watching.close();
      client = undefined;
      await rm(path('work/.entity-graph'), { recursive: true, force: true });
      await rm(path(file));
    }
  });

  it('changed settings replace the watched files', async () => {
    await write('work/a/orders.csv', csvRows('id'));
    await write('work/b/orders.csv', csvRows('number'));
    await writeFile(sources(), sourcesWith('{ kind: csv, path: a/*.csv }'));
    const watching = await start(true);
    const uri = await openGraph(watching);
    await isUnknown(watching, uri);
    await writeFile(sources(), sourcesWith('{ kind: csv, path: b/*.csv }'));
    await watching.tell(sources(), FileChangeType.Changed);
    await watching.diagnostics(uri, (found) => found.length === 0);
    await watching.tell(path('work/b/orders.csv'), FileChangeType.Changed);
    await waitUntil('a is left alone', async () => (watching.isWatched(path('work/a/orders.csv')) ? undefined : true));
  });

  it('files named by a source are not watched before the workspace is trusted', async () => {
    await write('shared/orders.csv', csvRows('id'));
    await writeFile(sources(), sourcesWith('{ kind: csv, path: ../shared/*.csv }'));
    const watching = await start(true, false);
    const uri = await openGraph(watching);
    await watching.diagnostics(uri, (found) => found.some(({ code }) => code === 'catalog-unknown'));
    assert.ok(!watching.isWatched(path('shared/orders.csv')));
    await watching.connection.sendNotification('entityGraph/trustChanged', { trusted: true });
    await watching.tell(path('shared/orders.csv'), FileChangeType.Changed);
  });
});
