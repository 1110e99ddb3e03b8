import assert from 'node:assert/strict';
import type { Connector } from '../../server/src/connectors/connector.ts';
import { createConnector } from '../support/create-connector.ts';
import type { Fault } from '../simulator/faults.ts';
import { startSimulator, type Simulator } from '../simulator/simulator.ts';
import { withBuildDatabase } from '../support/build-database.ts';
import { fileQuery } from '../support/csv-source.ts';
import { dataSource } from '../support/postgresql-source.ts';
import { instanceSettings } from '../support/servicenow-source.ts';
import { permitAllUses } from '../../server/src/connectors/permit-use.ts';

const paged = {
  name: 'items',
  namespace: 'x_acme',
  api: 'ops',
  path: '/paged',
  records: 'result.items',
  key: 'id',
  pagination: { style: 'page', first: 0, limitParameter: 'size', pageSize: 4, total: 'result.total' },
};

async function withScripted(
  endpoint: object,
  use: (connector: Connector, simulator: Simulator) => Promise<void>,
): Promise<void> {
  const simulator = await startSimulator({ incidents: 5 });
  const settings = instanceSettings(simulator, { tables: ['incident'], scripted: [endpoint] });
  const connector = await createConnector(dataSource('itsm', settings), {
    folder: process.cwd(),
    permitUses: permitAllUses,
    readSecret: async () => 'hush hush',
    environment: {},
  });
  try {
    await use(connector, simulator);
  } finally {
    await connector.close();
    await simulator.close();
  }
}

async function count(connector: Connector): Promise<number> {
  return withBuildDatabase(async (staging) => {
    const pull = await connector.openPull(staging, {});
    try {
      await pull.load(fileQuery('SELECT count(DISTINCT id) FROM items', ['items']), 'result', {});
      return Number((await staging.table('SELECT * FROM result')).rows[0]?.[0]);
    } finally {
      await pull.close();
    }
  });
}

const pages = ({ requests }: Simulator): readonly string[] =>
  requests.filter(({ path }) => path.endsWith('/paged')).map(({ parameters }) => parameters.toString());

