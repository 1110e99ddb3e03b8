import assert from 'node:assert/strict';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ColumnView, IntentCheck, IntentEdits, OtherSourceView } from '../../protocol/canvas-intents.ts';
import type { CatalogChange } from '../../protocol/catalog-state.ts';
import type { GraphView } from '../../protocol/graph-view.ts';
import type { JoinPreview, Outcome } from '../../protocol/query-results.ts';
import { folderWith, removeFolder, writeFiles } from '../support/temporary-folder.ts';
import { type LspClient, startLspClient } from './lsp-client.ts';

const text = `version: 1
dataSource: shop
dataObjects: [orders, { source: itsm, objects: [calls, links] }]
elements:
  - { activityName: Order, dataObject: orders, key: id, startTimestamp: placed }
  - { activityName: Call, dataSource: itsm, dataObject: calls, key: id, startTimestamp: opened }
relationships:
  - name: about
    source: Call
    target: Order
    crossTable: { dataSource: itsm, dataObject: links, sourceMappings: [{ source: id, cross: call }], targetMappings: [{ cross: number, target: id }] }
`;

describe('language server: canvas of a graph over several data sources', () => {
  let folder: string;
  let client: LspClient;
  let uri: string;

  before(async () => {
    folder = await folderWith({
      'entity-sources.yaml':
        'version: 1\ndataSources:\n  shop: { kind: csv, path: shop/*.csv }\n  itsm: { kind: csv, path: itsm/*.csv }\n  more: { kind: csv, path: more/*.csv }\n  late: { kind: csv, path: late/*.csv }\n',
      'shop/orders.csv': 'id,placed\no1,2024-07-01 12:00:00\n',
      'itsm/calls.csv': 'id,opened,closed\nc1,2024-07-01 10:00:00,2024-07-02 10:00:00\n',
      'itsm/links.csv': 'call,number\nc1,o1\n',
      'more/parcels.csv': 'id,order,sent\nc1,o1,2024-07-01 10:00:00\n',
      'graph.entity.yaml': text,
    });
    client = await startLspClient({ folder, initializationOptions: { extended: true } });
    uri = await client.open(join(folder, 'graph.entity.yaml'), text);
    // Waits for the catalogs of all data sources.
    await ask('dataObjects', {});
  });
  after(async () => {
    await client.close();
    await removeFolder(folder);
  });

  const ask = <T>(method: string, params: object): Promise<T> =>
    client.connection.sendRequest(`entityGraph/${method}`, { uri, ...params });

  it('offers the columns of the data source of a card or a cross table', async () => {
    const view = await ask<GraphView | null>('graphView', {});
    const [order, call] = view?.elements ?? [];
    const about = view?.relationships[0];
    const columns = async (dataObject: string | undefined, dataSource: string | undefined): Promise<string[]> =>
      (await ask<readonly ColumnView[]>('columns', { values: { dataObject, dataSource } })).map(({ name }) => name);
    assert.deepEqual(await columns(order?.dataObject, order?.dataSource), ['id', 'placed']);
    assert.deepEqual(await columns(call?.dataObject, call?.dataSource), ['id', 'opened', 'closed']);
    assert.deepEqual(await columns(about?.crossTable, about?.crossTableSource), ['call', 'number']);
  });

  it('offers the data objects of all other data sources, and reads a data source that the graph does not name on request only', async () => {
    const others = async (params: object) => {
      const outcome = await ask<Outcome<readonly OtherSourceView[]>>('otherSources', params);
      assert.ok(outcome.ok, JSON.stringify(outcome));
      return outcome.value.map(({ dataSource, isNamed, catalog }) => [
        ...[dataSource, isNamed],
        catalog?.ok ? catalog.value.objects.map(({ name }) => name) : catalog,
      ]);
    };
    const itsm = ['itsm', true, ['calls', 'links']];
    const columns = () =>
      ask<readonly ColumnView[]>('columns', { values: { dataObject: 'parcels', dataSource: 'more' } });
    const late = ['late', false, undefined];
    assert.deepEqual(await others({}), [itsm, ['more', false, undefined], late]);
    assert.deepEqual(await columns(), []);
    assert.deepEqual(await others({ read: 'more' }), [itsm, ['more', false, ['parcels']], late]);
    assert.deepEqual(
      (await columns()).map(({ name }) => name),
      ['id', 'order', 'sent'],
    );
  });

  it('checks, tests and writes a cross table of a third data source that the file does not name yet', async () => {
    const read = await ask<Outcome<readonly OtherSourceView[]>>('otherSources', { read: 'more' });
    assert.ok(read.ok, JSON.stringify(read));
    const draft = (target: string) => ({
      kind: 'configureRelationship',
      relationship: 'about',
      values: {
        crossTable: {
          dataSource: 'more',
          dataObject: 'parcels',
          sourceMappings: [{ column: 'id', cross: 'id' }],
          targetMappings: [{ cross: target, column: 'id' }],
        },
      },
    });
    const problems = async (target: string) => {
      const outcome = await ask<Outcome<IntentCheck>>('checkIntent', { intent: draft(target) });
      assert.ok(outcome.ok, JSON.stringify(outcome));
      return outcome.value.problems.map(({ code, property }) => [code, property]);
    };
    assert.deepEqual(await problems('order'), []);
    assert.deepEqual(await problems('ordr'), [['unknown-column', 'crossTable.targetMappings.0.cross']]);
    const preview = await ask<Outcome<JoinPreview>>('previewJoin', { name: 'about', draft: draft('order') });
    assert.ok(preview.ok, JSON.stringify(preview));
    assert.deepEqual(preview.value.rows, [['c1', 'o1']]);
    const edits = await ask<Outcome<IntentEdits>>('edit', { intent: draft('order') });
    assert.ok(edits.ok, JSON.stringify(edits));
    assert.match(edits.value.edits.map(({ newText }) => newText).join(' '), /more/);
  });

  it('notifies canvases of other data sources when a data source becomes readable', async () => {
    const late = async (params: object) => {
      const outcome = await ask<Outcome<readonly OtherSourceView[]>>('otherSources', params);
      assert.ok(outcome.ok, JSON.stringify(outcome));
      return outcome.value.find(({ dataSource }) => dataSource === 'late')?.catalog;
    };
    const failed = await late({ read: 'late' });
    assert.equal(failed?.ok === false && failed.error.code, 'file-missing');
    assert.deepEqual(await late({}), failed);
    await writeFiles(folder, { 'late/letters.csv': 'id,sent\nl1,2024-07-01 10:00:00\n' });
    // As the Data Sources view does.
    const uriOfSources = pathToFileURL(join(folder, 'entity-sources.yaml')).href;
    await ask('sourceObjects', { uri: uriOfSources, dataSource: 'late', refresh: true });
    const told = await client.notification<CatalogChange>(
      'entityGraph/catalogChanged',
      ({ dataSource, state }) => dataSource === 'late' && state.kind === 'known',
    );
    assert.deepEqual([told.graphs, told.besides], [[], [uri]]);
    const known = await late({});
    assert.deepEqual(known?.ok && known.value.objects.map(({ name }) => name), ['letters']);
  });

  it('previews a relationship across data sources, and counts how its rows match', async () => {
    const draft = { kind: 'configureRelationship', relationship: 'about', values: {} };
    const preview = await ask<Outcome<JoinPreview>>('previewJoin', { name: 'about', draft });
    assert.ok(preview.ok, JSON.stringify(preview));
    assert.deepEqual(preview.value.rows, [['c1', 'o1']]);
    const side = { rows: 1, nullKeys: 0, unmatched: 0, most: 1 };
    const counts = { pairs: 1, source: side, target: side };
    assert.deepEqual(preview.value.counts, counts);
    assert.deepEqual(await ask('countJoin', { name: 'about', draft }), { ok: true, value: counts });
  });
});
