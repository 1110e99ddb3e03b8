import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { ActionResult } from '../../protocol/platform-actions.ts';
import type { ActionOptions } from '../../server/src/operations/platform/action-options.ts';
import { needsReview, stageRows } from '../../server/src/operations/platform/stage-rows.ts';
import type { ServiceNowClient } from '../../server/src/connectors/servicenow/api/client.ts';
import { recordWriter } from '../../server/src/connectors/servicenow/writes/record-writer.ts';
import type { Fault } from '../simulator/faults.ts';
import type { SimulatedRequest } from '../simulator/http-answer.ts';
import type { BulkSettings } from '../simulator/instance.ts';
import type { Simulator } from '../simulator/simulator.ts';
import { withClient } from '../support/servicenow-source.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';
import { noSecrets } from '../support/no-secrets.ts';

const few = { incidents: 5 };
const projectContext = { ...noSecrets } as unknown as Parameters<typeof stageRows>[2];

interface StagingCase extends ActionOptions {
  readonly bulk: boolean;
  readonly count?: number;
  /** How long to wait for an import set. */
  readonly timeoutMs?: number | undefined;
}

/** Stages rows of a file whose second row lacks a description, so that its transform refuses it. */
async function staged(
  client: ServiceNowClient,
  { bulk, count = 4, timeoutMs = 60_000, signal, onProgress }: StagingCase,
): Promise<ActionResult> {
  const lines = Array.from({ length: count }, (_, index) => `N${index + 1},${index === 1 ? '' : `Row ${index + 1}`}`);
  const folder = await folderWith({ 'rows.csv': `u_number,u_short_description\n${lines.join('\n')}\n` });
  try {
    const rows = { kind: 'file', file: join(folder, 'rows.csv') } as const;
    const action = { kind: 'stage rows', table: 'imp_incident', rows, bulk } as const;
    return await stageRows(recordWriter(client), action, projectContext, {
      waiting: { everyMs: 2, timeoutMs },
      signal,
      onProgress,
    });
  } finally {
    await removeFolder(folder);
  }
}

const statuses = ({ rows = [] }: ActionResult): readonly string[] => rows.map(({ row, status }) => `${row} ${status}`);

interface BulkCase {
  readonly name: string;
  readonly bulk?: Partial<BulkSettings>;
  /** Rows that the user may not read, by number. */
  readonly hidden?: readonly string[];
  readonly hidesSet?: boolean;
  readonly statuses: readonly string[];
  /** The message about rows that the transform neither inserted nor refused. */
  readonly said?: RegExp;
  readonly stopped?: boolean;
}

const bulkCases: readonly BulkCase[] = [
  { name: 'reports each row', statuses: ['inserted', 'error', 'inserted', 'inserted'] },
  {
    name: 'reads row numbers that start at 1',
    bulk: { firstRow: 1 },
    statuses: ['inserted', 'error', 'inserted', 'inserted'],
  },
  {
    name: 'names rows that were not transformed when the set was cancelled',
    bulk: { state: 'cancelled', transformed: 2 },
    statuses: ['inserted', 'error', 'error', 'error'],
    said: /ended before this row was transformed: look at the import set [0-9a-f]{32} in the instance \(state cancelled\)/,
  },
  {
    name: 'names rows that were not transformed when the set failed',
    bulk: { state: 'error', transformed: 3 },
    statuses: ['inserted', 'error', 'inserted', 'error'],
    said: /\(state error\)/,
  },
  {
    name: 'gives no row the outcome of another when one is hidden',
    hidden: ['1'],
    statuses: ['inserted', 'unknown', 'inserted', 'inserted'],
    said: /does not show this row to this user: look at the import set [0-9a-f]{32}/,
  },
  {
    name: 'gives no row the outcome of another when the first row number is uncertain',
    hidden: ['0'],
    statuses: ['unknown', 'unknown', 'unknown', 'unknown'],
    said: /tells of 3 of 4 rows, but not which ones they are: look at the import set/,
  },
  {
    name: 'reports unknown outcomes when all rows are hidden',
    hidden: ['0', '1', '2', '3'],
    statuses: ['unknown', 'unknown', 'unknown', 'unknown'],
    said: /does not show this row/,
  },
  {
    name: 'reports rows as sent when their set is not finished in time',
    bulk: { state: 'loading' },
    statuses: ['unknown', 'unknown', 'unknown', 'unknown'],
    said: /is still loading: its outcome is not known yet\. Look at the import set [0-9a-f]{32} in the instance\.$/,
    stopped: true,
  },
  {
    name: 'does not wait for a set that the user may not see',
    hidesSet: true,
    statuses: ['unknown', 'unknown', 'unknown', 'unknown'],
    said: /cannot be read: its outcome is not known yet/,
    stopped: true,
  },
];

