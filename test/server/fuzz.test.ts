import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import type {
  Diagnostic,
  DocumentDiagnosticReport,
  PublishDiagnosticsParams,
} from 'vscode-languageserver-protocol/node';
import { isSoak, soakAssert } from '../support/soak.ts';
import { removeFolder } from '../support/temporary-folder.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type TypedDocument, ask, editArbitrary, fullCapabilities, requests, type } from './fuzz-typing.ts';
import { type LspClient, startLspClient } from './lsp-client.ts';
import { nastyTexts } from './nasty-texts.ts';
import { type SampleFolder, copySampleFolder } from './sample-folder.ts';

/** How the client gets problems: by pull or push diagnostics. */
const modes = ['pull', 'push'] as const;

for (const mode of modes) {
  describe(`language server: random edits, problems by ${mode}`, () => {
    let sample: SampleFolder;
    let client: LspClient;
    let good: string;
    let opened = 0;

    before(async () => {
      sample = await copySampleFolder('incidents');
      good = await sample.text('incidents.entity.yaml');
      const { textDocument } = fullCapabilities;
      client = await startLspClient({
        folder: sample.folder,
        capabilities: mode === 'pull' ? { textDocument: { ...textDocument, diagnostic: {} } } : {},
        // Our own client gets additional features.
        initializationOptions: { extended: mode === 'pull', trusted: true },
      });
      // From here on the columns are known, so every response is determined.
      const first = await open(good.replace('opened_at', 'opened_atx'));
      await waitUntil('the columns are known', async () => ((await problems(first)).length > 0 ? true : undefined));
    });
    after(async () => {
      await client.close();
      await removeFolder(sample.folder);
    });

    async function open(text: string): Promise<TypedDocument> {
      opened += 1;
      const uri = pathToFileURL(sample.path(`fuzz${opened}.entity.yaml`)).href;
      await client.connection.sendNotification('textDocument/didOpen', {
        textDocument: { uri, languageId: 'entity-graph', version: 1, text },
      });
      return { uri, text, version: 1 };
    }

    const close = ({ uri }: TypedDocument): Promise<void> =>
      client.connection.sendNotification('textDocument/didClose', { textDocument: { uri } });

    const pushed = ({ uri }: TypedDocument): readonly PublishDiagnosticsParams[] =>
      client
        .notifications<PublishDiagnosticsParams>('textDocument/publishDiagnostics')
        .filter((published) => published.uri === uri);

    /** The problems of the newest version of a document. */
    async function problems(document: TypedDocument): Promise<readonly Diagnostic[]> {
      if (mode === 'push') {
        return waitUntil(
          'problems are pushed',
          async () => {
            const last = pushed(document).at(-1);
            return last?.version === document.version ? last.diagnostics : undefined;
          },
          maxWaitMs,
        );
      }
      const report: DocumentDiagnosticReport = await client.connection.sendRequest('textDocument/diagnostic', {
        textDocument: { uri: document.uri },
      });
      return report.kind === 'full' ? report.items : [];
    }

    const scenario = fc.record({
      base: fc.oneof(
        { weight: 2, arbitrary: fc.constant(-1) },
        { weight: 3, arbitrary: fc.nat(nastyTexts.length - 1) },
      ),
      edits: fc.array(editArbitrary, { minLength: 1, maxLength: 6 }),
    });

    it('every request is answered, and incremental changes lead to the same problems as the whole text', async () => {
      const property = fc.asyncProperty(scenario, async ({ base, edits }) => {
        const document = await open(nastyTexts[base]?.[1](good) ?? good);
        for (const edit of edits) await type(client, document, edit);
        for (const name of Object.keys(requests)) {
          if (name !== 'codeLens' || mode === 'pull')
            await ask(client, document, name, Math.floor(document.text.length / 2));
        }
        await client.connection.sendRequest('entityGraph/graphView', { uri: document.uri });
        await client.connection.sendRequest('entityGraph/queryTargets', { uri: document.uri });
        const whole = await open(document.text);
        // DuckDB's parser responds in the background, perhaps between the two requests: then both are repeated.
        let answers: readonly (readonly unknown[])[] = [];
        await waitUntil(
          'both have the same problems',
          async () => {
            answers = [await problems(document), await problems(whole)].map(withoutAddresses);
            return isDeepStrictEqual(answers[0], answers[1]) ? true : undefined;
          },
          maxWaitMs,
        ).catch(() => assert.deepEqual(answers[0], answers[1]));
        // Pushed problems follow the text: never an older version after a newer one.
        const versions = pushed(document).map(({ version }) => version ?? 0);
        assert.deepEqual(
          versions,
          versions.toSorted((left, right) => left - right),
        );
        for (const each of [document, whole]) await close(each);
      });
      await soakAssert(property, 4, 1 / modes.length);
    }).timeout(isSoak ? 0 : 240_000);
  });
}

/** Other programs may keep this machine busy: a missing result is the failure, not a slow one. */
const maxWaitMs = 60_000;

function withoutAddresses(diagnostics: readonly Diagnostic[]): readonly unknown[] {
  return diagnostics.map(({ relatedInformation: _related, ...rest }) => rest);
}
