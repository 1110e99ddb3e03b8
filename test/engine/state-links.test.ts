import assert from 'node:assert/strict';
import { lstat, mkdir, readFile, readdir, rename, rm, symlink } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { recordCache } from '../../server/src/connectors/fetched/record-cache.ts';
import type { ObjectRead } from '../../server/src/query/compiled-query.ts';
import type { FetchTarget } from '../../server/src/connectors/fetched/load-segment.ts';
import { copyGraph } from '../../server/src/operations/graph-files/copy-graph.ts';
import { deleteGraph } from '../../server/src/operations/graph-files/delete-graph.ts';
import { exportGraph } from '../../server/src/operations/stored-graphs/export-graph.ts';
import { importSummary } from '../../server/src/cli/import-summary.ts';
import { importGraph } from '../../server/src/operations/imports/import-graph.ts';
import { listEntities } from '../../server/src/operations/graph-files/list-entities.ts';
import { loadLayout, saveLayout } from '../../server/src/operations/graph-files/canvas-layout.ts';
import { followRename } from '../../server/src/operations/graph-files/move-state.ts';
import { resetGraph } from '../../server/src/operations/graph-files/reset-graph.ts';
import { readFilters, writeFilters } from '../../server/src/state/filters-file.ts';
import { storedGraph } from '../../server/src/operations/stored-graphs/stored-graph.ts';
import { sweepLeftovers } from '../../server/src/operations/imports/sweep-leftovers.ts';
import { toFailure } from '../../server/src/operations/operation-error.ts';
import { readGraphFile } from '../../server/src/project/open-project.ts';
import { tagOf } from '../support/ended-process.ts';
import { csvSources, graphText } from '../support/import-text.ts';
import { fingerprint, folderWith, removeFolder, writeFiles } from '../support/temporary-folder.ts';
import { noSecrets } from '../support/no-secrets.ts';

const graph = graphText('  - { activityName: A, dataObject: orders, key: id, startTimestamp: at }\n');
const files = {
  'entity-sources.yaml': csvSources(),
  'shop.entity.yaml': graph,
  'orders.csv': 'id,at\n1,2024-01-01 08:00:00\n',
};

/** Files that a hostile workspace wants removed or replaced, under names that imports and cleanup use. */
const baits = {
  'state/shop.json': JSON.stringify({
    version: 1,
    status: 'Imported',
    store: 'victim.duckdb',
    text: 'text: of another',
  }),
  'state/shop.lock': '{"pid":1,"host":"elsewhere","since":""}',
  'graphs/shop/victim.duckdb': 'mine',
  'graphs/shop/rows.kept': 'mine',
  [`graphs/shop/.building-${await tagOf(999_999_999)}-20260101T000000000-abcd/graph.duckdb`]: 'mine',
  'layout/shop.json': '{"version":1,"elements":{"A":{"x":1,"y":2}}}',
  'filters/shop.json': '{"version":1,"filters":{"Late":{"throughput":{"slower":1}}}}',
  'catalog/shop.json': '{}',
};

/** Parts of a state folder that may be a link, and its target in the folder of the baits. */
const links: readonly (readonly [link: string, to: string])[] = [
  ['.entity-graph', '.'],
  ['.entity-graph/state', 'state'],
  ['.entity-graph/graphs', 'graphs'],
  ['.entity-graph/graphs/shop', 'graphs/shop'],
  ['.entity-graph/layout', 'layout'],
  ['.entity-graph/filters', 'filters'],
  ['.entity-graph/catalog', 'catalog'],
  ['.entity-graph/state/shop.json', 'state/shop.json'],
  ['.entity-graph/layout/shop.json', 'layout/shop.json'],
  ['.entity-graph/filters/shop.json', 'filters/shop.json'],
  ['.entity-graph/graphs/shop/rows.kept', 'graphs/shop/rows.kept'],
];

