import assert from 'node:assert/strict';
import { type MarkdownString, type Range, ThemeIcon, type TreeItem, type Uri } from 'vscode';
import { type DataSourceNode, dataSourceItem } from '../../client/src/data-source-items.ts';
import type { FailureCode } from '../../protocol/failure-codes.ts';
import type { DataObjectView } from '../../protocol/canvas-intents.ts';
import { entityItem } from '../../client/src/entities-view.ts';
import type { EntityRow } from '../../protocol/entities-table.ts';
import type { DataSourceView } from '../../protocol/requests/source-requests.ts';

const at = { start: { line: 2, character: 2 }, end: { line: 2, character: 6 } };
const shop: DataSourceView = {
  uri: 'file:///project/entity-sources.yaml',
  ...{ name: 'shop', kind: 'postgresql', icon: 'database', abilities: [], range: at, secrets: ['shop'], uses: [] },
};
const orders: DataObjectView = { name: 'orders', kind: 'table', columnCount: 4, key: ['id'] };
const failure = (
  code: FailureCode,
  {
    source = shop,
    missingSecrets = [],
    message = 'It failed.',
    shortMessage,
  }: Partial<DataSourceFailure> & { message?: string; shortMessage?: string } = {},
): DataSourceNode => ({
  ...{ kind: 'failure', source, missingSecrets },
  error: { code, message, ...(shortMessage !== undefined && { shortMessage }), remedy: 'Mend it.' },
});

type DataSourceFailure = Extract<DataSourceNode, { kind: 'failure' }>;