/** One row per fault of the third request: the message about its row, and whether it counts as staged. */
const singleFaults: readonly (readonly [fault: Fault, status: string, said: RegExp, staged: number])[] = [
  [{ kind: 'cut-socket' }, 'unknown', /was lost .* Look at imp_incident in the instance\.$/, 3],
  [{ kind: 'cancelled' }, 'unknown', /cancelled the transaction/, 3],
  [{ kind: 'status', status: 503 }, 'unknown', /status 503/, 3],
  [{ kind: 'status', status: 403 }, 'unknown', /refuses POST/, 3],
  [{ kind: 'status', status: 400 }, 'error', /answers POST .* with an error/, 2],
  [{ kind: 'unauthenticated' }, 'error', /refuses the login/, 2],
];

describe('ServiceNow staging › results per row', () => {
  for (const { name, bulk, hidden = [], hidesSet, said, stopped = false, ...expected } of bulkCases) {
    it(`bulk: ${name}`, async () => {
      await withClient(few, async (client, { instance }) => {
        instance.settings.bulk = { ...instance.settings.bulk, ...bulk };
        instance.settings.mayRead = (table, record) =>
          table === 'sys_import_set' ? !hidesSet : !hidden.includes(record['sys_import_row'] ?? '');
        const result = await staged(client, { bulk: true, timeoutMs: bulk?.state === 'loading' ? 500 : undefined });
        assert.deepEqual(
          statuses(result),
          expected.statuses.map((status, index) => `${index + 1} ${status}`),
        );
        const own = result.rows?.filter(
          ({ status, message }) => status !== 'inserted' && !/onBefore/.test(message ?? ''),
        );
        if (said) for (const { message } of own ?? []) assert.match(message ?? '', said);
        assert.match(result.summary, /^4 rows staged in imp_incident: /);
        assert.equal(/No further row was sent/.test(result.summary), stopped);
      });
    });
  }

  it('bulk: stops after a batch with an unknown outcome', async () => {
    await withClient(few, async (client, { instance, requests }) => {
      instance.settings.bulk = { ...instance.settings.bulk, state: 'loading' };
      const result = await staged(client, { bulk: true, count: 510, timeoutMs: 500 });
      assert.deepEqual([result.rows?.length, requests.filter(({ method }) => method === 'POST').length], [500, 1]);
      assert.equal(result.summary, '500 rows staged in imp_incident: 500 unknown. No further row was sent.');
    });
  });

  it('bulk: rows of a request that may have run are not reported as unsent', async () => {
    await withClient(few, async (client, simulator) => {
      simulator.failNext({ kind: 'cut-socket' });
      const result = await staged(client, { bulk: true });
      assert.deepEqual(statuses(result), ['1 unknown', '2 unknown', '3 unknown', '4 unknown']);
      assert.match(result.rows?.[0]?.message ?? '', /was lost .* Look at the import sets of imp_incident/);
      simulator.failNext({ kind: 'status', status: 400 });
      await assert.rejects(staged(client, { bulk: true }), { code: 'source-failed', message: /insertMultiple/ });
    });
  });

  for (const [fault, status, said, count] of singleFaults) {
    it(`one by one: stops at ${Object.values(fault).join(' ')}`, async () => {
      await withClient(few, async (client, simulator: Simulator) => {
        let posts = 0;
        const on = ({ method }: { readonly method: string }): boolean => method === 'POST' && (posts += 1) === 3;
        simulator.failNext(fault, { on });
        const result = await staged(client, { bulk: false });
        assert.deepEqual(statuses(result), ['1 inserted', '2 error', `3 ${status}`]);
        assert.match(result.rows?.[2]?.message ?? '', said);
        assert.match(result.summary, new RegExp(`^${count} rows staged in .* No further row was sent\\.$`));
      });
    });
  }

  /** One row per moment of cancellation: the known rows, and the message about the last of them. */
  const cancellations: readonly {
    readonly name: string;
    readonly bulk: boolean;
    readonly isNow: (sent: SimulatedRequest, posts: number) => boolean;
    readonly statuses: readonly string[];
    readonly said?: RegExp;
  }[] = [
    {
      name: 'while the third row is sent',
      bulk: false,
      isNow: (_, posts) => posts === 3,
      statuses: ['1 inserted', '2 error', '3 unknown'],
      said: /^Cancelled while this row was sent\. Look at imp_incident in the instance\.$/,
    },
    {
      name: 'while the rows are sent',
      bulk: true,
      isNow: ({ method }) => method === 'POST',
      statuses: ['1 unknown', '2 unknown', '3 unknown', '4 unknown'],
      said: /^Cancelled while this row was sent\. Look at the import sets of imp_incident in the instance\.$/,
    },
    {
      name: 'while waiting for the import set',
      bulk: true,
      isNow: ({ path }) => path.endsWith('/sys_import_set'),
      statuses: ['1 unknown', '2 unknown', '3 unknown', '4 unknown'],
      said: /^Cancelled before the outcome of this row was known\. Look at the import set [0-9a-f]{32} in the instance\.$/,
    },
  ];
  for (const { name, bulk, isNow, said, ...expected } of cancellations) {
    it(`cancellation ${name} reports the known results`, async () => {
      await withClient(few, async (client, simulator) => {
        const abort = new AbortController();
        let posts = 0;
        simulator.onRequest = (sent) => {
          if (sent.method === 'POST') posts += 1;
          if (!isNow(sent, posts)) return;
          simulator.failNext({ kind: 'never-answers' });
          abort.abort(new Error('Cancelled.'));
        };
        const result = await staged(client, { bulk, signal: abort.signal });
        assert.deepEqual(statuses(result), expected.statuses);
        assert.match(result.rows?.at(-1)?.message ?? '', said ?? /^$/);
        assert.match(result.summary, / Cancelled: no further row was sent\.$/);
        assert.ok(needsReview(result));
      });
    });
  }

  it('cancellation between two rows reports the known results', async () => {
    await withClient(few, async (client, { requests }) => {
      const abort = new AbortController();
      const onProgress = (message: string) => message === '1 row staged' && abort.abort(new Error('Cancelled.'));
      const result = await staged(client, { bulk: false, signal: abort.signal, onProgress });
      assert.deepEqual([statuses(result), requests.length], [['1 inserted'], 1]);
      assert.equal(result.summary, '1 row staged in imp_incident: 1 inserted. Cancelled: no further row was sent.');
      assert.ok(needsReview(result));
    });
  });

  it('another failure between two rows reports the known results', async () => {
    await withClient(few, async (client, { requests }) => {
      const onProgress = (message: string): void => {
        if (message === '2 rows staged') throw new Error('Nobody listens any more.');
      };
      const result = await staged(client, { bulk: false, onProgress });
      assert.deepEqual([statuses(result), requests.length], [['1 inserted', '2 error'], 2]);
      assert.equal(
        result.summary,
        '2 rows staged in imp_incident: 1 inserted, 1 error. No further row was sent: Unexpected error: Nobody listens any more.',
      );
      assert.ok(needsReview(result));
    });
  });

  it('cancellation before the first request sends nothing', async () => {
    await withClient(few, async (client, { requests }) => {
      const abort = new AbortController();
      abort.abort(new Error('Cancelled.'));
      await assert.rejects(staged(client, { bulk: true, signal: abort.signal }));
      assert.equal(requests.length, 0);
    });
  });

  it('progress is reported', async () => {
    await withClient(few, async (client) => {
      const said: string[] = [];
      await staged(client, { bulk: false, count: 3, onProgress: (message) => said.push(message) });
      assert.deepEqual(said.splice(0), ['1 row staged', '2 rows staged', '3 rows staged']);
      await staged(client, { bulk: true, count: 510, onProgress: (message) => said.push(message) });
      assert.deepEqual(
        said.map((message) => message.replace(/[0-9a-f]{32}/, 'ID')),
        [
          '500 rows sent, waiting for the import set ID',
          '500 rows staged',
          '510 rows sent, waiting for the import set ID',
          '510 rows staged',
        ],
      );
    });
  });

  it('results are requested by the id of the staging row', async () => {
    await withClient(few, async ({ importSets }, { instance }) => {
      const sent = { u_number: 'A1', u_short_description: 'fine' };
      const made = await importSets.insert('imp_incident', sent);
      await importSets.insert('imp_incident', { u_number: 'A2' });
      const ids = (instance.data.get('imp_incident') ?? []).map((row) => row['sys_id'] ?? '');
      assert.deepEqual(await importSets.outcome('imp_incident', ids[0] ?? ''), made);
      const [failed] = await importSets.outcome('imp_incident', ids[1] ?? '');
      assert.deepEqual([failed?.status, failed?.recordId], ['error', undefined]);
      await assert.rejects(importSets.outcome('imp_incident', 'f'.repeat(32)), { code: 'object-missing' });
    });
  });

  it('import sets can join a multi import set', async () => {
    await withClient(few, async ({ importSets }, { requests }) => {
      const rows = [{ u_short_description: 'one' }];
      const first = await importSets.insertMultiple('imp_incident', rows);
      const { multiImportSetId = '' } = first;
      const second = await importSets.insertMultiple('imp_incident', rows, {
        multiImportSetId,
        runAfter: first.importSetId,
      });
      assert.deepEqual([second.multiImportSetId, second.importSetId === first.importSetId], [multiImportSetId, false]);
      assert.deepEqual(
        [...(requests.at(-1)?.parameters ?? [])],
        [
          ['multi_import_set_id', multiImportSetId],
          ['run_after', first.importSetId],
        ],
      );
      await assert.rejects(importSets.insertMultiple('imp_incident', rows, { runAfter: 'none' }), /run_after/);
    });
  });
});
