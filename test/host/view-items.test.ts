import assert from 'node:assert/strict';
import { type Range, ThemeIcon, type TreeItem, type Uri } from 'vscode';
import { type DataSourceNode, dataSourceItem } from '../../client/src/data-source-items.ts';
import type { DataObjectView } from '../../protocol/canvas-intents.ts';
import type { DataSourceView } from '../../protocol/language-requests.ts';

const at = { start: { line: 2, character: 2 }, end: { line: 2, character: 6 } };
const shop: DataSourceView = {
  uri: 'file:///project/entity-sources.yaml',
  ...{ name: 'shop', kind: 'postgresql', range: at, secrets: ['shop'] },
};
const orders: DataObjectView = { name: 'orders', kind: 'table', columnCount: 4, key: ['id'] };
const failure = (code: string, source = shop): DataSourceNode => ({
  ...{ kind: 'failure', source },
  error: { code, message: 'It failed.', remedy: 'Mend it.' },
});

/** What a person sees of a row, and what a click on it does. */
interface Look {
  readonly label: string;
  readonly description?: string;
  readonly icon: string;
  readonly command?: string;
}

function lookOf({ label, description, iconPath, command }: TreeItem): Look {
  assert.ok(typeof label === 'string' && iconPath instanceof ThemeIcon);
  return {
    ...{ label, icon: iconPath.id },
    ...(typeof description === 'string' && description !== '' && { description }),
    ...(command && { command: command.command }),
  };
}

const rows: Readonly<Record<string, readonly [node: DataSourceNode, look: Look]>> = {
  'a source whose objects are not known': [
    { kind: 'source', source: shop, missingSecrets: ['shop'] },
    { label: 'shop', description: 'postgresql · no secret set', icon: 'database' },
  ],
  'a source with objects': [
    { kind: 'source', source: { ...shop, objectCount: 1200 }, missingSecrets: [] },
    { label: 'shop', description: 'postgresql · 1,200 data objects', icon: 'database' },
  ],
  'a source with one object': [
    { kind: 'source', source: { ...shop, kind: 'csv', objectCount: 1 }, missingSecrets: [] },
    { label: 'shop', description: 'csv · 1 data object', icon: 'files' },
  ],
  'an object with rows and size': [
    { kind: 'object', source: shop, object: { ...orders, rowEstimate: 83000, dataSize: 12_340_000 } },
    { label: 'orders', description: 'about 83,000 rows · 12.3 MB', icon: 'table' },
  ],
  'an object with a size only': [
    { kind: 'object', source: shop, object: { ...orders, kind: 'file', dataSize: 999 } },
    { label: 'orders', description: '999 B', icon: 'file' },
  ],
  'an object of which nothing is known': [
    { kind: 'object', source: shop, object: { ...orders, kind: 'view' } },
    { label: 'orders', icon: 'eye' },
  ],
  'a catalog that is not known': [
    failure('catalog-unknown'),
    { label: 'It failed. Mend it.', icon: 'warning', command: 'entityGraph.refreshSource' },
  ],
  'a refused password': [
    failure('authentication-failed'),
    { label: 'It failed. Mend it.', icon: 'warning', command: 'entityGraph.setSecret' },
  ],
  'a refused login without a secret': [
    failure('authentication-failed', { ...shop, secrets: [] }),
    { label: 'It failed. Mend it.', icon: 'warning', command: 'entityGraph.refreshSource' },
  ],
  'settings that cannot be used': [
    failure('source-config'),
    { label: 'It failed. Mend it.', icon: 'warning', command: 'vscode.open' },
  ],
  'a workspace that is not trusted': [
    failure('workspace-untrusted'),
    { label: 'It failed. Mend it.', icon: 'warning', command: 'workbench.trust.manage' },
  ],
  'objects that may not be all': [
    { kind: 'note', source: shop, message: 'Not all could be read.' },
    { label: 'Not all could be read.', icon: 'warning', command: 'entityGraph.diagnoseSource' },
  ],
  'a sources file that cannot be read': [
    {
      kind: 'unreadable',
      uri: '/project/entity-sources.yaml',
      error: { code: 'yaml-syntax', message: 'It is broken.' },
    },
    {
      ...{ label: '/project/entity-sources.yaml', description: 'It is broken.', icon: 'warning' },
      command: 'vscode.open',
    },
  ],
  'a list that could not be read': [
    { kind: 'unreadable', error: { code: 'internal-error', message: 'It is gone.' } },
    { label: 'It is gone.', icon: 'warning', command: 'entityGraph.refreshSource' },
  ],
};

describe('a row of the view Data Sources', () => {
  for (const [what, [node, look]] of Object.entries(rows)) {
    it(`shows ${what}`, () => assert.deepEqual(lookOf(dataSourceItem(node)), look));
  }

  it('opens a file with a mistake at its place', () => {
    const error = { code: 'yaml-syntax', message: 'It is broken.', range: at };
    const { arguments: [uri, options] = [] } =
      dataSourceItem({ kind: 'unreadable', uri: shop.uri, error }).command ?? {};
    const { start } = (options as { selection: Range }).selection;
    assert.deepEqual([(uri as Uri).toString(), start.line, start.character], [shop.uri, 2, 2]);
  });
});
