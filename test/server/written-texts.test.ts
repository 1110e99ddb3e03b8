import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { TextDocumentEdit, TextEdit, WorkspaceEdit } from 'vscode-languageserver-protocol/node';
import type { Outcome } from '../../protocol/query-results.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';
import { lostComments, meaningOfText } from '../support/written-text.ts';
import { type LspClient, positionAt, startLspClient } from './lsp-client.ts';

/** The notations of a name in YAML, with its value. */
const forms: readonly (readonly [name: string, written: string, says: string])[] = [
  ['a plain text', 'Shop # said', 'Shop'],
  ['double quotes', '"Shop" # said', 'Shop'],
  ['a literal block without its last line break', '|-\n  Shop', 'Shop'],
  ['a literal block with a comment', '|- # said\n  Shop', 'Shop'],
  ['a literal block', '|\n  Shop', 'Shop\n'],
  ['a folded block', '>-\n  Shop', 'Shop'],
  ['a folded block that is kept', '>+\n  Shop', 'Shop\n'],
  ['a block with an indentation indicator', '|2-\n    Shop', '  Shop'],
  ['a block of several lines', '|-\n  Shop\n  of things', 'Shop\nof things'],
  ['a plain text over two lines', 'Shop\n  of things', 'Shop of things'],
  ['a text below its key', '# said\n  Shop', 'Shop'],
  ['a tag', '!!str Shop', 'Shop'],
];

/** An editor's work: edits of one text as in the protocol. */
function applied(text: string, edits: readonly TextEdit[]): string {
  const lines = text.split('\n');
  const offset = ({ line, character }: TextEdit['range']['start']): number =>
    lines.slice(0, line).reduce((sum, each) => sum + each.length + 1, 0) + character;
  return edits
    .toSorted((one, other) => offset(other.range.start) - offset(one.range.start))
    .reduce(
      (now, { range, newText }) => now.slice(0, offset(range.start)) + newText + now.slice(offset(range.end)),
      text,
    );
}

function editsOf({ documentChanges = [] }: WorkspaceEdit, uri: string): readonly TextEdit[] {
  const changes = documentChanges.filter((change): change is TextDocumentEdit => 'edits' in change);
  return changes.filter(({ textDocument }) => textDocument.uri === uri).flatMap(({ edits }) => edits as TextEdit[]);
}

