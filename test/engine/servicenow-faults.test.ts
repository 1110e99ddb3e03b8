import assert from 'node:assert/strict';
import { fetchedConnector } from '../../server/src/connectors/fetched/connector.ts';
import { openHttpClient } from '../../server/src/connectors/http/open-client.ts';
import { createServiceNowClient } from '../../server/src/connectors/servicenow/client.ts';
import { readServiceNowConfig } from '../../server/src/connectors/servicenow/config.ts';
import { serviceNowRecords } from '../../server/src/connectors/servicenow/record-source.ts';
import { isSourceError } from '../../server/src/connectors/source-error.ts';
import { randomNumbers, type SimulatedRecord } from '../simulator/demo-data.ts';
import type { Fault } from '../simulator/faults.ts';
import { startSimulator, type Simulator } from '../simulator/simulator.ts';
import { withBuildDatabase } from '../support/build-database.ts';
import { fileQuery } from '../support/csv-source.ts';
import { instanceSettings, quickRetries } from '../support/servicenow-source.ts';

/** Every fault after which a pull can go on. */
const recoverable: readonly Fault[] = [
  { kind: 'truncated', variant: 'parseable' },
  { kind: 'truncated', variant: 'malformed' },
  { kind: 'truncated', variant: 'text' },
  { kind: 'cut-json' },
  { kind: 'accepted-empty' },
  { kind: 'cut-socket' },
  { kind: 'rate-limit', retryAfter: 0 },
  { kind: 'semaphore' },
  { kind: 'cancelled' },
  { kind: 'status', status: 502 },
  { kind: 'status', status: 503 },
  { kind: 'status', status: 504 },
  { kind: 'slow', milliseconds: 20 },
];

/** Every fault after which a pull has to say what is wrong, by the code of what it says. */
const fatal: readonly (readonly [fault: Fault, code: string])[] = [
  [{ kind: 'hibernating' }, 'source-unreachable'],
  [{ kind: 'login-page' }, 'authentication-failed'],
  [{ kind: 'redirect', location: 'https://sso.example/login?state=geheim' }, 'authentication-failed'],
  [{ kind: 'redirect', location: 'https://developer.servicenow.com/hibernated' }, 'source-unreachable'],
  [{ kind: 'unauthenticated' }, 'authentication-failed'],
  [{ kind: 'status', status: 500 }, 'source-failed'],
  [{ kind: 'rate-limit', retryAfter: 3600 }, 'source-failed'],
];

interface Run {
  readonly seed: number;
  /** Strikes every request from a random one on. */
  readonly fatal?: Fault;
  /** Part of the requests that a fault strikes. */
  readonly faultRate: number;
  readonly hides?: (record: SimulatedRecord) => boolean;
}

/** What a pull of all incidents gave while the instance changed and failed, and what it may and must have given. */
interface Outcome {
  readonly ids: readonly string[] | undefined;
  readonly error: unknown;
  readonly always: ReadonlySet<string>;
  readonly ever: ReadonlySet<string>;
}

async function pull({ seed, faultRate, fatal: last, hides = () => false }: Run): Promise<Outcome> {
  const random = randomNumbers(seed * 7919);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const simulator = await startSimulator({ seed, incidents: 60 + Math.floor(random() * 200) });
  simulator.instance.settings.mayRead = (table, record) => table !== 'incident' || !hides(record);
  simulator.instance.settings.emptyRows = random() < 0.5;
  const rows = simulator.instance.data.get('incident') ?? [];
  const ever = new Set(rows.map((record) => record['sys_id'] ?? ''));
  const always = new Set(ever);
  const change = (): void => {
    const what = random();
    if (what < 0.3 && rows.length > 1)
      always.delete(rows.splice(Math.floor(random() * rows.length), 1)[0]?.['sys_id'] ?? '');
    else if (what < 0.7) {
      const id = simulator.instance.newId();
      rows.push({ ...pick(rows), sys_id: id });
      ever.add(id);
    } else pick(rows)['sys_updated_on'] = '2024-06-01 00:00:00';
  };
  simulator.onRequest = ({ path }) => {
    if (path.endsWith('/table/incident') && random() < 0.7) change();
    if (random() < 0.02) simulator.logins.tokens.clear();
    if (path !== '/oauth_token.do' && random() < faultRate) simulator.failNext(pick(recoverable));
  };
  const pageSize = 2 + Math.floor(random() * 40);
  const concurrency = 1 + Math.floor(random() * 6);
  if (last) {
    // Not later than the last page, though some rows go meanwhile.
    const from = 1 + Math.floor((random() * 0.5 * rows.length) / pageSize);
    let pages = 0;
    const on = ({ path }: { readonly path: string }): boolean => path.includes('/table/') && (pages += 1) >= from;
    simulator.failNext(last, { times: Infinity, on });
  }
  try {
    const ids = await pulledIds(simulator, { pageSize, concurrency });
    return { ids, error: undefined, always, ever };
  } catch (error) {
    return { ids: undefined, error, always, ever };
  } finally {
    await simulator.close();
  }
}

