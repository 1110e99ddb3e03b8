import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Diagnostic, DocumentDiagnosticReport } from 'vscode-languageserver-protocol/node';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { removeFolder } from '../support/temporary-folder.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type LspClient, positionAt, startLspClient } from './lsp-client.ts';
import { type SampleFolder, copySampleFolder } from './sample-folder.ts';

/** Pieces that hurt: YAML's signs, half a key, other scripts, other line ends. */
const pieces = [
  '',
  ' ',
  '\n',
  '\r\n',
  '\t',
  ':',
  ': ',
  '- ',
  '[',
  ']',
  '{',
  '}',
  '"',
  "'",
  '|\n',
  '# ',
  '&a',
  '*a',
  '!',
  'elements',
  'é',
  '😀',
  '\u0000',
];

describe('language server: whatever is typed', () => {
  let sample: SampleFolder;
  let client: LspClient;
  let text: string;

  before(async () => {
    sample = await copySampleFolder('incidents');
    text = await sample.text('incidents.entity.yaml');
    client = await startLspClient({ folder: sample.folder, capabilities: { textDocument: { diagnostic: {} } } });
    // From here on the columns are known, so that every question has one answer.
    const uri = await openGraph(client, sample.path('first.entity.yaml'), text.replace('opened_at', 'opened_atx'));
    while ((await problems(client, uri)).length === 0);
  });
  after(async () => {
    await client.close();
    await removeFolder(sample.folder);
  });

  it('every request is answered, and edits lead to the same problems as the whole text at once', async () => {
    const edit = fc.record({ at: fc.nat(), remove: fc.nat({ max: 40 }), insert: fc.constantFrom(...pieces) });
    let run = 0;
    const property = fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 6 }), async (edits) => {
      run += 1;
      const typed = await openGraph(client, sample.path(`typed${run}.entity.yaml`), text);
      let current = text;
      let position = { line: 0, character: 0 };
      for (const [index, { at, remove, insert }] of edits.entries()) {
        const start = wholeCharacter(current, at % (current.length + 1));
        const end = wholeCharacter(current, Math.min(start + remove, current.length));
        position = positionAt(current, start);
        await client.connection.sendNotification('textDocument/didChange', {
          textDocument: { uri: typed, version: index + 2 },
          contentChanges: [{ range: { start: position, end: positionAt(current, end) }, text: insert }],
        });
        current = current.slice(0, start) + insert + current.slice(end);
      }
      const textDocument = { uri: typed };
      await client.connection.sendRequest('textDocument/completion', { textDocument, position });
      await client.connection.sendRequest('textDocument/hover', { textDocument, position });
      await client.connection.sendRequest('textDocument/documentSymbol', { textDocument });
      await client.connection.sendRequest('entityGraph/graphView', { uri: typed });
      await client.connection.sendRequest('entityGraph/queryTargets', { uri: typed });
      const whole = await openGraph(client, sample.path(`whole${run}.entity.yaml`), current);
      // DuckDB's parser answers in the background, perhaps between the two questions: then they are asked again.
      let answers: readonly (readonly unknown[])[] = [];
      await waitUntil('both have the same problems', async () => {
        answers = [await problems(client, typed), await problems(client, whole)].map(withoutAddresses);
        return isDeepStrictEqual(answers[0], answers[1]) ? true : undefined;
      }).catch(() => assert.deepEqual(answers[0], answers[1]));
      for (const uri of [typed, whole])
        await client.connection.sendNotification('textDocument/didClose', { textDocument: { uri } });
    });
    await fc.assert(property, { numRuns: 60 });
  });
});

async function openGraph({ connection }: LspClient, path: string, text: string): Promise<string> {
  const uri = pathToFileURL(path).href;
  const textDocument = { uri, languageId: 'entity-graph', version: 1, text };
  await connection.sendNotification('textDocument/didOpen', { textDocument });
  return uri;
}

async function problems({ connection }: LspClient, uri: string): Promise<readonly Diagnostic[]> {
  const report: DocumentDiagnosticReport = await connection.sendRequest('textDocument/diagnostic', {
    textDocument: { uri },
  });
  return report.kind === 'full' ? report.items : [];
}

function withoutAddresses(diagnostics: readonly Diagnostic[]): readonly unknown[] {
  return diagnostics.map(({ relatedInformation: _related, ...rest }) => rest);
}

/** No edit of an editor starts inside a line end or a surrogate pair. */
function wholeCharacter(text: string, offset: number): number {
  const inside = /[\uDC00-\uDFFF]/.test(text[offset] ?? '') || (text[offset] === '\n' && text[offset - 1] === '\r');
  return inside ? offset - 1 : offset;
}
