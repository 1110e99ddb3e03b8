import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';
import type { Diagnostic, DocumentDiagnosticReport } from 'vscode-languageserver-protocol/node';
import { type LspClient, startLspClient } from './lsp-client.ts';
import { type SampleFolder, copySampleFolder } from './sample-folder.ts';

const bomb = ['a: &a [x, x, x, x, x, x, x, x, x]']
  .concat(
    'bcdefgh'.split('').map((name, index) => `${name}: &${name} [${Array(9).fill(`*${'abcdefg'[index]}`).join(', ')}]`),
  )
  .join('\n');

/** Documents that have locked, swollen or crashed readers of YAML, from a good one. */
const documents: readonly (readonly [name: string, make: (good: string) => string])[] = [
  ['nothing', () => ''],
  ['a byte order mark', (good) => `\uFEFF${good}`],
  ['Windows line ends', (good) => good.replaceAll('\n', '\r\n')],
  ['old Macintosh line ends', (good) => good.replaceAll('\n', '\r')],
  ['tabs', (good) => good.replaceAll('  ', '\t')],
  ['the file cut off in the middle', (good) => good.slice(0, good.length / 2)],
  ['the file pasted into itself', (good) => good.slice(0, 300) + good + good.slice(300)],
  ['conflict marks', (good) => good.replace('elements:', '<<<<<<< ours\nelements:\n=======\nelement:\n>>>>>>> theirs')],
  ['several documents', (good) => `${good}---\n${good}...\n`],
  ['a YAML bomb', (good) => `${bomb}\n${good}`],
  ['an anchor inside itself', (good) => `x-a: &a { x-b: *a }\n${good}`],
  ['merge keys', (good) => `x-base: &base { correlate: both }\n${good.replace('correlate: both', '<<: *base')}`],
  ['deep nesting', (good) => `${good}x-deep: ${'['.repeat(2_000)}${']'.repeat(2_000)}\n`],
  ['deep nesting that is never closed', (good) => `${good}x-deep: ${'[{a: '.repeat(2_000)}`],
  ['a line of a megabyte', (good) => `${good}x-long: ${'word '.repeat(200_000)}\n`],
  ['a quoted line of a megabyte, never closed', (good) => `x-long: "${'word '.repeat(200_000)}\n${good}`],
  ['JSON', () => JSON.stringify({ version: 1, dataSource: 'itsm', elements: [{ activityName: 'A' }] }, null, 2)],
  ['a list', () => '- a\n- b\n'],
  ['control signs and lone surrogates', (good) => `${good}x-odd: "\u0000\u0007\uD800"\n`],
];

describe('language server: documents that nobody should write', () => {
  let sample: SampleFolder;
  let client: LspClient;
  let good: string;
  before(async () => {
    sample = await copySampleFolder('incidents');
    good = await sample.text('incidents.entity.yaml');
    client = await startLspClient({ folder: sample.folder, capabilities: { textDocument: { diagnostic: {} } } });
  });
  after(() => client.close());

  for (const [index, [name, make]] of documents.entries()) {
    it(`answers every request about ${name}, also while it is typed in, and goes on`, async () => {
      const text = make(good);
      const uri = pathToFileURL(sample.path(`nasty${index}.entity.yaml`)).href;
      await client.connection.sendNotification('textDocument/didOpen', {
        textDocument: { uri, languageId: 'entity-graph', version: 1, text },
      });
      const textDocument = { uri };
      for (const [version, position] of [
        { line: 0, character: 0 },
        { line: 5, character: 4 },
        { line: 1_000_000, character: 1_000_000 },
      ].entries()) {
        await client.connection.sendNotification('textDocument/didChange', {
          textDocument: { uri, version: version + 2 },
          contentChanges: [{ range: { start: position, end: position }, text: 'x' }],
        });
        await Promise.all([
          client.connection.sendRequest('textDocument/completion', { textDocument, position }),
          client.connection.sendRequest('textDocument/hover', { textDocument, position }),
          client.connection.sendRequest('textDocument/documentSymbol', { textDocument }),
          client.connection.sendRequest('textDocument/foldingRange', { textDocument }),
          client.connection.sendRequest('textDocument/prepareCallHierarchy', { textDocument, position }),
          client.connection.sendRequest('textDocument/semanticTokens/full', { textDocument }),
          client.connection.sendRequest('textDocument/formatting', {
            textDocument,
            options: { tabSize: 2, insertSpaces: true },
          }),
          client.connection.sendRequest('entityGraph/graphView', { uri }),
        ]);
      }
      await problems(uri);
      await client.connection.sendNotification('textDocument/didClose', { textDocument });
      const healthy = pathToFileURL(sample.path('healthy.entity.yaml')).href;
      await client.connection.sendNotification('textDocument/didOpen', {
        textDocument: { uri: healthy, languageId: 'entity-graph', version: 1, text: good },
      });
      assert.deepEqual(await problems(healthy), []);
      await client.connection.sendNotification('textDocument/didClose', { textDocument: { uri: healthy } });
    });
  }

  async function problems(uri: string): Promise<readonly Diagnostic[]> {
    const params = { textDocument: { uri } };
    const report: DocumentDiagnosticReport = await client.connection.sendRequest('textDocument/diagnostic', params);
    return report.kind === 'full' ? report.items : [];
  }
});