describe('language server: quoting in written text', () => {
  let folder: string;
  let client: LspClient;

  before(async () => {
    folder = await folderWith({ 'entity-sources.yaml': 'version: 1\ndataSources: {}\n' });
    client = await startLspClient({ folder, initializationOptions: { trusted: true, extended: true } });
  });
  after(async () => {
    await client.close();
    await removeFolder(folder);
  });

  for (const [index, [name, written, says]] of forms.entries()) {
    for (const eol of ['\n', '\r\n']) {
      const kind = eol === '\n' ? '' : ', with the line ends of Windows';

      it(`copy: a graph named ${name}${kind}`, async () => {
        const text = `version: 1\nname: ${written}\ndescription: x\n`.replaceAll('\n', eol);
        const file = join(folder, `copied-${index}-${eol.length}.entity.yaml`);
        await client.open(file, text, 'entity-graph');
        const target = join(folder, `copy-${index}-${eol.length}.entity.yaml`);
        const made: Outcome<unknown> = await client.connection.sendRequest('entityGraph/copy', {
          uri: pathToFileURL(file).href,
          target: pathToFileURL(target).href,
        });
        assert.ok(made.ok, JSON.stringify(made));
        const copy = await readFile(target, 'utf8');
        const expected = says.endsWith('\n') ? `${says.trimEnd()} (copy)\n` : `${says} (copy)`;
        assert.deepEqual(meaningOfText(copy), { version: 1, name: expected, description: 'x' }, copy);
        assert.deepEqual(lostComments(text, copy), []);
      });

      it(`rename: an activity named ${name}${kind}`, async () => {
        const shifted = written.replaceAll('\n', '\n    ');
        const text =
          `version: 1\nelements:\n  - activityName: ${shifted}\n    dataObject: orders\nrelationships:\n  - source: ${shifted}\n    target: Other\n`.replaceAll(
            '\n',
            eol,
          );
        const uri = await client.open(join(folder, `named-${index}-${eol.length}.entity.yaml`), text, 'entity-graph');
        const edit: WorkspaceEdit = await client.connection.sendRequest('textDocument/rename', {
          textDocument: { uri },
          position: positionAt(text, text.indexOf('Shop') + 1),
          newName: 'Sell: it',
        });
        const after = applied(text, editsOf(edit, uri));
        assert.deepEqual(
          meaningOfText(after),
          {
            version: 1,
            elements: [{ activityName: 'Sell: it', dataObject: 'orders' }],
            relationships: [{ source: 'Sell: it', target: 'Other' }],
          },
          after,
        );
        assert.deepEqual(lostComments(text, after), []);
      });
    }
  }

  it('rename: a data source, in its file and in graphs, in any notation', async () => {
    const sources =
      'version: 1\ndataSources:\n  # ours\n  "Shop": # said\n    { kind: csv, path: "*.csv" }\n  other: { kind: csv, path: "*.csv" }\n';
    const home = await folderWith({ 'entity-sources.yaml': sources });
    try {
      const graphs = forms
        .filter(([, , says]) => says === 'Shop')
        .map(([, written]) => `version: 1\ndataSource: ${written}\nname: x\n`);
      const server = await startLspClient({ folder: home });
      try {
        const sourcesUri = await server.open(join(home, 'entity-sources.yaml'), sources, 'entity-sources');
        const uris = await Promise.all(
          graphs.map((text, at) => server.open(join(home, `g${at}.entity.yaml`), text, 'entity-graph')),
        );
        const edit: WorkspaceEdit = await server.connection.sendRequest('textDocument/rename', {
          textDocument: { uri: sourcesUri },
          position: positionAt(sources, sources.indexOf('Shop') + 1),
          newName: '# new',
        });
        const after = applied(sources, editsOf(edit, sourcesUri));
        assert.deepEqual(Object.keys((meaningOfText(after) as { dataSources: object }).dataSources), [
          '# new',
          'other',
        ]);
        assert.deepEqual(lostComments(sources, after), []);
        for (const [at, text] of graphs.entries()) {
          const graph = applied(text, editsOf(edit, uris[at] ?? ''));
          assert.deepEqual(meaningOfText(graph), { version: 1, dataSource: '# new', name: 'x' }, graph);
          assert.deepEqual(lostComments(text, graph), []);
        }
      } finally {
        await server.close();
      }
    } finally {
      await removeFolder(home);
    }
  });

  it('rename: is refused when an anchor is used for something else', async () => {
    const text = 'elements:\n  - activityName: &a Shop\n    dataObject: orders\n    entityType: *a\n';
    const uri = await client.open(join(folder, 'anchor.entity.yaml'), text, 'entity-graph');
    const renamed = client.connection.sendRequest('textDocument/rename', {
      ...{ textDocument: { uri }, newName: 'Sell' },
      position: positionAt(text, text.indexOf('Shop')),
    });
    await assert.rejects(renamed, /would affect other text, such as an anchor/);
  });

  it('copy: is refused when the file cannot be read', async () => {
    const file = join(folder, 'broken.entity.yaml');
    await client.open(file, '!x\nversion: 1\nname: "Shop\n', 'entity-graph');
    const made: Outcome<unknown> = await client.connection.sendRequest('entityGraph/copy', {
      uri: pathToFileURL(file).href,
      target: pathToFileURL(join(folder, 'broken-copy.entity.yaml')).href,
    });
    assert.ok(!made.ok);
    assert.match(made.error.message, /^broken\.entity\.yaml cannot be given another name\. The file cannot be read/);
  });
});
