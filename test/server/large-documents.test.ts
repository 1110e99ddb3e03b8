import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';
import {
  CancellationTokenSource,
  type CodeAction,
  type DocumentSymbol,
  type FullDocumentDiagnosticReport,
  LSPErrorCodes,
  type PublishDiagnosticsParams,
} from 'vscode-languageserver-protocol/node';
import type { IntentCheck } from '../../protocol/canvas-intents.ts';
import type { Outcome } from '../../protocol/query-results.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type LspClient, positionAt, startLspClient } from './lsp-client.ts';

const head = 'version: 1\nname: Orders\ndataSource: files\ndataObjects: [orders]\nelements:\n';
const element = (index: number): string =>
  `  - { activityName: Order ${index}, dataObject: orders, key: id, entityType: type ${index % 7}, startTimestamp: placed_at }\n`;
const wrong = (index: number): string => element(index).replace('placed_at', 'placed_att');
const graph = head + Array.from({ length: 4000 }, (_, index) => element(index)).join('');

describe('language server: large document', () => {
  let folder: string;
  let client: LspClient;

  before(async () => {
    folder = await folderWith({
      'entity-sources.yaml':
        'version: 1\ndataSources:\n  files: { kind: csv, path: "*.csv" }\n  others: { kind: csv, path: "others/*.csv" }\n',
      'others/trips.csv': 'trip_id\n1\n',
      'orders.csv': 'id,placed_at\n1,2024-01-01 10:00:00\n',
      'orders.entity.yaml': graph,
      'closed.entity.yaml': graph,
    });
    client = await startLspClient({ folder });
  });
  after(async () => {
    await client.close();
    await removeFolder(folder);
  });

  const published = (uri: string): readonly PublishDiagnosticsParams[] =>
    client
      .notifications<PublishDiagnosticsParams>('textDocument/publishDiagnostics')
      .filter((each) => each.uri === uri);

  it('requests are answered while it is being validated', async () => {
    const uri = await client.open(`${folder}/orders.entity.yaml`, graph);
    await client.edit(uri, 'placed_at', 'placed_att');
    await client.diagnostics(uri, (found) => found.some(({ code }) => code === 'unknown-column'));
    // Another source, without any column of the previous one.
    const begun = performance.now();
    await client.edit(uri, 'dataSource: files', 'dataSource: others');
    let isTold = false;
    const told = client.diagnostics(uri, (found) => found.length > 4000).then(() => (isTold = true));
    let longest = 0;
    for (let last = begun; !isTold;) {
      await client.connection.sendRequest('textDocument/hover', {
        textDocument: { uri },
        position: { line: 1, character: 2 },
      });
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }
    await told;
    const share = longest / (performance.now() - begun);
    assert.ok(share < 0.5, `One answer took ${Math.round(share * 100)} % of the time until the problems were there.`);
  });

  it('is refused with a message while it is being read, without blocking other documents', async () => {
    const small = await client.open(`${folder}/small.entity.yaml`, head + element(0));
    await client.diagnostics(small, () => true);
    const uri = await client.open(`${folder}/read.entity.yaml`, graph);
    const told: string[] = [];
    const textDocument = { uri };
    const position = positionAt(graph, graph.indexOf('Order 7'));
    const symbols = client.connection
      .sendRequest<readonly DocumentSymbol[]>('textDocument/documentSymbol', { textDocument })
      .then((result) => (told.push('symbols'), result));
    // All of them are sent before the first is answered: a fast machine has read the document soon.
    const tells = async <Result>(name: string, asked: Promise<Result>): Promise<Result> =>
      asked.finally(() => told.push(name));
    const ask = <Result>(method: string, params: object): Promise<Result> =>
      client.connection.sendRequest<Result>(method, params);
    const [hover, ofOther, renamed, edited] = await Promise.all([
      tells('hover', ask('textDocument/hover', { textDocument, position })),
      tells(
        'hover of another',
        ask('textDocument/hover', {
          textDocument: { uri: small },
          position: positionAt(head, head.indexOf('dataSource')),
        }),
      ),
      tells(
        'rename',
        ask('textDocument/rename', { textDocument, position, newName: 'X' }).catch(({ message }: Error) => message),
      ),
      tells(
        'edit',
        ask<Outcome<unknown>>('entityGraph/edit', { uri, intent: { kind: 'duplicateElement', element: 'Order 7' } }),
      ),
    ]);
    assert.equal(renamed, 'read.entity.yaml is large and still being read. Try again in a moment.');
    assert.equal(hover, null);
    assert.notEqual(ofOther, null);
    assert.equal(edited.ok ? undefined : edited.error.code, 'still-being-read');
    const [group] = await symbols;
    assert.equal(group?.children?.length, 4000);
    assert.deepEqual(told, ['hover', 'hover of another', 'rename', 'edit', 'symbols']);
    assert.notEqual(
      await client.connection.sendRequest('textDocument/rename', { textDocument, position, newName: 'X' }),
      null,
    );
  });

  /** The longest response about another file, as a share of a request's duration. */
  async function longestMeanwhile<Result>(
    ask: () => Promise<Result>,
    onAnswer?: (answers: number) => void,
  ): Promise<{ result: Result; share: number }> {
    const uri = await client.open(`${folder}/beside.entity.yaml`, head + element(0));
    const hover = () =>
      client.connection.sendRequest('textDocument/hover', {
        textDocument: { uri },
        position: positionAt(head, head.indexOf('dataSource')),
      });
    await hover();
    let isDone = false;
    let longest = 0;
    const begun = performance.now();
    const asked = ask().finally(() => (isDone = true));
    let answers = 0;
    for (let last = begun; !isDone; last = performance.now()) {
      await hover();
      longest = Math.max(longest, performance.now() - last);
      onAnswer?.((answers += 1));
    }
    const result = await asked;
    // Of less than half a second, a single pause of the process is a large share.
    return { result, share: longest / Math.max(performance.now() - begun, 500) };
  }

  it('requests that wait for it are cancelled at once', async () => {
    const text = head + Array.from({ length: 20_000 }, (_, index) => element(index)).join('');
    const uri = await client.open(`${folder}/cancelled.entity.yaml`, text);
    const textDocument = { uri };
    const range = { start: { line: 0, character: 0 }, end: { line: 50, character: 0 } };
    const source = new CancellationTokenSource();
    const asked = [
      ...['documentSymbol', 'foldingRange', 'documentLink', 'codeLens', 'inlayHint', 'semanticTokens/full'],
      'diagnostic',
    ].map((method) => client.connection.sendRequest(`textDocument/${method}`, { textDocument, range }, source.token));
    const view = client.connection.sendRequest('entityGraph/graphView', { uri }, source.token);
    const answered = Promise.allSettled([...asked, view]);
    const position = positionAt(text, text.indexOf('Order 7'));
    // All of them are waiting when this is answered.
    assert.equal(await client.connection.sendRequest('textDocument/hover', { textDocument, position }), null);
    source.cancel();
    const codes = (await answered).map((each) =>
      each.status === 'rejected' ? (each.reason as { code?: unknown }).code : 'answered',
    );
    assert.deepEqual(
      codes,
      codes.map(() => LSPErrorCodes.RequestCancelled),
    );
    const renamed = client.connection.sendRequest('textDocument/rename', { textDocument, position, newName: 'X' });
    await assert.rejects(renamed, { message: /is large and still being read/ });
  });

  it('a draft is validated while other requests are answered', async () => {
    const uri = await client.open(`${folder}/dialog.entity.yaml`, graph);
    await client.diagnostics(uri, () => true);
    const intent = { kind: 'configureElement', element: 'Order 7', values: { startTimestamp: 'placed_att' } };
    const { result, share } = await longestMeanwhile(() =>
      client.connection.sendRequest<Outcome<IntentCheck>>('entityGraph/checkIntent', { uri, intent }),
    );
    assert.ok(result.ok, JSON.stringify(result));
    assert.deepEqual(
      result.value.problems.map(({ code, property }) => ({ code, property })),
      [{ code: 'unknown-column', property: 'startTimestamp' }],
    );
    assert.ok(share < 0.5, `One answer took ${Math.round(share * 100)} % of the time of the check.`);
  });

  it('its status and a draft query are computed while other requests are answered', async () => {
    const uri = pathToFileURL(`${folder}/closed.entity.yaml`).href;
    const status = await longestMeanwhile(() =>
      client.connection.sendRequest<{ status: string }>('entityGraph/status', { uri }),
    );
    assert.equal(status.result.status, 'Not Imported');
    assert.ok(status.share < 0.5, `One answer took ${Math.round(status.share * 100)} % of the time of the status.`);
    const draft = { kind: 'configureElement', element: 'Order 7', values: { startTimestamp: 'placed_att' } };
    const target = { kind: 'element', name: 'Order 7' };
    const shown = await longestMeanwhile(() =>
      client.connection.sendRequest<Outcome<unknown>>('entityGraph/showQuery', { uri, target, draft }),
    );
    assert.equal(shown.result.ok ? undefined : shown.result.error.code, 'unknown-column');
    assert.ok(shown.share < 0.5, `One answer took ${Math.round(shown.share * 100)} % of the time of the query.`);
  });

  it('its import is planned while other requests are answered, and can be cancelled', async () => {
    const uri = pathToFileURL(`${folder}/closed.entity.yaml`).href;
    const source = new CancellationTokenSource();
    const plan = () =>
      client.connection
        .sendRequest<Outcome<unknown>>('entityGraph/importPlan', { uri }, source.token)
        .catch(() => undefined);
    // Every query of the graph would be described: the checks come before that.
    const { result, share } = await longestMeanwhile(plan, (answers) => {
      if (answers === 1_000) source.cancel();
    });
    assert.ok(result === undefined || !result.ok, 'The plan was there before it was cancelled.');
    assert.ok(share < 0.5, `One answer took ${Math.round(share * 100)} % of the time.`);
  });

  it('is refused by the canvas with a message when it has too many elements', async () => {
    const many = head + Array.from({ length: 10_001 }, (_, index) => element(index)).join('');
    const uri = await client.open(`${folder}/many.entity.yaml`, many);
    await client.connection.sendRequest('textDocument/documentSymbol', { textDocument: { uri } });
    const intent = { kind: 'duplicateElement', element: 'Order 7' };
    for (const method of ['entityGraph/edit', 'entityGraph/checkIntent']) {
      const answer = await client.connection.sendRequest<Outcome<unknown>>(method, { uri, intent });
      assert.equal(
        answer.ok ? undefined : answer.error.message,
        'This graph is too large to be edited on the canvas: it has 10,001 elements and relationships, and 10,000 are the most. Edit the text.',
      );
    }
  });

  it('an entry that is too large is skipped with a message, and requests inside it are answered', async () => {
    const names = Array.from({ length: 70_000 }, (_, index) => `name_${index}`).join(', ');
    const large = element(0).replace(' }', `, properties: [${names}] }`);
    const text = head + element(1) + large + element(2);
    const opened = async (name: string) => {
      const uri = await client.open(`${folder}/${name}.entity.yaml`, text);
      return { uri, ...(await longestMeanwhile(() => client.diagnostics(uri, (found) => found.length > 0))) };
    };
    const { uri, result, share: first } = await opened('long');
    // A busy machine may stop the server for a while, but not each time.
    let share = first;
    for (let again = 1; share >= 0.5 && again <= 3; again += 1) ({ share } = await opened(`long-${again}`));
    assert.deepEqual(
      result.map(({ code, range }) => ({ code, line: range.start.line })),
      [{ code: 'too-large', line: 6 }],
    );
    assert.ok(share < 0.5, `One answer took ${Math.round(share * 100)} % of the time until that was said.`);
    const textDocument = { uri };
    const position = positionAt(text, text.indexOf('name_7,'));
    const [proposals, hover, edited] = await Promise.all([
      client.connection.sendRequest<unknown>('textDocument/completion', { textDocument, position }),
      client.connection.sendRequest('textDocument/hover', { textDocument, position }),
      client.connection.sendRequest<Outcome<unknown>>('entityGraph/edit', {
        uri,
        intent: { kind: 'duplicateElement', element: 'Order 1' },
      }),
    ]);
    assert.deepEqual({ proposals, hover }, { proposals: [], hover: null });
    assert.match(edited.ok ? '' : edited.error.message, /^This file has a part that is too large to be parsed/);
  });

  it('quick fixes at a position do not wait for full validation', async () => {
    const text = head + Array.from({ length: 8000 }, (_, index) => element(index)).join('') + wrong(8000);
    const uri = await client.open(`${folder}/offered.entity.yaml`, text);
    // Answered as soon as it is parsed.
    await client.connection.sendRequest('textDocument/documentSymbol', { textDocument: { uri } });
    const position = positionAt(text, text.indexOf('placed_att'));
    const actions = await client.connection.sendRequest<readonly CodeAction[]>('textDocument/codeAction', {
      textDocument: { uri },
      range: { start: position, end: position },
      context: { diagnostics: [] },
    });
    const isWhole = published(uri).some(({ diagnostics }) => diagnostics.length > 0);
    assert.equal(isWhole, false, 'The offer came after the problems.');
    const fix = actions.find(({ kind }) => kind === 'quickfix');
    assert.match(fix?.title ?? '', /placed_at/);
    assert.deepEqual(
      fix?.diagnostics?.map(({ code }) => code),
      ['unknown-column'],
    );
    assert.equal((await client.diagnostics(uri, (found) => found.length > 0)).length, 1);
  });

  it('push diagnostics send known problems during validation, then all', async () => {
    // Mistakes that need no data source, in a file whose validation takes longer than the first publication waits.
    const unknownField = (index: number): string => element(index).replace(' }', ', unknown: 1 }');
    const text =
      head + Array.from({ length: 40_000 }, (_, index) => (index % 400 === 0 ? unknownField : element)(index)).join('');
    const uri = await client.open(`${folder}/told.entity.yaml`, text);
    await client.diagnostics(uri, (found) => found.length === 100);
    const counts = published(uri).map(({ diagnostics }) => diagnostics.length);
    const [first = 0] = counts;
    assert.ok(first > 0 && first < 100, `They were told as ${counts.join(', ')}.`);
    assert.deepEqual(
      counts,
      counts.toSorted((one, other) => one - other),
    );
  });

  it('pull diagnostics return known problems, then ask for a refresh', async () => {
    let timesRefreshed = 0;
    const editor = await startLspClient({
      folder,
      capabilities: {
        workspace: { diagnostics: { refreshSupport: true } },
        textDocument: { diagnostic: {} },
      },
      answers: { 'workspace/diagnostic/refresh': () => ((timesRefreshed += 1), null) },
    });
    try {
      const problems = async (uri: string): Promise<number> => {
        const { items } = await editor.connection.sendRequest<FullDocumentDiagnosticReport>('textDocument/diagnostic', {
          textDocument: { uri },
        });
        return items.length;
      };
      const small = await editor.open(`${folder}/asked-first.entity.yaml`, head + wrong(0));
      await waitUntil('the columns are known', async () => ((await problems(small)) > 0 ? true : undefined));
      const text =
        head + Array.from({ length: 15_000 }, (_, index) => (index % 100 === 0 ? wrong : element)(index)).join('');
      const uri = await editor.open(`${folder}/asked.entity.yaml`, text);
      const counts: number[] = [];
      while (counts.at(-1) !== 150) {
        const before = timesRefreshed;
        const found = await problems(uri);
        counts.push(found);
        if (found < 150)
          await waitUntil('it is to be asked again', () => Promise.resolve(timesRefreshed > before || undefined));
      }
      assert.ok((counts[0] ?? 0) > 0 && counts.length > 1, `They were told as ${counts.join(', ')}.`);
    } finally {
      await editor.close();
    }
  });

  it('after a keystroke, problems are returned before the responses to earlier requests about the whole file', async () => {
    const editor = await startLspClient({ folder, capabilities: { textDocument: { diagnostic: {} } } });
    try {
      const uri = await editor.open(`${folder}/typed.entity.yaml`, graph);
      const order: string[] = [];
      const ask = async (method: string): Promise<void> => {
        await editor.connection.sendRequest(method, { textDocument: { uri } });
        order.push(method);
      };
      await ask('textDocument/diagnostic');
      await editor.edit(uri, 'Order 7', 'Order seven');
      const [later, first] = ['textDocument/documentSymbol', 'textDocument/diagnostic'] as const;
      await Promise.all([ask(later), ask('textDocument/foldingRange'), ask(first)]);
      assert.equal(order[1], first);
      assert.equal(order.length, 4);
    } finally {
      await editor.close();
    }
  });

  it('pull diagnostics do not wait for SQL validation, and ask for a refresh', async () => {
    let timesRefreshed = 0;
    const editor = await startLspClient({
      folder,
      capabilities: {
        workspace: { diagnostics: { refreshSupport: true } },
        textDocument: { diagnostic: {} },
      },
      answers: { 'workspace/diagnostic/refresh': () => ((timesRefreshed += 1), null) },
    });
    try {
      const where = (index: number): string => (index === 0 ? 'nobody > 0' : `id > ${index}`);
      const elements = Array.from({ length: 2000 }, (_, index) =>
        element(index).replace(' }', `, where: '${where(index)}' }`),
      );
      const uri = await editor.open(`${folder}/validated.entity.yaml`, head + elements.join(''));
      const codes = async (): Promise<readonly unknown[]> => {
        const refreshedBefore = timesRefreshed;
        const { items } = await editor.connection.sendRequest<FullDocumentDiagnosticReport>('textDocument/diagnostic', {
          textDocument: { uri },
        });
        if (items.length === 0) {
          const isRefreshed = (): true | undefined => timesRefreshed > refreshedBefore || undefined;
          await waitUntil('it is to be asked again', () => Promise.resolve(isRefreshed()));
        }
        return items.map(({ code }) => code);
      };
      let found = await codes();
      for (let asked = 1; found.length === 0 && asked < 50; asked += 1) found = await codes();
      assert.deepEqual(found, ['unknown-column']);
    } finally {
      await editor.close();
    }
  });
});
