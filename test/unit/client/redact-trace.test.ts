import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import {
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
  Trace,
  TraceFormat,
  createMessageConnection,
} from 'vscode-jsonrpc/node';
import { redactTrace } from '../../../client/src/redact-trace.ts';

/** A value that must not be logged. */
const secret = 'hunter2\n"{}';
/** Its JSON form. */
const written = JSON.stringify(secret).slice(1, -1);

/** The trace that `vscode-languageclient` makes of `vscode-jsonrpc` messages. */
function tracedText(message: unknown, data?: string): string {
  if (typeof message !== 'string') return JSON.stringify(message);
  return data === undefined ? message : `${message}\n${data}`;
}

/** A traced client, with its server. */
async function connect(trace: Trace, traceFormat: TraceFormat): Promise<Traced> {
  const [toServer, toClient] = [new PassThrough(), new PassThrough()];
  const client = createMessageConnection(new StreamMessageReader(toClient), new StreamMessageWriter(toServer));
  const server = createMessageConnection(new StreamMessageReader(toServer), new StreamMessageWriter(toClient));
  const texts: string[] = [];
  const log = (message: unknown, data?: string): unknown => texts.push(tracedText(message, data));
  client.onRequest('entityGraph/secret', () => ({ value: secret }));
  client.onRequest('entityGraph/token', () => ({ value: secret }));
  client.onRequest('entityGraph/keepToken', () => null);
  client.onRequest('entityGraph/authorize', () => ({ redirectUri: 'vscode://page', code: secret }));
  client.onRequest('workspace/configuration', () => [{ proxy: secret }]);
  server.onRequest('entityGraph/status', () => ({ status: 'Imported' }));
  client.listen();
  server.listen();
  const traceAs = (form: Trace): Promise<void> => client.trace(form, { log }, { sendNotification: false, traceFormat });
  await traceAs(trace);
  return {
    client,
    server,
    texts,
    traceAs,
    end: () => [client, server].forEach((each) => each.dispose()),
  };
}

interface Traced {
  readonly client: MessageConnection;
  readonly server: MessageConnection;
  readonly texts: readonly string[];
  readonly traceAs: (form: Trace) => Promise<void>;
  readonly end: () => void;
}

const questions: readonly { readonly method: string; readonly params: object }[] = [
  { method: 'entityGraph/secret', params: { name: 'SHOP', prompt: true } },
  { method: 'entityGraph/token', params: { name: 'shop' } },
  { method: 'entityGraph/keepToken', params: { name: 'shop', value: secret } },
  { method: 'entityGraph/authorize', params: { dataSource: 'shop', url: 'https://example.org', state: secret } },
  { method: 'workspace/configuration', params: { items: [{ section: 'http' }] } },
];

const forms = [
  { name: 'verbose text', trace: Trace.Verbose, format: TraceFormat.Text },
  { name: 'compact text', trace: Trace.Compact, format: TraceFormat.Text },
  { name: 'JSON', trace: Trace.Verbose, format: TraceFormat.JSON },
];

describe('protocol trace', () => {
  for (const { name, trace, format } of forms) {
    for (const { method, params } of questions) {
      it(`${name}: ${method} is logged without its parameters and result`, async () => {
        const { server, texts, end } = await connect(trace, format);
        await server.sendRequest(method, params);
        end();
        assert.equal(texts.length, 2, texts.join('\n'));
        assert.ok(texts.join('\n').includes(written), `not traced at all: ${texts.join('\n')}`);
        const [question = '', answer = ''] = texts.map(redactTrace);
        assert.ok(question.includes(method), question);
        assert.match(answer, /Sending response|send-response/);
        assert.ok(![question, answer].some((text) => text.includes('hunter2')), `${question}\n${answer}`);
      });
    }

    it(`${name}: a response to a request sent before tracing began is redacted`, async () => {
      const { client, server, texts, traceAs, end } = await connect(Trace.Off, format);
      let answer = (): void => {};
      const asked = new Promise<void>((resolve) =>
        client.onRequest('entityGraph/secret', () => {
          resolve();
          return new Promise((answered) => (answer = () => answered({ value: secret })));
        }),
      );
      const answered = server.sendRequest('entityGraph/secret', { name: 'SHOP', prompt: true });
      await asked;
      await traceAs(trace);
      answer();
      await answered;
      end();
      assert.ok(texts.join('\n').includes(written), texts.join('\n'));
      assert.ok(!texts.map(redactTrace).join('\n').includes('hunter2'));
    });

    it(`${name}: a failure keeps its message and loses its data`, async () => {
      const { client, server, texts, end } = await connect(trace, format);
      client.onRequest('entityGraph/secret', () => {
        throw Object.assign(new Error('no storage'), { data: secret });
      });
      await assert.rejects(async () => server.sendRequest('entityGraph/secret', { name: 'SHOP' }));
      end();
      const kept = texts.map(redactTrace).join('\n');
      assert.match(kept, /no storage/);
      assert.ok(!kept.includes('hunter2'), kept);
    });

    it(`${name}: messages without secrets stay complete`, async () => {
      const { client, server, texts, end } = await connect(trace, format);
      const told = new Promise<void>((resolve) => client.onNotification('entityGraph/graphChanged', () => resolve()));
      await server.sendNotification('entityGraph/graphChanged', { uri: 'file:///a', version: 2 });
      await told;
      await client.sendRequest('entityGraph/status', { uri: 'file:///a' });
      end();
      assert.equal(texts.length, 3);
      assert.deepEqual(texts.map(redactTrace), texts);
    });
  }

  it('JSON that is not a message is omitted', () => {
    for (const text of ['{"value":"hunter2"', '{"value":"hunter2"}']) {
      assert.ok(!redactTrace(text).includes('hunter2'), text);
    }
  });
});