describe('symbolic links in the state folder', () => {
  let folder = '';
  let outside = '';
  beforeEach(async () => {
    folder = await folderWith(files);
    outside = await folderWith(baits);
  });
  afterEach(() => Promise.all([folder, outside].map(removeFolder)));

  const { signal } = new AbortController();
  const path = (): string => join(folder, 'shop.entity.yaml');
  const projectContext = () => ({
    ...noSecrets,
    environment: process.env,
    workspaceFolderOf: () => folder,
  });
  const runImport = async () =>
    importSummary(
      await importGraph(await readGraphFile(path(), projectContext()), projectContext(), {
        onProgress: () => undefined,
        signal,
      }),
    );
  const code = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'done',
      (error: unknown) => toFailure(error).code,
    );
  const linkTo = async (link: string, target: string): Promise<void> => {
    await mkdir(join(folder, link, '..'), { recursive: true });
    await symlink(target, join(folder, link));
  };

  for (const [link, to] of links) {
    it(`${link} › the target is not written, read or deleted, and the message explains why`, async () => {
      await linkTo(link, join(outside, to));
      const before = await fingerprint(outside);
      await sweepLeftovers([folder]);
      const [row] = (await listEntities(folder, { workspaceFolderOf: () => folder })).rows;
      assert.equal(row?.status, 'Not Imported');
      const hasState = /^\.entity-graph(\/state.*)?$/.test(link);
      assert.equal(row?.problem?.code, hasState ? 'link-leads-out' : undefined);
      assert.deepEqual((await loadLayout(path(), projectContext())).elements, {});
      const hasLayout = /^\.entity-graph(\/layout.*)?$/.test(link);
      const saved = saveLayout(path(), { elements: { A: { x: 3, y: 4 } } }, projectContext());
      assert.equal(await code(saved), hasLayout ? 'link-leads-out' : 'done');
      const hasFilters = /^\.entity-graph(\/filters.*)?$/.test(link);
      const stateFolder = join(folder, '.entity-graph');
      assert.deepEqual(await readFilters(stateFolder, 'shop'), {});
      const kept = writeFilters(stateFolder, 'shop', { Late: { throughput: { slower: 2 } } });
      assert.equal(await code(kept), hasFilters ? 'link-leads-out' : 'done');
      await copyGraph(path(), join(folder, 'copy.entity.yaml'), projectContext());
      await rename(join(folder, 'copy.entity.yaml'), join(folder, 'other.entity.yaml'));
      await followRename(join(folder, 'copy.entity.yaml'), join(folder, 'other.entity.yaml'), projectContext());
      assert.equal(await code(resetGraph(path(), projectContext())), 'not-imported');
      assert.equal(
        await code(storedGraph(await readGraphFile(path(), projectContext()), projectContext())),
        'not-imported',
      );

      const imported = await runImport();
      const hasGraphs = hasState || link.includes('graphs');
      assert.deepEqual(
        [imported.status, imported.error?.code],
        hasGraphs ? ['failed', 'link-leads-out'] : ['imported', undefined],
        imported.error?.message,
      );
      if (hasGraphs) {
        assert.ok(imported.error?.message.includes(join(folder, link)), imported.error?.message);
        assert.ok(imported.error?.message.includes(`leads out of ${folder}`), imported.error?.message);
      }
      const deleted = await code(deleteGraph(path(), projectContext()));
      const isRemoved = hasGraphs || hasLayout || hasFilters;
      assert.equal(deleted, isRemoved && !link.endsWith('rows.kept') ? 'link-leads-out' : 'done');
      assert.deepEqual(await fingerprint(outside), before);
    });
  }

  it('a link to another folder of the workspace is followed', async () => {
    await mkdir(join(folder, 'kept'));
    await linkTo('.entity-graph', 'kept');
    const imported = await runImport();
    assert.equal(imported.status, 'imported', imported.error?.message);
    assert.ok((await readdir(join(folder, 'kept'))).includes('graphs'));
    assert.ok((await lstat(join(folder, '.entity-graph'))).isSymbolicLink());
  });

  it('a store replaced by a link is not exported', async () => {
    const imported = await runImport();
    const store = imported.store ?? '';
    await rename(store, join(outside, 'graph.duckdb'));
    await symlink(join(outside, 'graph.duckdb'), store);
    const file = await readGraphFile(path(), projectContext());
    const exported = exportGraph(file, projectContext(), { format: 'csv', output: join(folder, 'out'), signal });
    assert.equal(await code(exported), 'link-leads-out');
  });

  it('a workspace reached through a link works', async () => {
    const link = `${folder}-link`;
    await symlink(folder, link);
    try {
      const file = await readGraphFile(join(link, 'shop.entity.yaml'), projectContext());
      const options = { onProgress: () => undefined, signal };
      const imported = importSummary(
        await importGraph(file, { ...projectContext(), workspaceFolderOf: () => link }, options),
      );
      assert.equal(imported.status, 'imported', imported.error?.message);
    } finally {
      await rm(link);
    }
  });

  it('the row cache is neither read nor written through a link, nor through a manipulated description', async () => {
    const kept = { 'incident.0.json': '{}', 'x.parquet': 'mine' };
    await writeFiles(outside, kept);
    await linkTo('.entity-graph/records/shop', outside);
    const read = { dataObject: 'incident', columns: [], leads: false } as unknown as ObjectRead;
    const target = { temporaryFolder: folder, run: async () => undefined } as unknown as FetchTarget;
    const before = await fingerprint(outside);
    const behind = recordCache({ folder: join(folder, '.entity-graph/records/shop'), within: folder }, '', read);
    assert.equal(await behind.find(), undefined);
    assert.equal(await code(behind.save(target, 'incident', { mark: '', fullAt: 0, at: 0 })), 'link-leads-out');
    assert.equal(await code(behind.forget()), 'link-leads-out');
    assert.deepEqual(await fingerprint(outside), before);
    await mkdir(join(folder, '.entity-graph/records/other'), { recursive: true });
    const own = recordCache({ folder: join(folder, '.entity-graph/records/other'), within: folder }, '', read);
    const file = relative(join(folder, '.entity-graph/records/other'), join(outside, 'x.parquet'));
    await assert.rejects(own.load({ mark: '', fullAt: 0, at: 0, file }, target, 'incident'), { code: 'ENOENT' });
  });

  it('a manipulated description cannot refer to a file outside the state folder', async () => {
    await writeFiles(folder, {
      '.entity-graph/state/shop.json': JSON.stringify({
        version: 1,
        status: 'Imported',
        store: join(outside, 'graphs/shop/victim.duckdb'),
        text: graph,
      }),
    });
    const file = await readGraphFile(path(), projectContext());
    assert.equal(await storedGraph(file, projectContext()), join(folder, '.entity-graph/graphs/shop/victim.duckdb'));
    assert.equal(await readFile(join(outside, 'graphs/shop/victim.duckdb'), 'utf8'), 'mine');
  });
});