describe('ServiceNow › scripted endpoints as data objects', () => {
  it('are read page by page with their configured parameters', async () => {
    await withScripted({ ...paged, parameters: { kind: 'even' } }, async (connector, simulator) => {
      const { objects } = await connector.describe({});
      const items = objects.find(({ name }) => name === 'items');
      assert.deepEqual(
        items?.columns.map(({ name, primaryKey }) => [name, primaryKey]),
        [
          ['id', true],
          ['name', false],
        ],
      );
      assert.equal(items.statistics.rowEstimate, undefined);
      simulator.requests.length = 0;
      assert.equal(await count(connector), 5);
      assert.deepEqual(pages(simulator).slice(-2), ['kind=even&size=4&page=0', 'kind=even&size=4&page=1']);
    });
  });

  it('are requested in the configured version', async () => {
    const whole = { ...paged, pagination: 'none' };
    await withScripted({ ...whole, api: 'strict', version: 'v2' }, async (connector, simulator) => {
      assert.equal(await count(connector), 3);
      assert.equal(simulator.requests.at(-1)?.path, '/api/x_acme/v2/strict/paged');
    });
    await withScripted({ ...whole, api: 'strict' }, async (connector) => {
      const { warnings } = await connector.describe({});
      assert.match(warnings.join(), /strict\/paged with an error: Requested URI does not represent any resource/);
    });
  });

  it('support path parameters, and one response without pagination', async () => {
    const { pagination: _, ...whole } = paged;
    await withScripted({ ...whole, path: '/paged?size=100&kind=even' }, async (connector, simulator) => {
      assert.equal(await count(connector), 5);
      assert.equal(pages(simulator).at(-1), 'size=100&kind=even');
    });
  });

  it('preserve every digit of large integers', async () => {
    const { pagination: _, ...whole } = paged;
    await withScripted(whole, async (connector, simulator) => {
      const body = '{"result": {"items": [{"id": 12345678901234567890}, {"id": 12345678901234567891}]}}';
      simulator.failNext({ kind: 'answer', body }, { times: 9, on: ({ path }) => path.endsWith('/paged') });
      assert.equal(await count(connector), 2);
    });
  });

  it('may be lines of JSON, with their type', async () => {
    const { pagination: _, ...whole } = paged;
    await withScripted({ ...whole, records: '$' }, async (connector, simulator) => {
      const body = '{"id": 12345678901234567890}\n{"id": 12345678901234567891}\n';
      const fault = { kind: 'answer', body, contentType: 'application/x-ndjson' } as const;
      simulator.failNext(fault, { times: 9, on: ({ path }) => path.endsWith('/paged') });
      assert.equal(await count(connector), 2);
    });
  });

  it('may have their records in an object, and texts for missing values', async () => {
    const { pagination: _, ...whole } = paged;
    const endpoint = { ...whole, records: 'result[1]', keyColumn: 'id', nullValues: [''] };
    await withScripted(endpoint, async (connector, simulator) => {
      const body = '{"result": [{}, {"a": {"n": 1}, "b": {"n": ""}, "c": {"n": 3}}]}';
      simulator.failNext({ kind: 'answer', body }, { times: 9, on: ({ path }) => path.endsWith('/paged') });
      const { objects } = await connector.describe({});
      const items = objects.find(({ name }) => name === 'items');
      assert.deepEqual(
        items?.columns.map(({ name, type }) => [name, type]),
        [
          ['id', 'VARCHAR'],
          ['n', 'BIGINT'],
        ],
      );
      assert.equal(await count(connector), 3);
    });
  });

  /** Our reader goes from sign to sign: an expression of ours that recurses for each would end here. */
  const long = 8 * 2 ** 20;
  const longTexts: readonly (readonly [what: string, text: string])[] = [
    ['letters', 'x'.repeat(long)],
    ['escaped quotes', '\\"'.repeat(long / 2)],
    ['backslashes', '\\\\'.repeat(long / 2)],
    ['digits', '7'.repeat(long)],
  ];
  for (const [what, text] of longTexts) {
    it(`preserve every digit of large integers next to a text of many ${what}`, async () => {
      const { pagination: _, ...whole } = paged;
      await withScripted(whole, async (connector, simulator) => {
        const body = `{"result": {"items": [{"id": 12345678901234567890, "text": "${text}"}, {"id": 12345678901234567891}]}}`;
        simulator.failNext({ kind: 'answer', body }, { times: 9, on: ({ path }) => path.endsWith('/paged') });
        assert.equal(await count(connector), 2);
      });
    });
  }

  it('show their first request as sent, without secrets', async () => {
    await withScripted({ ...paged, parameters: { token: '${secret:ops}' } }, async (connector, simulator) => {
      const [step] = await connector.steps(fileQuery('SELECT id FROM items', ['items']), { kind: 'import' });
      const { method, path, headers, parameters } = simulator.requests.at(-1) ?? {};
      assert.deepEqual(
        [method, path, headers?.['accept']],
        ['GET', '/api/x_acme/ops/paged', 'application/json, */*;q=0.5'],
      );
      assert.equal(parameters?.get('token'), 'hush hush');
      assert.deepEqual(step?.text.split('\n'), [
        `GET ${simulator.url}/api/x_acme/ops/paged?token=***&size=4&page=0`,
        'Accept: application/json, */*;q=0.5',
        'Authorization: Basic ***',
      ]);
    });
  });

  /** Faults of the second page: temporary ones, and the messages of the others. */
  const faults: readonly (readonly [fault: Fault, said?: RegExp])[] = [
    [{ kind: 'status', status: 503 }],
    [{ kind: 'rate-limit', retryAfter: 0 }],
    [{ kind: 'accepted-empty' }],
    [{ kind: 'hibernating' }, /^The instance is hibernating\.$/],
    [{ kind: 'login-page' }, /with a login page/],
    [{ kind: 'answer', body: '{"result": {"items": [], "total": 10}}' }, /tells of 10 records, but only 4 arrived/],
  ];
  for (const [fault, said] of faults) {
    it(`${said ? 'fail' : 'continue'} after ${fault.kind}`, async () => {
      await withScripted(paged, async (connector, simulator) => {
        await connector.describe({});
        // A list is read again before giving up.
        const times = fault.kind === 'answer' ? 9 : 1;
        simulator.failNext(fault, { times, on: ({ parameters }) => parameters.get('page') === '1' });
        if (said) await assert.rejects(count(connector), { message: said });
        else assert.equal(await count(connector), 10);
      });
    });
  }

  it('are read again when a page is shorter than the announced total', async () => {
    await withScripted(paged, async (connector, simulator) => {
      await connector.describe({});
      const fault: Fault = { kind: 'answer', body: '{"result": {"items": [], "total": 10}}' };
      simulator.failNext(fault, { on: ({ parameters }) => parameters.get('page') === '1' });
      assert.equal(await count(connector), 10);
    });
  });
});
