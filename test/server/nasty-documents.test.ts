import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';
import type { Diagnostic, DocumentDiagnosticReport } from 'vscode-languageserver-protocol/node';
import { parseDocument } from 'yaml';
import { waitUntil } from '../support/wait-until.ts';
import { removeFolder } from '../support/temporary-folder.ts';
import { askAbout, fullCapabilities, requests } from './fuzz-typing.ts';
import { type LspClient, startLspClient } from './lsp-client.ts';
import { longText, nastyTexts } from './nasty-texts.ts';
import { residentMemory } from './resident-memory.ts';
import { type SampleFolder, copySampleFolder } from './sample-folder.ts';

describe('language server: pathological documents', () => {
  let sample: SampleFolder;
  let client: LspClient;
  let good: string;
  /** Milliseconds of all requests about an ordinary file, and the server's memory afterwards. */
  let ordinary: number;
  let memory: number;

  before(async () => {
    sample = await copySampleFolder('incidents');
    good = await sample.text('incidents.entity.yaml');
    client = await startLspClient({
      folder: sample.folder,
      capabilities: { textDocument: { ...fullCapabilities.textDocument, diagnostic: {} } },
      initializationOptions: { extended: true, trusted: true },
    });
    // Once, to load everything that is loaded on first use.
    await answer('first', good);
    ordinary = await answer('ordinary', good);
    memory = await residentMemory(client.pid);
  });
  after(async () => {
    await client.close();
    await removeFolder(sample.folder);
  });

  for (const [index, [name, make]] of nastyTexts.entries()) {
    it(`answers every request about ${name}, also during edits, and continues`, async () => {
      const text = make(good);
      const most = mostOrdinary * ordinary + rounds.length * maxReadings * readingTime(text);
      const took = await answer(`nasty${index}`, text);
      assert.ok(took < most, `It took ${(took / most).toFixed(1)} times as long as it may.`);
      const healthy = await open('healthy', good);
      assert.deepEqual(await problems(healthy), []);
      await close(healthy);
    });
  }

  it('answers every request about 50,000 lines in time proportional to that of 10,000', async () => {
    const perLine: number[] = [];
    let reading = 0;
    // The first round does not count, because functions are not compiled yet.
    for (const lines of [10_000, 10_000, 50_000]) {
      const text = longText(good, lines);
      const took = await answer(`long${perLine.length}`, text);
      perLine.push(took / lines);
      reading = took / readingTime(text);
    }
    const [, shorter = 0, longer = 0] = perLine;
    assert.ok(longer < 3 * shorter, `A line takes ${(longer / shorter).toFixed(1)} times as long.`);
    assert.ok(reading < rounds.length * maxReadings, `It takes ${reading.toFixed(0)} readings.`);
  }).timeout(600_000);

  it('releases the memory of all of them', async () => {
    // Their memory is garbage by now, which is collected when the server is idle.
    await waitUntil(
      'the memory was given back',
      async () => ((await residentMemory(client.pid)) / memory < maxMemory ? true : undefined),
      120_000,
    );
  }).timeout(600_000);

  /** Types at some places of a text and sends every request each time; returns the duration. */
  async function answer(name: string, text: string): Promise<number> {
    const uri = await open(name, text);
    const began = performance.now();
    for (const [version, position] of rounds.entries()) {
      await client.connection.sendNotification('textDocument/didChange', {
        textDocument: { uri, version: version + 2 },
        contentChanges: [{ range: { start: position, end: position }, text: 'x' }],
      });
      const place = { uri, position, end: { ...position, line: position.line + 5 }, word: 'inc' };
      const ask = (): Promise<unknown> =>
        Promise.all(Object.keys(requests).map((request) => askAbout(client.connection, request, place)));
      const view = client.connection.sendRequest('entityGraph/graphView', { uri });
      // A long text may have refused changes before it was parsed; it is parsed once its view exists.
      await ask().catch(async (error: unknown) => {
        assert.match(String(error), /is large and still being read/);
        await view;
        await ask();
      });
      await view;
    }
    await problems(uri);
    const took = performance.now() - began;
    await close(uri);
    return took;
  }

  async function open(name: string, text: string): Promise<string> {
    const uri = pathToFileURL(sample.path(`${name}.entity.yaml`)).href;
    await client.connection.sendNotification('textDocument/didOpen', {
      textDocument: { uri, languageId: 'entity-graph', version: 1, text },
    });
    return uri;
  }

  const close = (uri: string): Promise<void> =>
    client.connection.sendNotification('textDocument/didClose', { textDocument: { uri } });

  async function problems(uri: string): Promise<readonly Diagnostic[]> {
    const params = { textDocument: { uri } };
    const report: DocumentDiagnosticReport = await client.connection.sendRequest('textDocument/diagnostic', params);
    return report.kind === 'full' ? report.items : [];
  }
});

/** Where text is typed. */
const rounds = [
  { line: 0, character: 0 },
  { line: 5, character: 4 },
  { line: 1_000_000, character: 1_000_000 },
];

/**
 * Time limit of all requests together: a multiple of the time for an ordinary file, and of the YAML parser's time for
 * the text. They read it some dozens of times at worst; a blocked editor takes far longer.
 */
const [mostOrdinary, maxReadings] = [20, 100];
const maxMemory = 3;

/** Current duration of the YAML parser for a text on this machine. */
function readingTime(text: string): number {
  const began = performance.now();
  parseDocument(text, { logLevel: 'silent' });
  return performance.now() - began;
}
