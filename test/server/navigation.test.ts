import assert from 'node:assert/strict';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DocumentHighlight, DocumentLink, Location } from 'vscode-languageserver-protocol/node';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';
import { type LspClient, positionAt, startLspClient } from './lsp-client.ts';

const sources = `version: 1
dataSources:
  shop: { kind: csv, path: data/orders.csv }
  other: { kind: csv, path: "*.csv" }
`;
const graph = (source: string): string => `version: 1
dataSource: ${source}
dataObjects: [orders, customers]
elements:
  - activityName: Place Order
    dataObject: orders
    startTimestamp: placed_at
    processContext: { links: [https://wiki.example/orders] }
  - activityName: Win Customer
    dataObject: customers
    startTimestamp: since
relationships:
  - source: Place Order
    target: Win Customer
    crossTable: { dataObject: orders }
`;

describe('language server: references, definitions and links', () => {
  let folder: string;
  let client: LspClient;
  const texts = new Map<string, string>();
  const uris = new Map<string, string>();

  before(async () => {
    folder = await folderWith({
      'entity-sources.yaml': sources,
      'a.entity.yaml': graph('shop'),
      'sub/b.entity.yaml': graph('"shop"'),
      'sub/c.entity.yaml': graph('other'),
      'apart/entity-sources.yaml': 'version: 1\ndataSources:\n  shop: { kind: csv, path: "*.csv" }\n',
      'apart/d.entity.yaml': graph('shop'),
    });
    client = await startLspClient({ folder });
    await open('entity-sources.yaml', sources);
    // Unsaved: the editor's text counts, not the file on disk.
    await open('a.entity.yaml', `# mine\n${graph('shop')}`);
  });
  after(async () => {
    await client.close();
    await removeFolder(folder);
  });

  async function open(file: string, text: string): Promise<void> {
    texts.set(file, text);
    uris.set(file, await client.open(join(folder, file), text));
  }

  /** Sends a request at the end of the first occurrence of a text. */
  function ask<T>(method: string, file: string, behind: string, more: object = {}): Promise<T> {
    const text = texts.get(file) ?? '';
    const position = positionAt(text, text.indexOf(behind) + behind.length);
    return client.connection.sendRequest(`textDocument/${method}`, {
      ...{ textDocument: { uri: uris.get(file) }, position },
      ...more,
    });
  }

  const shown = ({ uri, range }: Location): string => {
    const path = fileURLToPath(uri)
      .slice(folder.length + 1)
      .replaceAll('\\', '/');
    return `${path} ${range.start.line}:${range.start.character}-${range.end.character}`;
  };

  const inGraphs = ['a.entity.yaml 2:12-16', 'sub/b.entity.yaml 1:12-18'];
  const references: readonly (readonly [string, file: string, behind: string, places: readonly string[]])[] = [
    [
      'a data source from its file, in all graphs that read it',
      'entity-sources.yaml',
      '  shop',
      ['entity-sources.yaml 2:2-6', ...inGraphs],
    ],
    ['a data source from a graph', 'a.entity.yaml', 'dataSource: shop', ['entity-sources.yaml 2:2-6', ...inGraphs]],
    ['another source', 'entity-sources.yaml', '  other', ['entity-sources.yaml 3:2-7', 'sub/c.entity.yaml 1:12-17']],
    ['an activity', 'a.entity.yaml', 'source: Place Order', ['a.entity.yaml 5:18-29', 'a.entity.yaml 13:12-23']],
    [
      'a data object',
      'a.entity.yaml',
      'dataObject: orders',
      ['a.entity.yaml 3:14-20', 'a.entity.yaml 6:16-22', 'a.entity.yaml 15:30-36'],
    ],
    [
      'a column, in all graphs of the sources file',
      'a.entity.yaml',
      'startTimestamp: placed_at',
      ['a.entity.yaml 7:20-29', 'sub/b.entity.yaml 6:20-29'],
    ],
    ['nothing', 'a.entity.yaml', 'version: 1', []],
    ['a setting, which has none', 'entity-sources.yaml', 'kind: csv', []],
  ];
  for (const [what, file, behind, places] of references) {
    it(`finds the references of ${what}`, async () => {
      const all = await ask<Location[]>('references', file, behind, { context: { includeDeclaration: true } });
      assert.deepEqual(all.map(shown).toSorted(), places.toSorted());
      const uses = await ask<Location[]>('references', file, behind, { context: { includeDeclaration: false } });
      // A column is defined in its data source.
      const others = what.startsWith('a column') ? places : places.slice(1);
      assert.deepEqual(uses.map(shown).toSorted(), others.toSorted());
    });
  }

  const highlights: readonly (readonly [file: string, behind: string, places: readonly string[]])[] = [
    ['entity-sources.yaml', '  shop', ['2:2-6']],
    ['entity-sources.yaml', 'kind', []],
    ['a.entity.yaml', 'dataSource: shop', ['2:12-16']],
    ['a.entity.yaml', 'target: Win Customer', ['9:18-30', '14:12-24']],
    ['a.entity.yaml', 'dataObjects: [orders', ['3:14-20', '6:16-22', '15:30-36']],
    ['a.entity.yaml', 'version', []],
  ];
  for (const [file, behind, places] of highlights) {
    it(`highlights all uses of the name at "${behind}" in ${file}`, async () => {
      const found = await ask<DocumentHighlight[]>('documentHighlight', file, behind);
      assert.deepEqual(
        found.map(({ range }) => `${range.start.line}:${range.start.character}-${range.end.character}`),
        places,
      );
    });
  }

  const definitions: readonly (readonly [file: string, behind: string, place: string | undefined])[] = [
    ['a.entity.yaml', 'dataSource: shop', 'entity-sources.yaml 2:2-6'],
    ['entity-sources.yaml', '  shop', 'entity-sources.yaml 2:2-6'],
    ['a.entity.yaml', 'target: Win Customer', 'a.entity.yaml 9:18-30'],
    ['a.entity.yaml', 'dataObject: orders', 'a.entity.yaml 3:14-20'],
    ['a.entity.yaml', 'version: 1', undefined],
  ];
  for (const [file, behind, place] of definitions) {
    it(`goes from "${behind}" in ${file} to ${place ?? 'nowhere'}`, async () => {
      const found = await ask<Location | null>('definition', file, behind);
      assert.equal(found ? shown(found) : undefined, place);
    });
  }

  const links: readonly (readonly [file: string, links: readonly (readonly [text: string, target: string])[]])[] = [
    [
      'a.entity.yaml',
      [
        ['shop', '/entity-sources.yaml#L3,3'],
        ['https://wiki.example/orders', 'https://wiki.example/orders'],
      ],
    ],
    ['entity-sources.yaml', [['data/orders.csv', '/data/orders.csv']]],
  ];
  for (const [file, expected] of links) {
    it(`document links in ${file} lead to existing targets`, async () => {
      const found = await ask<DocumentLink[]>('documentLink', file, '');
      const lines = (texts.get(file) ?? '').split('\n');
      assert.deepEqual(
        found.map(({ range, target = '' }) => [
          lines[range.start.line]?.slice(range.start.character, range.end.character),
          target.replace(uris.get('entity-sources.yaml')?.replace('/entity-sources.yaml', '') ?? '', ''),
        ]),
        expected,
      );
    });
  }

  it('document links appear as soon as a graph is opened, without links to missing sources', async () => {
    await open('sub/e.entity.yaml', graph('nowhere'));
    const found = await ask<DocumentLink[]>('documentLink', 'sub/e.entity.yaml', '');
    assert.deepEqual(
      found.map(({ target }) => target),
      ['https://wiki.example/orders'],
    );
  });
});