async function pulledIds(simulator: Simulator, settings: object): Promise<readonly string[]> {
  const { clientId, clientSecret } = simulator.logins;
  const auth = { kind: 'oauth2', grant: 'client_credentials', clientId, clientSecret };
  const identity = { name: 'itsm', timeZone: 'UTC', folder: process.cwd() };
  const config = readServiceNowConfig(
    identity,
    instanceSettings(simulator, { ...settings, auth, tables: ['incident'] }),
  );
  const retryPolicy = { ...quickRetries, attempts: 12 };
  const http = await openHttpClient({
    baseUrl: config.instanceUrl,
    peer: 'The instance',
    auth: config.auth,
    tokenPath: '/oauth_token.do',
    connections: config.concurrency,
    connectTimeoutMs: 2000,
    requestTimeoutMs: 5000,
    retryPolicy,
    onSecret: () => undefined,
  });
  const connector = fetchedConnector(serviceNowRecords(config, createServiceNowClient(http, { retryPolicy }), []));
  const columns = [{ name: 'sys_id', type: 'VARCHAR', sense: 'text', nullable: false, primaryKey: true }] as const;
  const reads = [{ dataObject: 'incident', columns, leads: true }];
  try {
    return await withBuildDatabase(async (staging) => {
      const open = await connector.openPull(staging, {});
      try {
        await open.load({ ...fileQuery('SELECT sys_id FROM incident', ['incident']), reads }, 'ids', {});
        const { rows } = await staging.table('SELECT c1 FROM ids');
        return rows.map(([id]) => String(id));
      } finally {
        await open.close();
      }
    });
  } finally {
    await connector.close();
  }
}

const seeds = Array.from({ length: Number(process.env['ENTITY_GRAPH_SEEDS'] ?? 20) }, (_, index) => index + 1);

describe('pulls from an instance that changes and fails', () => {
  it(`end with the right set for ${seeds.length} seeds`, async function () {
    this.timeout(20_000 + seeds.length * 5000);
    for (const seed of seeds) {
      const { ids, error, always, ever } = await pull({ seed, faultRate: 0.15 });
      assert.equal(error, undefined, `seed ${seed}`);
      const found = new Set(ids);
      assert.equal(found.size, ids?.length, `seed ${seed}: no record twice`);
      assert.deepEqual(
        [...always].filter((id) => !found.has(id)),
        [],
        `seed ${seed}: every record that was always there`,
      );
      assert.deepEqual(
        [...found].filter((id) => !ever.has(id)),
        [],
        `seed ${seed}: none that never was`,
      );
    }
  });

  it(`say what is wrong for ${seeds.length} seeds after which nothing helps`, async function () {
    this.timeout(20_000 + seeds.length * 5000);
    for (const seed of seeds) {
      const [fault, code] = fatal[seed % fatal.length] as (typeof fatal)[number];
      const { ids, error } = await pull({ seed, faultRate: 0.05, fatal: fault });
      assert.equal(ids, undefined, `seed ${seed}`);
      assert.ok(isSourceError(error) && error.code === code, `seed ${seed}, ${fault.kind}: ${String(error)}`);
      assert.ok(error.details.remedy !== undefined && !/geheim|\bat .*:\d+:\d+/.test(error.message), `seed ${seed}`);
    }
  });

  it(`are never silently short for ${seeds.length} seeds that hide records`, async function () {
    this.timeout(20_000 + seeds.length * 5000);
    for (const seed of seeds) {
      const hides = (record: SimulatedRecord): boolean => record['sys_id']?.endsWith(String(seed % 10)) ?? false;
      const { ids, error } = await pull({ seed, faultRate: 0.05, hides });
      assert.equal(ids, undefined, `seed ${seed}`);
      assert.ok(isSourceError(error) && error.code === 'source-incomplete', `seed ${seed}: ${String(error)}`);
    }
  });
});
