import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ImportOutcome, ImportProgress } from '../../protocol/import-progress.ts';
import type { EntitiesView, EntityView } from '../../protocol/requests/lifecycle-requests.ts';
import { ownTag } from '../../server/src/files/name-tag.ts';
import { tagOf } from '../support/ended-process.ts';
import { csvSources, graphText } from '../support/import-text.ts';
import { countSoak, soakIt } from '../support/soak.ts';
import { entriesBelow, fingerprint, folderWith, removeFolder } from '../support/temporary-folder.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type LspClient, startLspClient } from './lsp-client.ts';

/** Of no process of this machine. */
const dead = 999_999_999;
const [ended, running] = await Promise.all([tagOf(dead), ownTag()]);

const graph = graphText('  - { activityName: A, dataObject: orders, key: id, startTimestamp: at, properties: all }\n');

function csv(rows: number): string {
  const lines = Array.from(
    { length: rows },
    (_, row) => `${row},2024-01-01 00:00:${String(row % 60).padStart(2, '0')},${row}`,
  );
  return `id,at,n\n${lines.join('\n')}\n`;
}

describe('language server: import killed', () => {
  let folder: string;
  let client: LspClient;
  let uri: string;

  beforeEach(async () => {
    folder = await folderWith({
      'entity-sources.yaml': csvSources(),
      'graph.entity.yaml': graph,
      'orders.csv': csv(100),
    });
    uri = pathToFileURL(join(folder, 'graph.entity.yaml')).href;
    await start();
    const summary = await importGraph();
    assert.equal(summary.status, 'imported', JSON.stringify(summary));
    await writeFile(join(folder, 'orders.csv'), csv(300_000));
  });
  afterEach(async () => {
    await client.close().catch(() => undefined);
    await removeFolder(folder);
  });

  async function start(): Promise<void> {
    client = await startLspClient({ folder, initializationOptions: { extended: true } });
  }
  const importGraph = (): Promise<ImportOutcome> => client.connection.sendRequest('entityGraph/import', { uri });
  const entity = async (): Promise<EntityView> => {
    const { entities } = await client.connection.sendRequest<EntitiesView>('entityGraph/entities', {});
    const [found] = entities;
    assert.ok(found);
    return found;
  };
  const state = (name: string): string => join(folder, '.entity-graph', name);
  const graphs = () => fingerprint(state('graphs'));
  const underWay = () =>
    new Promise<void>((resolve) =>
      client.connection.onNotification('entityGraph/importProgress', ({ progress }: { progress: ImportProgress }) => {
        if (progress.step === 'graph build') resolve();
      }),
    );
  /** The files after a successful import: one per kept run, the row cache, and no partial builds. */
  const onlyStores = async (): Promise<void> => {
    const files = await readdir(state('graphs/graph'));
    assert.deepEqual(
      files.filter((file) => !file.endsWith('.duckdb')),
      ['rows.kept'],
    );
  };

  it('engine process: previous graph, status and file are intact, and the next import succeeds', async () => {
    const before = await graphs();
    const building = underWay();
    const importing = importGraph();
    await building;
    const { pid } = JSON.parse(await readFile(state('state/graph.lock'), 'utf8')) as { pid: number };
    assert.notEqual(pid, process.pid);
    process.kill(pid, 'SIGKILL');
    const summary = await importing;
    assert.ok(summary.status === 'failed', JSON.stringify(summary));
    assert.equal(summary.error.code, 'engine-crashed');
    assert.deepEqual(await graphs(), before);
    const { status, modifiedSinceImport, progress } = await entity();
    assert.deepEqual([status, modifiedSinceImport], ['Imported', false]);
    assert.match(progress ?? '', /^Import (failed|interrupted) at /);
    assert.equal(await readFile(join(folder, 'graph.entity.yaml'), 'utf8'), graph);
    assert.equal((await importGraph()).status, 'imported');
    await onlyStores();
    countSoak();
  });

  // Like the one above, but that a new server reads the state.
  soakIt('server process: the engine exits too, the previous graph is intact, and a new server imports', async () => {
    const before = await graphs();
    const building = underWay();
    void importGraph().catch(() => undefined);
    await building;
    await client.kill();
    await waitUntil(
      'the engine has ended',
      async () => (existsSync(state('state/graph.lock')) ? undefined : true),
      30_000,
    );
    assert.deepEqual(await graphs(), before);
    await start();
    const { status, progress, hasFailed } = await entity();
    assert.deepEqual([status, hasFailed], ['Imported', true]);
    assert.match(progress ?? '', /^Import interrupted at /);
    assert.equal(await readFile(join(folder, 'graph.entity.yaml'), 'utf8'), graph);
    assert.equal((await importGraph()).status, 'imported');
    await onlyStores();
    countSoak();
  });
});

describe('language server: temporary files of killed imports', () => {
  const left = (entity: string, tag: string): string =>
    `.entity-graph/graphs/${entity}/.building-${tag}-20260101T000000000-abcd`;
  const others = JSON.stringify({ pid: dead, host: 'another-machine', since: '2026-01-01T00:00:00.000Z' });
  const files = {
    'entity-sources.yaml': csvSources(),
    'graph.entity.yaml': graph,
    [`${left('below/graph', ended)}/graph.duckdb`]: 'half',
    [`${left('below/graph', running)}/graph.duckdb`]: 'running',
    [`${left('elsewhere', ended)}/graph.duckdb`]: 'running on another machine',
    '.entity-graph/state/elsewhere.lock': others,
    '.entity-graph/graphs/graph/.building-mine/notes.txt': 'not ours',
    [`${left('graph', ended)}/entity_graph_rows.duckdb`]: 'half',
  };
  const kept = [
    left('below/graph', running),
    left('elsewhere', ended),
    '.entity-graph/graphs/graph/.building-mine',
  ].toSorted();
  const leftIn = async (folder: string): Promise<readonly string[]> =>
    (await entriesBelow(folder))
      .filter((entry) => entry.isDirectory() && entry.name.startsWith('.building-'))
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
      .toSorted();

  const untilOnlyKept = (folder: string): Promise<true> =>
    waitUntil('it is gone', async () => ((await leftIn(folder)).length === kept.length ? true : undefined));

  const cases: readonly (readonly [name: string, folders: (folder: string) => Promise<void>])[] = [
    [
      'are deleted when a server starts; those of a running import stay',
      async (folder) => {
        const client = await startLspClient({ folder, initializationOptions: { extended: true, trusted: true } });
        try {
          await untilOnlyKept(folder);
        } finally {
          await client.close();
        }
      },
    ],
    [
      'stays in a workspace without trust, and goes once it is trusted',
      async (folder) => {
        const client = await startLspClient({ folder, initializationOptions: { extended: true, trusted: false } });
        try {
          await client.connection.sendRequest<EntitiesView>('entityGraph/entities', {});
          assert.equal((await leftIn(folder)).length, kept.length + 2);
          await client.connection.sendNotification('entityGraph/trustChanged', { trusted: true });
          await untilOnlyKept(folder);
        } finally {
          await client.close();
        }
      },
    ],
  ];
  for (const [name, use] of cases) {
    it(name, async () => {
      const folder = await folderWith(files);
      try {
        await use(folder);
        assert.deepEqual(await leftIn(folder), kept);
      } finally {
        await removeFolder(folder);
      }
    });
  }
});
