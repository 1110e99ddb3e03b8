import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';
import type { DocumentDiagnosticReport } from 'vscode-languageserver-protocol/node';
import { removeFolder } from '../support/temporary-folder.ts';
import { tooManyAliases } from '../support/too-many-aliases.ts';
import { askAbout, fullCapabilities, requests } from './fuzz-typing.ts';
import { type LspClient, startLspClient } from './lsp-client.ts';
import { nastyTexts } from './nasty-texts.ts';
import { type SampleFolder, copySampleFolder } from './sample-folder.ts';

/** Fields that only settings have. */
const nastySettings: readonly (readonly [name: string, make: (good: string) => string])[] = [
  ['a data source inside itself', (good) => `${good.replace('log:', 'log: &log')}    x-self: *log\n`],
  ['settings inside themselves', (good) => `${good}    x-list: &list [1, { again: *list }]\n`],
  [
    'settings with more aliases than are expanded',
    (good) => `${good}${tooManyAliases.replace(/^/gm, '    ').trimEnd()}\n`,
  ],
  ['an alias that leads nowhere', (good) => `${good}    x-a: *nowhere\n`],
];

describe('language server: pathological data sources', () => {
  let sample: SampleFolder;
  let client: LspClient;
  let sources: string;
  let graph: string;
  let [sourcesUri, graphUri] = ['', ''];
  let version = 1;

  before(async () => {
    sample = await copySampleFolder('incidents');
    sources = await sample.text('entity-sources.yaml');
    const good = await sample.text('incidents.entity.yaml');
    graph = good.replace('opened_at', 'opened_atx');
    client = await startLspClient({
      folder: sample.folder,
      capabilities: { textDocument: { ...fullCapabilities.textDocument, diagnostic: {} } },
      initializationOptions: { extended: true, trusted: true },
    });
    sourcesUri = await open('entity-sources.yaml', 'entity-sources', sources);
    graphUri = await open('incidents.entity.yaml', 'entity-graph', graph);
  });
  after(async () => {
    await client.close();
    await removeFolder(sample.folder);
  });

  for (const [name, make] of [...nastyTexts, ...nastySettings]) {
    it(`answers every request about ${name} and its graphs, and continues`, async () => {
      const text = make(sources);
      await change(text);
      const middle = { line: text.split('\n').length >> 1, character: 6 };
      for (const [uri, position] of [
        [sourcesUri, middle],
        [graphUri, { line: 18, character: 18 }],
      ] as const) {
        const place = { uri, position, end: { ...position, line: position.line + 5 }, word: 'log' };
        await Promise.all(Object.keys(requests).map((request) => askAbout(client.connection, request, place)));
        await problems(uri);
      }
      await change(sources);
      assert.deepEqual(await problems(sourcesUri), []);
    });
  }

  it('reads the columns of a file again once its settings are fixed', async () => {
    for (let tries = 0; tries < 200; tries += 1) {
      const codes = await problems(graphUri);
      if (codes.includes('unknown-column')) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    assert.fail('The wrong column is not told.');
  });

  async function open(name: string, languageId: string, text: string): Promise<string> {
    const uri = pathToFileURL(sample.path(name)).href;
    const textDocument = { uri, languageId, version: 1, text };
    await client.connection.sendNotification('textDocument/didOpen', { textDocument });
    return uri;
  }

  async function change(text: string): Promise<void> {
    version += 1;
    const textDocument = { uri: sourcesUri, version };
    await client.connection.sendNotification('textDocument/didChange', { textDocument, contentChanges: [{ text }] });
    // Graphs search for their sources again when typing pauses.
    await new Promise((resolve) => setTimeout(resolve, 300));
  }

  async function problems(uri: string): Promise<readonly unknown[]> {
    const params = { textDocument: { uri } };
    const report: DocumentDiagnosticReport = await client.connection.sendRequest('textDocument/diagnostic', params);
    return report.kind === 'full' ? report.items.map(({ code }) => code) : [];
  }
});
