import assert from 'node:assert/strict';
import { EventEmitter, type TreeDataProvider, type TreeView } from 'vscode';
import type { ConnectionSecrets } from '../../client/src/connection-secrets.ts';
import type { DataSourceNode } from '../../client/src/data-source-items.ts';
import { createDataSourcesView } from '../../client/src/data-sources-view.ts';
import type { GraphLanguage } from '../../client/src/language-client.ts';
import type { CatalogChange } from '../../protocol/catalog-state.ts';
import { waitFor } from './wait-for.ts';

const at = { start: { line: 2, character: 2 }, end: { line: 2, character: 6 } };
const shop = {
  ...{ uri: 'file:///project/entity-sources.yaml', name: 'shop', kind: 'csv', icon: 'file', abilities: [] },
  ...{ range: at, secrets: [], uses: [] },
};
/** The source is being read, or was. */
const reading = changeOf({ kind: 'reading', dataSource: 'shop', step: 'Connecting', elapsedMs: 0 });
const known = changeOf({ kind: 'known' });

function changeOf(state: CatalogChange['state']): CatalogChange {
  return { uri: shop.uri, dataSource: shop.name, graphs: [], besides: [], state };
}

/** The view with a server that reports the state of a source while it is reading it, as the real one does. */
function opened() {
  const answers = new Map<string, () => void>();
  let report: (change: CatalogChange) => void = () => undefined;
  const language = {
    async request(method: string, params: { dataObject?: string }): Promise<unknown> {
      if (method === 'entityGraph/allDataSources') return { sources: [shop], unreadable: [] };
      const read = new Promise<void>((resolve) => answers.set(params.dataObject ?? 'shop', resolve));
      if (method === 'entityGraph/sourceColumns') {
        await read;
        return { ok: true, value: [] };
      }
      report(reading);
      await read;
      report(known);
      const objects = [{ name: 'orders', kind: 'file', columnCount: 1, key: [] }];
      return { ok: true, value: { objects } };
    },
    onNotification(method: string, listen: typeof report) {
      if (method === 'entityGraph/catalogChanged') report = listen;
      return { dispose: () => undefined };
    },
    onProgress: () => ({ dispose: () => undefined }),
  } as unknown as GraphLanguage;
  let tree: TreeDataProvider<DataSourceNode> | undefined;
  const view = createDataSourcesView(
    language,
    { has: () => Promise.resolve(true) } as unknown as ConnectionSecrets,
    (error) => assert.fail(error as Error),
    <T>(_: string, { treeDataProvider }: { treeDataProvider: TreeDataProvider<T> }) => {
      tree = treeDataProvider as unknown as TreeDataProvider<DataSourceNode>;
      return {
        visible: false,
        onDidChangeVisibility: new EventEmitter().event,
        dispose() {},
      } as unknown as TreeView<T>;
    },
  );
  assert.ok(tree?.onDidChangeTreeData);
  const events: string[] = [];
  const provider = tree;
  provider.onDidChangeTreeData?.((node) => {
    const row = node as DataSourceNode | undefined;
    // VS Code can draw the whole list again at any time.
    if (row?.kind === 'source') events.push(`${row.source.name} changed`);
  });
  /** Asks for children as VS Code does. */
  const children = async (node?: DataSourceNode): Promise<readonly DataSourceNode[]> => {
    const given = (await provider.getChildren(node)) ?? [];
    if (node) events.push('children taken');
    return given;
  };
  const answer = async (what: string): Promise<void> => {
    await waitFor(`${what} is read`, () => answers.has(what));
    answers.get(what)?.();
  };
  return { view, events, children, answer, report: (next: CatalogChange) => report(next) };
}

describe('changes of rows in Data Sources', () => {
  it('follow the children of the row, which VS Code registers twice otherwise', async () => {
    const { view, events, children, answer } = opened();
    const [row] = await children();
    const read = children(row);
    await answer('shop');
    assert.equal((await read).length, 1);
    await waitFor('the row is drawn again', () => events.length > 1);
    assert.deepEqual(events, ['children taken', 'shop changed']);
    view.dispose();
  });

  it('follow the children of the rows below it', async () => {
    const { view, events, children, answer, report } = opened();
    const [row] = await children();
    const read = children(row);
    await answer('shop');
    const [object] = await read;
    await waitFor('the row is drawn again', () => events.length > 1);
    const columns = children(object);
    report(reading);
    await answer('orders');
    await columns;
    await waitFor(
      'the row is drawn again',
      () => events.length > 3,
      () => events,
    );
    assert.deepEqual(events.slice(2), ['children taken', 'shop changed']);
    view.dispose();
  });

  it('are drawn together', async () => {
    const { view, events, children, report } = opened();
    await children();
    report(reading);
    report(known);
    report(reading);
    await waitFor('the row is drawn again', () => events.length > 0);
    assert.deepEqual(events, ['shop changed']);
    view.dispose();
  });

  it('wait until VS Code has asked for the children of an expanded row below', async () => {
    const { view, events, children, answer, report } = opened();
    const [row] = await children();
    const read = children(row);
    await answer('shop');
    const [object] = await read;
    report(reading);
    const columns = children(object);
    await answer('orders');
    await columns;
    await waitFor('the row is drawn again', () => events.length > 2);
    assert.deepEqual(events, ['children taken', 'children taken', 'shop changed']);
    view.dispose();
  });
});
