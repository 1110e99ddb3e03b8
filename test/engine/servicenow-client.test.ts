import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { TransientFailure } from '../../server/src/connectors/http/transient-failure.ts';
import type { SourceError, SourceErrorCode } from '../../server/src/connectors/source-error.ts';
import { readResponse } from '../../server/src/connectors/servicenow/api/read-response.ts';
import { TransactionCancelled } from '../../server/src/connectors/servicenow/api/platform-failure.ts';
import type { ServiceNowClient } from '../../server/src/connectors/servicenow/api/client.ts';
import type { Fault } from '../simulator/faults.ts';
import { withClient } from '../support/servicenow-source.ts';
import { waitUntil } from '../support/wait-until.ts';

const few = { incidents: 20 };

/** One row per setting of values: display value, links excluded, and the texts of a reference and a choice. */
const shapes: readonly (readonly ['false' | 'true' | 'all', boolean, RegExp, RegExp])[] = [
  ['false', false, /^\{"link":"http.*\/sys_user\/[0-9a-f]{32}","value":"[0-9a-f]{32}"\}$/, /^"\d"$/],
  ['false', true, /^"[0-9a-f]{32}"$/, /^"\d"$/],
  ['true', false, /^\{"display_value":"[^"]+","link":"http[^"]+"\}$/, /^"\d"$/],
  ['true', true, /^"[^"]+ \d+"$/, /^"\d"$/],
  ['all', false, /^\{"display_value":"[^"]+","link":"http[^"]+","value":"[0-9a-f]{32}"\}$/, /^\{"display_value":/],
  ['all', true, /^\{"display_value":"[^"]+","value":"[0-9a-f]{32}"\}$/, /^\{"display_value":/],
];

/** One row per temporary fault. */
const passing: readonly Fault[] = [
  { kind: 'cut-json' },
  { kind: 'answer', body: '' },
  { kind: 'answer', body: '{}' },
  { kind: 'answer', body: '{"result":[null]}' },
  { kind: 'accepted-empty' },
  { kind: 'cut-socket' },
  { kind: 'rate-limit', retryAfter: 0 },
  { kind: 'semaphore' },
  { kind: 'status', status: 502 },
  { kind: 'status', status: 503 },
  { kind: 'status', status: 504 },
];

/** One row per permanent fault: how it is reported. */
const lasting: readonly (readonly [Fault, SourceErrorCode, RegExp])[] = [
  [{ kind: 'hibernating' }, 'source-unreachable', /^The instance is hibernating\.$/],
  [{ kind: 'hibernating', status: 503 }, 'source-unreachable', /^The instance is hibernating\.$/],
  [
    { kind: 'redirect', location: 'https://developer.servicenow.com/dev.do' },
    'source-unreachable',
    /^The instance is hibernating\.$/,
  ],
  [{ kind: 'login-page' }, 'authentication-failed', /with a login page/],
  [
    { kind: 'redirect', location: 'https://sso.example/login?SAML=x' },
    'authentication-failed',
    /sso\.example\/login\.$/,
  ],
  [{ kind: 'unauthenticated' }, 'authentication-failed', /User Not Authenticated: Required to provide Auth/],
  [{ kind: 'second-factor' }, 'authentication-failed', /User Not Authenticated/],
  [{ kind: 'cancelled' }, 'statement-timeout', /cancelled the transaction/],
  [{ kind: 'truncated', variant: 'parseable' }, 'statement-timeout', /cancelled the transaction/],
  [{ kind: 'truncated', variant: 'text' }, 'statement-timeout', /cancelled the transaction/],
  [{ kind: 'truncated', variant: 'malformed' }, 'statement-timeout', /cancelled the transaction/],
  [{ kind: 'rate-limit', retryAfter: 3600 }, 'source-failed', /Rate limit of 100 requests per hour/],
];

const firstIncident = async (client: ServiceNowClient): Promise<string> => {
  const { records } = await client.tables.list('incident', { limit: 1, query: 'ORDERBYnumber', fields: ['sys_id'] });
  return String(records[0]?.['sys_id'] as string);
};

describe('ServiceNow client › Table API', () => {
  it('reads the six shapes of values', async () => {
    await withClient(few, async ({ tables }) => {
      for (const [displayValue, excludeReferenceLink, reference, choice] of shapes) {
        const query = 'assigned_toISNOTEMPTY^ORDERBYnumber';
        const { records } = await tables.list('incident', { query, limit: 1, displayValue, excludeReferenceLink });
        assert.match(JSON.stringify(records[0]?.['assigned_to']), reference);
        assert.match(JSON.stringify(records[0]?.['state']), choice);
      }
    });
  });

  it('counts before, and lists after, access rules are applied', async () => {
    await withClient(few, async ({ tables }, { instance }) => {
      instance.settings.mayRead = (_, record) => Number(record['number']?.slice(-1)) % 2 === 0;
      const page = await tables.list('incident', { query: 'ORDERBYsys_id', limit: 10 });
      assert.equal(page.totalCount, 20);
      assert.ok(page.records.length < 10);
      const silent = await tables.list('incident', { noCount: true, limit: 1 });
      assert.equal(silent.totalCount, undefined);
    });
  });

  it('creates, reads, changes and deletes a record', async () => {
    await withClient(few, async ({ tables }) => {
      const made = await tables.create('incident', { short_description: 'Grüße ^ "quoted"' });
      const id = String(made['sys_id'] as string);
      await tables.update('incident', id, { state: '2' });
      await tables.replace('incident', id, { category: 'network' });
      const read = await tables.get('incident', id, { fields: ['short_description', 'state', 'category', 'no_such'] });
      assert.deepEqual(read, { short_description: 'Grüße ^ "quoted"', state: '2', category: 'network' });
      await tables.remove('incident', id);
      await assert.rejects(tables.get('incident', id), { code: 'object-missing' });
    });
  });

  it('treats "no record found" as an empty list in every version, and names an unknown table', async () => {
    for (const version of [undefined, 'v1', 'v2']) {
      await withClient({ ...few, version }, async ({ tables }, { requests }) => {
        assert.deepEqual((await tables.list('incident', { query: 'number=none' })).records, []);
        await assert.rejects(tables.list('nothing'), {
          code: 'object-missing',
          message: 'The instance has no table nothing.',
        });
        assert.equal(requests[0]?.path, `/api/now/${version === undefined ? '' : `${version}/`}table/incident`);
      });
    }
  });
});

describe('ServiceNow client › other APIs', () => {
  it('aggregates with and without grouping', async () => {
    await withClient(few, async ({ aggregates }) => {
      assert.equal(await aggregates.count('incident', ''), 20);
      const [all] = await aggregates.aggregate('incident', {
        count: true,
        minFields: ['number'],
        avgFields: ['priority'],
      });
      assert.equal(all?.min?.['number'], 'INC0000001');
      assert.match(all?.avg?.['priority'] ?? '', /^\d\.\d{4}$/);
      const groups = await aggregates.aggregate('incident', { count: true, groupBy: ['category'] });
      const total = groups.reduce((sum, { count }) => sum + Number(count), 0);
      assert.deepEqual([total, groups.every(({ groupedBy }) => groupedBy['category'] !== '')], [20, true]);
    });
  });

  for (const formUpload of ['file', 'upload'] as const) {
    it(`uploads a form to attachment/${formUpload}, where the record is named as that path wants it`, async () => {
      await withClient({ ...few, formUpload }, async (client, simulator) => {
        const { attachments } = client;
        const recordId = await firstIncident(client);
        const content = Buffer.from('a,b\n');
        const file = { table: 'incident', recordId, fileName: 'ä b.csv', contentType: 'text/csv', content };
        const meta = await attachments.uploadForm(file);
        assert.deepEqual(
          [meta['table_sys_id'], meta['file_name'], meta['content_type'], meta['size_bytes']],
          [recordId, 'ä b.csv', 'text/csv', '4'],
        );
        const sent = simulator.requests.at(-1);
        assert.equal(sent?.path.replace(/\?.*/, ''), `/api/now/attachment/${formUpload}`);
        assert.match(sent.headers['content-type'] ?? '', /^multipart\/form-data; boundary=/);
        assert.equal(sent.parameters.get('table_sys_id'), formUpload === 'file' ? recordId : null);
        assert.equal(sent.body.toString().includes('name="table_sys_id"'), formUpload === 'upload');
      });
    });
  }

  it('uploads, lists, downloads and deletes attachments', async () => {
    await withClient(few, async (client) => {
      const { attachments } = client;
      const recordId = await firstIncident(client);
      const file = { table: 'incident', recordId, fileName: 'ä b.bin', contentType: 'application/x-test' };
      const content = Buffer.from([0, 1, 2, 253, 254, 255, 13, 10]);
      const made = [
        await attachments.upload({ ...file, content }),
        await attachments.upload({ ...file, content: () => Readable.from([content]) }),
        await attachments.uploadForm({ ...file, content }),
        await attachments.uploadForm({ ...file, content: () => Readable.from([content]) }),
      ];
      const query = `table_name=incident^table_sys_id=${recordId}`;
      assert.equal((await attachments.list(query)).attachments.length, 4);
      const pages = [
        await attachments.list(query, { limit: 3 }),
        await attachments.list(query, { limit: 3, offset: 3 }),
      ];
      assert.deepEqual(
        pages.map((page) => [page.attachments.length, page.totalCount]),
        [
          [3, 4],
          [1, 4],
        ],
      );
      assert.deepEqual(await attachments.get(made[0]?.['sys_id'] ?? ''), made[0]);
      await assert.rejects(attachments.get('none'), { code: 'object-missing' });
      for (const meta of made) {
        const download = await attachments.download(meta['sys_id'] ?? '');
        assert.deepEqual(await buffer(download.content), content);
        assert.deepEqual([download.contentType, meta['file_name']], ['application/x-test', 'ä b.bin']);
        await attachments.remove(meta['sys_id'] ?? '');
      }
      await assert.rejects(attachments.download(made[0]?.['sys_id'] ?? ''), { code: 'object-missing' });
      await assert.rejects(attachments.upload({ ...file, recordId: 'none', content }), { code: 'object-missing' });
    });
  });

  it('stages rows one by one and in bulk, with a result for each', async () => {
    await withClient(few, async ({ importSets }) => {
      const good = await importSets.insert('imp_incident', { u_number: 'A1', u_short_description: 'fine' });
      assert.equal(good[0]?.status, 'inserted');
      const bad = await importSets.insert('imp_incident', { u_number: 'A2' });
      assert.deepEqual(bad, [
        { status: 'error', table: 'incident', message: 'Row transform ignored by onBefore script: no description' },
      ]);
      const rows = [{ u_short_description: 'one' }, { u_number: 'A4' }, { u_short_description: 'three' }];
      const { importSetId } = await importSets.insertMultiple('imp_incident', rows);
      const outcome = await importSets.bulkOutcome(importSetId, { everyMs: 5, timeoutMs: 5000 });
      assert.deepEqual(
        outcome.rows.map(({ status }) => status),
        ['inserted', 'error', 'inserted'],
      );
    });
  });

  it('gets the results of staged rows although the instance cancels some requests', async () => {
    await withClient(few, async ({ importSets }, simulator) => {
      const { importSetId } = await importSets.insertMultiple('imp_incident', [{ u_short_description: 'one' }]);
      for (const [table, times] of [
        ['sys_import_set', 4],
        ['sys_import_set_row', 2],
      ] as const)
        simulator.failNext({ kind: 'cancelled' }, { times, on: ({ path }) => path.endsWith(`/${table}`) });
      const outcome = await importSets.bulkOutcome(importSetId, { everyMs: 5, timeoutMs: 5000 });
      assert.deepEqual(
        outcome.rows.map(({ status }) => status),
        ['inserted'],
      );
      simulator.failNext({ kind: 'cancelled' }, { times: 99, on: ({ path }) => path.endsWith('/sys_import_set_row') });
      await assert.rejects(importSets.bulkOutcome(importSetId, { everyMs: 5, timeoutMs: 5000 }), {
        code: 'statement-timeout',
        message: /^The import set \w+ .*: its outcome is not known yet\.$/,
      });
    });
  });

  it('calls scripted endpoints with any type of response', async () => {
    await withClient(few, async ({ scripted }) => {
      const ops = { namespace: 'x_acme', api: 'ops' };
      const outages = await scripted.call({ ...ops, path: '/outages' });
      assert.equal((outages.value as { result: unknown[] }).result.length, 10);
      assert.equal((await scripted.call({ ...ops, path: '/raw' })).value, 'plain');
      const closed = await scripted.call({ ...ops, method: 'POST', path: '/outages/a%2Fb', body: '{}' });
      assert.equal(closed.status, 201);
      await assert.rejects(scripted.call({ ...ops, path: '/none' }), { code: 'object-missing' });
    });
  });

  it('calls a scripted endpoint once when it only acknowledges the start', async () => {
    await withClient(few, async ({ scripted }, simulator) => {
      simulator.failNext({ kind: 'accepted-empty' }, { times: 9 });
      const begun = await scripted.call({
        namespace: 'x_acme',
        api: 'ops',
        method: 'POST',
        path: '/outages',
        body: '{}',
      });
      assert.deepEqual([begun.status, begun.value, simulator.requests.length], [202, undefined, 1]);
    });
  });
});

/** One row per complete response that is not of the interface, and its description. */
const strange: readonly (readonly [body: string, said: string])[] = [
  ['', 'an empty body'],
  ['{}', 'an empty object'],
  ['[]', 'JSON without an object with a result'],
  ['"fine"', 'JSON without an object with a result'],
  ['{"status": "success", "data": []}', 'JSON without a result: it has status, data'],
  ['{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1}', 'JSON without a result: it has a, b, c, d, e and more'],
  ['{"result": {"sys_id": "1"}}', 'a result that is not a list of records'],
  ['{"result": ["text"]}', 'a result that is not a list of records'],
];

describe('ServiceNow client › failures', () => {
  for (const [body, said] of strange) {
    it(`explains a response without a result: ${body}`, async () => {
      await withClient(few, async ({ tables }, simulator) => {
        simulator.failNext({ kind: 'answer', body }, { times: 9 });
        await assert.rejects(tables.list('incident'), {
          code: 'source-failed',
          message: `The instance answers GET /api/now/table/incident with ${said}.`,
        });
      });
    });
  }

  it('reports truncation only for truncated responses', async () => {
    await withClient(few, async ({ tables }, simulator) => {
      simulator.failNext({ kind: 'cut-json' }, { times: 9 });
      await assert.rejects(tables.list('incident'), {
        code: 'connection-lost',
        message: 'The instance ended its answer to GET /api/now/table/incident before it was complete.',
      });
    });
  });

  for (const fault of passing) {
    it(`continues reading after ${Object.values(fault).join(' ')}`, async () => {
      await withClient(few, async ({ tables }, simulator) => {
        simulator.failNext(fault, { times: 2 });
        assert.equal((await tables.list('incident')).records.length, 20);
        assert.equal(simulator.requests.length, 3);
      });
    });
  }

  for (const [fault, code, message] of lasting) {
    it(`explains ${Object.values(fault).join(' ')}`, async () => {
      await withClient(few, async ({ tables }, simulator) => {
        simulator.failNext(fault, { times: 9 });
        await assert.rejects(tables.list('incident'), { name: 'SourceError', code, message });
        assert.equal(simulator.requests.length, 1);
      });
    });
  }

  it('retries requests rejected because too many requests of the session wait', async () => {
    await withClient({ ...few, latency: 20, sessionQueue: 3 }, async ({ tables }, simulator) => {
      const session = { cookies: new Map<string, string>() };
      await tables.list('incident', { limit: 1 }, { session });
      const many = Array.from({ length: 8 }, () => tables.list('incident', { limit: 1 }, { session }));
      const outcomes = await Promise.allSettled(many);
      // Too many refusals are reported; an empty response is not taken for a list.
      for (const outcome of outcomes) {
        if (outcome.status === 'fulfilled') assert.equal(outcome.value.records.length, 1);
        else assert.match(String(outcome.reason), /too many requests of one session are waiting/);
      }
      assert.ok(outcomes.filter(({ status }) => status === 'fulfilled').length >= 4);
      assert.ok(simulator.requests.length > 9, 'some were sent again');
      assert.equal(simulator.load.most, 1);
    });
  });

  it('explains that multi-factor authentication is not possible', async () => {
    await withClient(few, async ({ tables }, simulator) => {
      simulator.failNext({ kind: 'second-factor' });
      await assert.rejects(tables.list('incident'), ({ details }: SourceError) =>
        /second factor/.test(details.remedy ?? ''),
      );
    });
  });

  it('reports the response time, which distinguishes a gateway timeout from an instance that is down', async () => {
    await withClient({ ...few, latency: 60 }, async ({ http }, simulator) => {
      simulator.failNext({ kind: 'status', status: 504 });
      const url = new URL('/api/now/table/incident', simulator.url);
      const answer = await http.send({ method: 'GET', url });
      assert.ok(answer.milliseconds >= 59, `${answer.milliseconds} ms`);
      for (const status of [408, 499, 502, 503, 504]) {
        const asked = { method: 'GET', path: ['incident'] } as const;
        const read = (milliseconds: number) => () => readResponse({ ...answer, status, milliseconds }, asked);
        assert.throws(read(1000), (error) => error instanceof TransientFailure);
        assert.throws(read(60_000), (error) => error instanceof TransactionCancelled);
      }
    });
  });

  it('never repeats a write that may have run, and repeats one that was rejected', async () => {
    await withClient(few, async ({ tables }, simulator) => {
      for (const fault of [{ kind: 'status', status: 503 }, { kind: 'cut-socket' }, { kind: 'cancelled' }] as const) {
        const before = simulator.requests.length;
        simulator.failNext(fault);
        await assert.rejects(tables.create('incident', {}));
        assert.equal(simulator.requests.length, before + 1);
      }
      simulator.failNext({ kind: 'semaphore' });
      assert.match(JSON.stringify(await tables.create('incident', { number: 'N' })), /"number":"N"/);
    });
  });

  it('waits as long as Retry-After says', async () => {
    await withClient(few, async ({ tables }, simulator) => {
      simulator.failNext({ kind: 'rate-limit', retryAfter: 1 });
      const started = performance.now();
      await tables.list('incident');
      assert.ok(performance.now() - started >= 1000);
    });
  });

  it('gives up after its retries with the last failure', async () => {
    await withClient(few, async ({ tables }, simulator) => {
      simulator.failNext({ kind: 'status', status: 503 }, { times: 99 });
      await assert.rejects(tables.list('incident'), {
        message: 'The instance is not available at the moment (status 503).',
      });
      assert.equal(simulator.requests.length, 4);
    });
  });

  it('closes the socket of a request that timed out or was cancelled', async () => {
    await withClient({ ...few, requestTimeoutMs: 100 }, async ({ tables }, simulator) => {
      simulator.failNext({ kind: 'never-answers' }, { times: 9 });
      await assert.rejects(tables.list('incident'), { code: 'statement-timeout', message: /within 0.1 s/ });
      const controller = new AbortController();
      const reason = new Error('stopped by the user');
      setTimeout(() => controller.abort(reason), 20);
      await assert.rejects(tables.list('incident', {}, { signal: controller.signal, timeoutMs: 5000 }), reason);
      await waitUntil('all sockets are closed', async () => simulator.load.open === 0 || undefined);
    });
  });

  it('stops waiting for a retry on cancellation', async () => {
    await withClient(few, async ({ tables }, simulator) => {
      simulator.failNext({ kind: 'rate-limit', retryAfter: 4 });
      const controller = new AbortController();
      setTimeout(() => controller.abort(new Error('stopped')), 30);
      await assert.rejects(tables.list('incident', {}, { signal: controller.signal }), /stopped/);
    });
  });

  it('sends credentials to no other host', async () => {
    const seen: unknown[] = [];
    const other = createServer((request, response) => {
      seen.push(request.headers.authorization);
      response.end('{"result":[]}');
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const foreign = `http://127.0.0.1:${port}/api/now/table/incident`;
    await withClient(few, async ({ tables, http }, simulator) => {
      simulator.failNext({ kind: 'redirect', location: foreign });
      await assert.rejects(tables.list('incident'), { code: 'authentication-failed', message: /redirects GET/ });
      await assert.rejects(http.send({ method: 'GET', url: new URL(foreign) }), /leads to another host/);
    });
    other.close();
    assert.deepEqual(seen, []);
  });

  it('reports that nothing answers', async () => {
    await withClient(few, async ({ tables }, simulator) => {
      await simulator.close();
      await assert.rejects(tables.list('incident'), {
        code: 'source-unreachable',
        message: /cannot be reached at 127\.0\.0\.1:\d+: nothing accepts connections there/,
      });
    });
  });

  it('reports a cancelled transaction, so that the caller can try smaller pages', async () => {
    await withClient(few, async ({ tables }, simulator) => {
      simulator.failNext({ kind: 'cancelled' });
      await assert.rejects(tables.list('incident'), (error) => error instanceof TransactionCancelled);
    });
  });
});
