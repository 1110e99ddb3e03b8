import assert from 'node:assert/strict';
import { type ChildProcess, fork, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import fc from 'fast-check';
import * as lsp from 'vscode-languageserver-protocol';
import type { Failure } from '../../protocol/query-results.ts';
import { incomingNotices, incomingRequests } from '../../server/src/lsp/protocol-shapes.ts';
import { csvSources, graphText } from '../support/import-text.ts';
import { makeDevice } from '../support/make-device.ts';
import { readMessages } from '../support/message-reader.ts';
import { soakAssert } from '../support/soak.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';
import { waitUntil } from '../support/wait-until.ts';
import { requestsAbout } from './all-requests.ts';
import { type LspClient, startLspClient } from './lsp-client.ts';

const graph = graphText('  - { activityName: Order, dataObject: orders, key: id, startTimestamp: placed_at }\n');
const serverPath = fileURLToPath(new URL('../../server/dist/main.js', import.meta.url));

const [invalidParams, internalError, methodNotFound] = [-32602, -32603, -32601];

/** Words of an unexpected error. */
const internalWords =
  /Cannot (?:read propert|set propert|destructure|convert)|is not (?:a function|iterable|defined|a constructor)|undefined|TypeError|\bat \S+\.(?:js|ts)\b|null bytes|Unexpected error|failed with message/;

interface Answer {
  readonly code?: number;
  /** The message to the client, as an error or as a result. */
  readonly said: string;
}

async function ask({ connection }: LspClient, method: string, params: unknown): Promise<Answer> {
  try {
    const sent = params === undefined ? connection.sendRequest(method) : connection.sendRequest(method, params);
    const result: unknown = await sent;
    const { error } = (result ?? {}) as { readonly error?: Failure };
    return {
      said: error?.code === 'internal-error' ? `Unexpected error: ${error.message}` : (error?.message ?? ''),
    };
  } catch (error) {
    const { code, message } = error as { readonly code: number; readonly message: string };
    return { code, said: message };
  }
}

/** Asserts that a response is a result, or an expected error. */
function assertForeseen({ code, said }: Answer, method: string, params: unknown): void {
  const about = `${method} ${JSON.stringify(params)}: ${code} ${said}`;
  assert.notEqual(code, internalError, about);
  assert.doesNotMatch(said, internalWords, about);
}

const others: readonly unknown[] = [null, 5, -1.5, true, 'text', [], ['text'], {}, { kind: 'element' }];

/** For every part of a value: the value without it, or with another type there. */
function* damaged(value: unknown): Generator<unknown> {
  yield* others;
  if (typeof value !== 'object' || value === null) return;
  for (const key of Object.keys(value)) {
    const { [key]: part, ...rest } = value as Record<string, unknown>;
    if (!Array.isArray(value)) yield rest;
    for (const other of damaged(part)) {
      yield Array.isArray(value) ? value.with(Number(key), other) : { ...rest, [key]: other };
    }
  }
}

describe('language server: malformed messages', () => {
  let folder = '';
  let client: LspClient;
  let uri = '';
  let requests: Readonly<Record<string, unknown>> = {};

  before(async () => {
    folder = await folderWith({
      'entity-sources.yaml': csvSources(),
      'shop.entity.yaml': graph,
      'orders.csv': 'id,placed_at\n1,2024-01-01\n',
    });
    client = await startLspClient({ folder, initializationOptions: { trusted: true, extended: false } });
    uri = await client.open(`${folder}/shop.entity.yaml`, graph);
    const textDocument = { uri };
    const position = { line: 1, character: 2 };
    const range = { start: position, end: position };
    const atPosition = { textDocument, position };
    requests = {
      ...requestsAbout(folder, 'shop'),
      'textDocument/completion': { ...atPosition, context: { triggerKind: 2, triggerCharacter: ':' } },
      'completionItem/resolve': { label: 'a', data: { round: 1, index: 0 } },
      'textDocument/hover': atPosition,
      'textDocument/documentSymbol': { textDocument },
      'textDocument/codeAction': { textDocument, range, context: { diagnostics: [], only: ['quickfix'] } },
      'codeAction/resolve': { title: 'a', data: { uri, offset: 5 } },
      'workspace/executeCommand': {
        command: 'entityGraph.applyEdit',
        arguments: [{ label: 'a', uri, version: 9, edit: { changes: {} } }],
      },
      'textDocument/codeLens': { textDocument },
      'codeLens/resolve': { range, data: [1, 0] },
      'textDocument/foldingRange': { textDocument },
      'textDocument/definition': atPosition,
      'textDocument/references': { ...atPosition, context: { includeDeclaration: true } },
      'textDocument/documentHighlight': atPosition,
      'textDocument/prepareRename': atPosition,
      'textDocument/rename': { ...atPosition, newName: 'b' },
      'workspace/symbol': { query: 'Order' },
      'textDocument/formatting': { textDocument, options: { tabSize: 2, insertSpaces: true } },
      'textDocument/rangeFormatting': { textDocument, range, options: { tabSize: 2, insertSpaces: true } },
      'textDocument/onTypeFormatting': { ...atPosition, ch: '\n', options: { tabSize: 2, insertSpaces: true } },
      'textDocument/documentLink': { textDocument },
      'textDocument/selectionRange': { textDocument, positions: [position] },
      'textDocument/semanticTokens/full': { textDocument },
      'textDocument/semanticTokens/full/delta': { textDocument, previousResultId: '1' },
      'textDocument/inlayHint': { textDocument, range },
      'textDocument/linkedEditingRange': atPosition,
      'textDocument/prepareCallHierarchy': atPosition,
      'callHierarchy/incomingCalls': { item: { uri, name: 'Order', kind: 1, range, selectionRange: range } },
      'callHierarchy/outgoingCalls': { item: { uri, name: 'Order', kind: 1, range, selectionRange: range } },
      'textDocument/diagnostic': { textDocument },
      'textDocument/willSaveWaitUntil': { textDocument, reason: 1 },
    };
  });
  after(async () => {
    await client.close();
    await removeFolder(folder);
  });

  it('every request that the server handles has a schema and is tested here', async () => {
    const namespaces = Object.values(lsp) as readonly Readonly<Record<string, unknown>>[];
    const standard = namespaces.flatMap((each) =>
      each?.['messageDirection'] !== 'serverToClient' &&
      each?.['type'] instanceof Object &&
      typeof each['method'] === 'string'
        ? [each['method']]
        : [],
    );
    assert.ok(standard.includes('textDocument/hover'));
    const left = new Set(['initialize', 'shutdown', ...Object.keys(requests)]);
    for (const method of new Set(standard)) {
      if (left.has(method)) continue;
      const { code } = await ask(client, method, { textDocument: { uri } });
      assert.ok([methodNotFound, undefined].includes(code), `${method}: ${code}`);
      if (code === undefined) assert.fail(`${method} is answered, and has no shape.`);
    }
    assert.deepEqual(Object.keys(incomingRequests).toSorted(), ['initialize', ...Object.keys(requests)].toSorted());
  });

  it('valid requests pass', async () => {
    for (const [method, params] of Object.entries(requests)) {
      assert.equal(incomingRequests[method]?.(params, ''), undefined, method);
    }
  });

  it('a request with missing or wrong parameters is rejected with a message', async function () {
    let tried = 0;
    for (const [method, params] of Object.entries(requests)) {
      for (const wrong of [undefined, ...damaged(params)]) {
        const mistake = incomingRequests[method]?.(wrong, '');
        // Unusual but valid values are allowed, such as a graph with another name.
        if (mistake === undefined) continue;
        tried += 1;
        const answer = await ask(client, method, wrong);
        assertForeseen(answer, method, wrong);
        assert.equal(answer.code, invalidParams, `${method} ${JSON.stringify(wrong)}`);
        // The library sends anything else as the first of a list of parameters.
        if (typeof wrong === 'object' && wrong !== null && !Array.isArray(wrong))
          assert.equal(answer.said, `${method}: ${mistake}`);
      }
    }
    assert.ok(tried > 2000, `${tried}`);
  });

  it('the message names the field and its path', async () => {
    const target = { kind: 'elment', name: 'Order' };
    assert.deepEqual(await ask(client, 'entityGraph/showQuery', { uri, target }), {
      code: invalidParams,
      said: 'entityGraph/showQuery: "target.kind" must be one of "element", "entities", "relationship", not "elment".',
    });
    assert.deepEqual(await ask(client, 'entityGraph/graphView', {}), {
      code: invalidParams,
      said: 'entityGraph/graphView: "uri" is missing: it must be a text.',
    });
    assert.deepEqual(
      await ask(client, 'textDocument/hover', { textDocument: { uri }, position: { line: -1, character: 0 } }),
      {
        code: invalidParams,
        said: 'textDocument/hover: "position.line" must be a whole number of at least 0, not -1.',
      },
    );
    const intent = { kind: 'remove', elements: ['A', 3], relationships: [] };
    assert.deepEqual(await ask(client, 'entityGraph/edit', { uri, intent }), {
      code: invalidParams,
      said: 'entityGraph/edit: "intent.elements.1" must be a text, not 3.',
    });
  });

  it('a valid request with unusual content gets a message as well', async () => {
    // In a folder of their own: some requests write, and one deletes.
    const play = await folderWith({ 'graph.entity.yaml': graph, 'folder.entity.yaml/kept.txt': 'kept' });
    assert.equal(spawnSync('mkfifo', [join(play, 'pipe.entity.yaml')]).status, 0);
    await makeDevice(join(play, 'endless.entity.yaml'), 'zero');
    const below = pathToFileURL(play).href;
    const addresses = [
      ...['', ' ', 'file://elsewhere/share/a', `${below}/%00`, `${below}/%`, 'untitled:one', 'http://127.0.0.1:9/a'],
      ...[below, `${below}/`, `${below}/${'a/'.repeat(3000)}`, `${below}/graph.entity.yaml/below`],
      ...['folder', 'pipe', 'endless', 'missing'].map((name) => `${below}/${name}.entity.yaml`),
    ];
    const texts = ['', '\0', '../..', '__proto__', 'constructor', '\ud800', 'x'.repeat(5000)];
    for (const [method, params] of Object.entries(requests)) {
      for (const address of addresses) {
        for (const key of ['uri', 'target', 'output', 'folder']) {
          const value = (params as Record<string, unknown>)[key];
          if (typeof value !== 'string') continue;
          const strange = { ...(params as object), [key]: address };
          assertForeseen(await ask(client, method, strange), method, strange);
        }
      }
      for (const key of ['dataSource', 'dataObject', 'name', 'source', 'newName', 'query']) {
        for (const text of typeof (params as Record<string, unknown>)[key] === 'string' ? texts : []) {
          const strange = { ...(params as object), [key]: text };
          assertForeseen(await ask(client, method, strange), method, strange);
        }
      }
    }
    assert.equal(await readFile(join(play, 'folder.entity.yaml/kept.txt'), 'utf8'), 'kept');
    await removeFolder(play);
  });

  it('random JSON parameters get a message, and the server continues', async () => {
    const methods = fc.constantFrom(...Object.keys(requests));
    await soakAssert(
      fc.asyncProperty(methods, fc.jsonValue(), async (method, params) => {
        assertForeseen(await ask(client, method, params), method, params);
      }),
      200,
    );
    assert.ok(await client.connection.sendRequest('entityGraph/entities', {}));
  });

  it('an invalid notification is logged, and the next one handled', async () => {
    for (const method of Object.keys(incomingNotices)) {
      for (const wrong of [
        undefined,
        ...others,
        { textDocument: {} },
        { textDocument: { uri: 5 } },
        { event: {} },
        { files: [5] },
      ]) {
        if (incomingNotices[method]?.(wrong, '') === undefined) continue;
        if (wrong === undefined) await client.connection.sendNotification(method);
        else await client.connection.sendNotification(method, wrong);
      }
    }
    const { connection } = client;
    assert.ok(await connection.sendRequest('entityGraph/entities', {}));
    const logged = client.received<{ type: number; message: string }>('window/logMessage');
    // The library handles cancellations itself, and ignores those that it cannot read.
    for (const method of Object.keys(incomingNotices).filter((each) => each !== '$/cancelRequest')) {
      assert.ok(
        logged.some(({ message }) => message.startsWith(`${method}: `)),
        method,
      );
    }
    for (const { message } of logged) assert.doesNotMatch(message, internalWords);
  });

  it('an invalid initialize request is refused, and may be repeated', async () => {
    const second = spawnServer();
    try {
      for (const [index, params] of [
        undefined,
        {},
        { capabilities: 5 },
        { capabilities: {}, workspaceFolders: 5 },
        { capabilities: {}, processId: 'me' },
      ].entries()) {
        second.send({ id: index, method: 'initialize', params });
        const { error } = await second.answer(index);
        assert.equal(error?.code, invalidParams, JSON.stringify(params));
        assert.doesNotMatch(error?.message ?? '', internalWords);
      }
      const strange = {
        workspace: 5,
        textDocument: { completion: { completionItem: { resolveSupport: { properties: 5 } } } },
      };
      second.send({ id: 20, method: 'initialize', params: { capabilities: strange, processId: null } });
      assert.equal((await second.answer(20)).error, undefined);
    } finally {
      await second.end();
    }
  });

  it('an invalid response counts as no response', async () => {
    const project = await folderWith({
      'entity-sources.yaml':
        'version: 1\ndataSources:\n  shop: { kind: rest, baseUrl: "http://127.0.0.1:9", auth: { kind: apiKey, header: K, token: "${secret:none}" }, endpoints: [{ name: orders, path: /orders, key: id }] }\n',
      'shop.entity.yaml': graph,
    });
    const bad: readonly unknown[] = [null, 5, 'text', {}, { value: 5 }, { value: ['text'] }];
    let turn = 0;
    const other = await startLspClient({
      folder: project,
      initializationOptions: { trusted: true, extended: true },
      answers: Object.fromEntries(
        ['secret', 'token', 'authorize'].map((name) => [`entityGraph/${name}`, () => bad[turn % bad.length]]),
      ),
    });
    try {
      const about = requestsAbout(project, 'shop')['entityGraph/diagnoseSource'];
      for (turn = 0; turn < bad.length; turn += 1) {
        assertForeseen(await ask(other, 'entityGraph/signIn', about), 'entityGraph/signIn', bad[turn]);
        const answer = await ask(other, 'entityGraph/sourceObjects', { ...about, refresh: true });
        assertForeseen(answer, 'entityGraph/sourceObjects', bad[turn]);
        assert.match(answer.said, /secret.*none|none.*secret/i);
      }
      const logged = other.received<{ message: string }>('window/logMessage').map(({ message }) => message);
      assert.ok(
        logged.some((message) => /^The answer to entityGraph\/secret cannot be used: "value" must be/.test(message)),
      );
    } finally {
      await other.close();
      await removeFolder(project);
    }
  });

  it('a client that answers no request does not stop the server', async () => {
    const project = await folderWith({
      'entity-sources.yaml': 'version: 1\ndataSources:\n  shop: { kind: csv, path: "*.csv" }\n',
      'shop.entity.yaml': graph,
      'orders.csv': 'id,placed_at\n1,2024-01-01\n',
    });
    const asked = new Set<string>();
    const refuse = (method: string) => (): never => {
      asked.add(method);
      throw new Error('I do not know.');
    };
    const questions = [
      'client/registerCapability',
      'workspace/configuration',
      'workspace/diagnostic/refresh',
      'workspace/inlayHint/refresh',
      'workspace/codeLens/refresh',
    ];
    const other = await startLspClient({
      folder: project,
      initializationOptions: { trusted: true, extended: true },
      capabilities: {
        textDocument: { diagnostic: { dynamicRegistration: false } },
        workspace: {
          configuration: true,
          didChangeConfiguration: { dynamicRegistration: true },
          didChangeWatchedFiles: { dynamicRegistration: true, relativePatternSupport: true },
          diagnostics: { refreshSupport: true },
          inlayHint: { refreshSupport: true },
          codeLens: { refreshSupport: true },
        },
      },
      answers: Object.fromEntries(questions.map((method) => [method, refuse(method)])),
    });
    try {
      const { connection } = other;
      const uri = await other.open(join(project, 'shop.entity.yaml'), graph);
      await connection.sendNotification('workspace/didChangeConfiguration', { settings: {} });
      const summary = await connection.sendRequest<{ status: string }>('entityGraph/import', { uri });
      assert.equal(summary.status, 'imported');
      const sources = pathToFileURL(join(project, 'entity-sources.yaml')).href;
      await connection.sendNotification('workspace/didChangeWatchedFiles', { changes: [{ uri: sources, type: 2 }] });
      await waitUntil('every question was asked', async () => asked.size === questions.length || undefined);
      const method = 'entityGraph/testQuery';
      const test = { uri, target: { kind: 'element', name: 'Order' } };
      assertForeseen(await ask(other, method, test), method, test);
      assert.ok(await connection.sendRequest('entityGraph/entities', {}));
    } finally {
      await other.close();
      await removeFolder(project);
    }
  });

  for (const [transport, start] of [
    ['standard input', spawnServer],
    ['messages between processes', forkServer],
  ] as const) {
    it(`over ${transport}, an invalid message does not stop the server`, async () => {
      const server = start();
      try {
        server.send({ id: 1, method: 'initialize', params: { capabilities: {}, processId: null } });
        await server.answer(1);
        server.send({ method: 'initialized', params: {} });
        for (const bad of [
          null,
          5,
          'text',
          [],
          [{}],
          {},
          { id: 7 },
          { id: 7, result: 1 },
          { method: 5 },
          { id: {}, method: 'shutdown' },
        ])
          server.raw(bad);
        server.send({ method: '$/cancelRequest' });
        server.send({ method: '$/cancelRequest', params: null });
        server.send({ method: '$/progress' });
        server.send({ id: 8, method: 'entityGraph/malformedRequest' });
        assert.equal((await server.answer(8)).error?.code, invalidParams);
        server.send({ id: 9, method: 'entityGraph/entities', params: {} });
        assert.deepEqual((await server.answer(9)).result, { entities: [], unreadable: [] });
      } finally {
        await server.end();
      }
    });
  }

  it('over standard input, invalid JSON does not stop the server', async () => {
    const server = spawnServer();
    try {
      server.text('{broken');
      server.text('');
      server.send({ id: 1, method: 'initialize', params: { capabilities: {}, processId: null } });
      assert.equal((await server.answer(1)).error, undefined);
    } finally {
      await server.end();
    }
  });
});

interface RawAnswer {
  readonly id?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

interface RawServer {
  send(message: object): void;
  raw(value: unknown): void;
  text(text: string): void;
  /** Rejects when the server has ended. */
  answer(id: number): Promise<RawAnswer>;
  end(): Promise<void>;
}

/** A server that can be sent any message. */
function rawServer(child: ChildProcess, write: (value: unknown) => void, text: (text: string) => void) {
  const answers: RawAnswer[] = [];
  const ended = once(child, 'exit').then(([code, signal]) => assert.fail(`The server has ended: ${code ?? signal}.`));
  ended.catch(() => undefined);
  const server: RawServer = {
    send: (message) => write({ jsonrpc: '2.0', ...message }),
    raw: write,
    text,
    async answer(id) {
      for (;;) {
        const found = answers.find((each) => each.id === id && ('result' in each || 'error' in each));
        if (found) return found;
        await Promise.race([once(child, 'answer'), ended]);
      }
    },
    async end() {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
  const arrived = (answer: RawAnswer): void => {
    answers.push(answer);
    child.emit('answer');
  };
  return { server, arrived };
}

function spawnServer(): RawServer {
  const child = spawn(process.execPath, [serverPath, '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const text = (content: string): void =>
    void child.stdin.write(`Content-Length: ${Buffer.byteLength(content)}\r\n\r\n${content}`);
  const { server, arrived } = rawServer(child, (value) => text(JSON.stringify(value)), text);
  readMessages(child.stdout).listen((message) => arrived(message as RawAnswer));
  return server;
}

function forkServer(): RawServer {
  const child = fork(serverPath, ['--node-ipc'], { execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const { server, arrived } = rawServer(
    child,
    (value) => child.send(value as object),
    () => undefined,
  );
  child.on('message', (message) => arrived(message as RawAnswer));
  return server;
}