/** The visible parts of a row, and the effect of a click. */
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
  'a source whose secret comes from the environment': [
    {
      ...{ kind: 'source', source: { ...shop, secretVariables: { shop: 'ENTITY_GRAPH_SECRET_SHOP' } } },
      ...{ missingSecrets: [], environmentSecrets: ['shop'] },
    },
    { label: 'shop', description: 'postgresql · secret from the environment', icon: 'database' },
  ],
  'a source with objects': [
    { kind: 'source', source: { ...shop, objectCount: 1200 }, missingSecrets: [] },
    { label: 'shop', description: 'postgresql · 1,200 data objects', icon: 'database' },
  ],
  'a source with one object': [
    { kind: 'source', source: { ...shop, kind: 'csv', icon: 'files', objectCount: 1 }, missingSecrets: [] },
    { label: 'shop', description: 'csv · 1 data object', icon: 'files' },
  ],
  'a source that could not be read': [
    {
      ...{ kind: 'source', source: { ...shop, objectCount: 3 }, missingSecrets: [] },
      error: {
        code: 'source-unreachable',
        message: 'Data source shop: Nobody answers.',
        shortMessage: 'Nobody answers.',
      },
    },
    { label: 'shop', description: 'postgresql · Nobody answers.', icon: 'warning' },
  ],
  'a source that is being read again': [
    {
      ...{ kind: 'source', source: shop, missingSecrets: [], step: 'Connecting' },
      error: { code: 'source-unreachable', message: 'Nobody answers.' },
    },
    { label: 'shop', description: 'postgresql · reading…', icon: 'database' },
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
  'a source that nobody has read yet': [
    failure('catalog-unknown'),
    { label: 'Read Data Objects', icon: 'refresh', command: 'entityGraph.refreshSource' },
  ],
  'a source that cannot be read without a secret': [
    failure('catalog-unknown', { missingSecrets: ['shop'] }),
    { label: 'Enter Secret and Read…', icon: 'key', command: 'entityGraph.refreshSource' },
  ],
  'a source that cannot be reached': [
    failure('source-unreachable', { message: 'Nobody answers' }),
    { label: 'Nobody answers. Mend it.', icon: 'warning', command: 'entityGraph.refreshSource' },
  ],
  'a failure whose text begins with the name that the row above has': [
    failure('file-missing', {
      message: 'Data source shop: no file matches data/*.csv.',
      shortMessage: 'No file matches data/*.csv.',
    }),
    { label: 'No file matches data/*.csv. Mend it.', icon: 'warning', command: 'vscode.open' },
  ],
  'a failure that needs the name': [
    failure('file-missing', { message: 'Data source shop has no kind.' }),
    { label: 'Data source shop has no kind. Mend it.', icon: 'warning', command: 'vscode.open' },
  ],
  'files that are not there': [
    failure('file-missing'),
    { label: 'It failed. Mend it.', icon: 'warning', command: 'vscode.open' },
  ],
  'a refused password': [
    failure('authentication-failed'),
    { label: 'It failed. Mend it.', icon: 'warning', command: 'entityGraph.setSecret' },
  ],
  'a refused login without a secret': [
    failure('authentication-failed', { source: { ...shop, secrets: [] } }),
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

describe('Data Sources view items', () => {
  it('have a context value with the capabilities of their source', () => {
    const source: DataSourceView = { ...shop, abilities: ['explore', 'signIn'] };
    const contexts = [
      dataSourceItem({ kind: 'source', source, missingSecrets: [] }).contextValue,
      dataSourceItem({ kind: 'source', source: { ...source, secrets: [] }, missingSecrets: [] }).contextValue,
      dataSourceItem({ kind: 'object', source, object: orders }).contextValue,
    ];
    assert.deepEqual(contexts, ['source secret explore signIn', 'source explore signIn', 'object explore signIn']);
  });

  for (const [what, [node, look]] of Object.entries(rows)) {
    it(`show ${what}`, () => assert.deepEqual(lookOf(dataSourceItem(node)), look));
  }

  it('have a rich tooltip, so that screen readers read label and description', () => {
    // Screen readers read a plain text tooltip instead of label and description.
    for (const [what, [node]] of Object.entries(rows))
      assert.ok(typeof dataSourceItem(node).tooltip === 'object', what);
  });

  it('open an invalid file at the position of the problem', () => {
    const error = { code: 'yaml-syntax', message: 'It is broken.', range: at } as const;
    const { arguments: [uri, options] = [] } =
      dataSourceItem({ kind: 'unreadable', uri: shop.uri, error }).command ?? {};
    const { start } = (options as { selection: Range }).selection;
    assert.deepEqual([(uri as Uri).toString(), start.line, start.character], [shop.uri, 2, 2]);
  });
});

const graph: EntityRow = {
  ...{
    uri: 'file:///project/orders.entity.yaml',
    path: 'orders.entity.yaml',
    name: 'Orders',
    dataSource: 'shop',
    dataSources: ['shop'],
  },
  ...{ sourcesUri: shop.uri, status: 'Not Imported', progress: null, imported: null, modifiedSinceImport: false },
  ...{ created: '2026-11-01T08:00:00.000Z', modified: '2026-11-01T08:00:00.000Z' },
};
const broken = { code: 'yaml-syntax', message: 'Line 4: This quote is never closed. Close it.', range: at } as const;
const unknown = { code: 'unknown-data-source', message: 'It names no data source.', remedy: 'Set one.' } as const;

describe('Entities view items', () => {
  const looks: Readonly<Record<string, readonly [row: EntityRow, description: string, icon: string, said?: string]>> = {
    'a graph that is not imported': [graph, 'shop · Not Imported', 'circle-slash'],
    'a graph whose text cannot be read': [
      { ...graph, problem: broken },
      'shop · Broken text · Not Imported',
      'warning',
      'Orders, shop · Broken text · Not Imported, Line 4: This quote is never closed. Close it.',
    ],
    'an imported graph whose text cannot be read any more': [
      { ...graph, status: 'Imported', modifiedSinceImport: true, problem: broken },
      'shop · Broken text · Imported',
      'warning',
      'Orders, shop · Broken text · Imported, Line 4: This quote is never closed. Close it.',
    ],
    'a graph without a data source': [
      { ...graph, dataSource: null, dataSources: [], problem: unknown },
      'No data source · Not Imported',
      'warning',
      'Orders, No data source · Not Imported, It names no data source. Set one.',
    ],
    'an import that runs': [
      { ...graph, problem: broken, running: { state: 'waiting' } },
      'shop · Waiting',
      'clock',
      'Orders, shop · Waiting, Line 4: This quote is never closed. Close it.',
    ],
  };
  for (const [what, [row, description, icon, said]] of Object.entries(looks)) {
    it(`show ${what}`, () => {
      const item = entityItem(row);
      assert.deepEqual(lookOf(item), { label: 'Orders', description, icon, command: 'entityGraph.openCanvas' });
      assert.equal(item.accessibilityInformation?.label, said);
      const shown = (item.tooltip as MarkdownString).value.replaceAll(
        /\\(.)|&nbsp;/g,
        (_, sign?: string) => sign ?? ' ',
      );
      const reason = row.problem?.message;
      assert.ok(reason === undefined || shown.includes(reason), shown);
    });
  }
});
