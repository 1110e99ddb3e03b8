import assert from 'node:assert/strict';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { CompletionItem, Hover, MarkupContent } from 'vscode-languageserver-protocol/node';
import { type RenderedMarkdown, renderMarkdown } from '../support/rendered-markdown.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type LspClient, positionAt, startLspClient } from './lsp-client.ts';

const image = '![t](https://evil.example/p.png)';
const fence = '```\n\n[x](command:evil)\n\n<b>evil</b>';
const column = `id ${image} *x*`;
const table = 'www.evil.example [x] *y*';
const expression = `source."${column}" = target."${column}" and '${fence}' <> ''`;

const graph = {
  ...{ version: 1, name: 'x', dataSource: 'files', dataObjects: [table] },
  elements: ['A', 'B'].map((activityName) => ({
    ...{ activityName: `${activityName} ${image}`, dataObject: table, key: column },
    ...{ startTimestamp: 'at', properties: ['note'] },
  })),
  relationships: [
    { name: 'r', source: `A ${image}`, target: `B ${image}`, mappings: [{ expression }] },
    { source: `A ${image}`, target: `B ${image}`, mappings: [{ source: column, target: column }] },
  ],
};

describe('language server: Markdown escaping of data', () => {
  let folder: string;
  let client: LspClient;
  let uri: string;
  const text = stringify(graph);

  before(async () => {
    const cell = (value: string): string => `"${value.replaceAll('"', '""')}"`;
    folder = await folderWith({
      'entity-sources.yaml': 'version: 1\ndataSources:\n  files: { kind: csv, path: "*.csv" }\n',
      [`${table}.csv`]: [
        [column, 'at', 'note'].map(cell).join(','),
        [`1 ${image}`, '2024-01-01 00:00:00', `a\n\n${image}`].map(cell).join(','),
        [`2 ${image}`, '2024-01-02 00:00:00', fence].map(cell).join(','),
      ].join('\n'),
    });
    client = await startLspClient({ folder, initializationOptions: { trusted: true, extended: true } });
    uri = await client.open(join(folder, 'a.entity.yaml'), text, 'entity-graph');
  });
  after(async () => {
    await client.close();
    await removeFolder(folder);
  });

  const at = (behind: string, inside: number): object => ({
    textDocument: { uri },
    position: positionAt(text, text.indexOf(behind) + inside),
  });

  /** The view once the catalog is known. */
  async function hovered(behind: string, inside: number, condition: RegExp): Promise<RenderedMarkdown> {
    return waitUntil(`a hover says ${condition}`, async () => {
      const hover: Hover | null = await client.connection.sendRequest('textDocument/hover', at(behind, inside));
      const value = (hover?.contents as MarkupContent | undefined)?.value;
      return value !== undefined && condition.test(value) ? renderMarkdown(value) : undefined;
    });
  }

  function onlyText({ kinds }: RenderedMarkdown): void {
    const harmless = ['paragraph', 'text', 'escape', 'br', 'space', 'strong', 'codespan', 'code'];
    assert.deepEqual(
      [...kinds].filter((kind) => !harmless.includes(kind)),
      [],
    );
  }

  it('hover: column values', async () => {
    const shown = await hovered('- note', 4, /Such as/);
    onlyText(shown);
    assert.deepEqual([...shown.code].sort(), [`a↵↵${image}`, fence.replaceAll('\n', '↵')].sort());
  });

  it('hover: table and column names', async () => {
    const object = await hovered('dataObject: ', 14, /columns/);
    onlyText(object);
    assert.ok(object.text.startsWith(`${table} — file · 3 columns`), object.text);
    const key = await hovered('key: ', 8, /Such as/);
    onlyText(key);
    assert.ok(key.text.startsWith(`${column} — `), key.text);
  });

  it('hover: activity names, expressions and SQL', async () => {
    const joined = await hovered('name: r', 6, /sql/);
    onlyText(joined);
    const [words, sql] = joined.code;
    assert.equal(words, expression.replaceAll(/\s+/g, ' '));
    assert.ok(sql?.includes(fence), sql);
    assert.ok(joined.text.startsWith(`Each A ${image} is linked to every B ${image} where `), joined.text);
    const end = await hovered('source: A', 9, /element of/);
    onlyText(end);
    assert.ok(end.text.startsWith(`A ${image} — element of ${table}, from at`), end.text);
  });

  it('completion documentation', async () => {
    const items = await waitUntil('columns are proposed', async () => {
      const found: CompletionItem[] = await client.connection.sendRequest('textDocument/completion', at('- note', 2));
      return found.some(({ label }) => label === column) ? found : undefined;
    });
    const shown = items.flatMap(({ documentation }) => {
      assert.notEqual(typeof documentation, 'string');
      return documentation ? [renderMarkdown((documentation as MarkupContent).value)] : [];
    });
    for (const each of shown) onlyText(each);
    assert.ok(shown.some(({ text: each }) => each.startsWith(`${column} — `)));
  });
});
