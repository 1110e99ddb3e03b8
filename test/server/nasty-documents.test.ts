import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';
import type { Diagnostic, DocumentDiagnosticReport } from 'vscode-languageserver-protocol/node';
import { type LspClient, startLspClient } from './lsp-client.ts';
import { nastyTexts } from './nasty-texts.ts';
import { type SampleFolder, copySampleFolder } from './sample-folder.ts';

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

  for (const [index, [name, make]] of nastyTexts.entries()) {
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
