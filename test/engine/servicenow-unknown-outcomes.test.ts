import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { PlatformAction } from '../../protocol/platform-actions.ts';
import type { SourceError } from '../../server/src/connectors/source-error.ts';
import { exploreSend } from '../../server/src/operations/platform/api-explorer.ts';
import { toFailure } from '../../server/src/operations/operation-error.ts';
import { runAction } from '../../server/src/operations/platform/platform-actions.ts';
import { findSource, readSourcesFile, type ProjectContext } from '../../server/src/project/open-project.ts';
import type { Fault } from '../simulator/faults.ts';
import { startSimulator, type Simulator } from '../simulator/simulator.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';
import { permitAllUses } from '../../server/src/connectors/permit-use.ts';

/** One row per write: what to check before repeating it. */
const writes: readonly (readonly [action: (id: string, folder: string) => PlatformAction, look: RegExp])[] = [
  [
    () => ({ kind: 'create record', table: 'incident', values: { state: '1' } }),
    /^Look for the record in incident before you create it again\.$/,
  ],
  [
    (id) => ({ kind: 'update record', table: 'incident', id, values: { state: '2' } }),
    /^Look at the record \w{32} of incident before you change it again\.$/,
  ],
  [
    (id) => ({ kind: 'delete record', table: 'incident', id }),
    /^Look whether incident still has the record \w{32} before you delete it again\.$/,
  ],
  [
    (id, folder) => ({ kind: 'upload attachment', table: 'incident', id, file: join(folder, 'a.txt') }),
    /^List the attachments of \w{32} of incident before you attach a\.txt again\.$/,
  ],
  [
    () => ({ kind: 'delete attachment', attachment: 'a'.repeat(32) }),
    /^Look whether the attachment a{32} is still there before you delete it again\.$/,
  ],
  [
    () => ({ kind: 'call endpoint', method: 'POST', path: '/x_acme/ops/outages/1', parameters: {} }),
    /^Find out what POST \/api\/x_acme\/ops\/outages\/1 has done before you call it again\.$/,
  ],
];

/** One row per outcome of a write that may have been carried out: the message. */
const unknown: readonly (readonly [fault: Fault, said: RegExp])[] = [
  [{ kind: 'status', status: 503 }, /^The instance is not available at the moment \(status 503\)\. /],
  [{ kind: 'cut-socket' }, /^The connection to .* was lost before the answer was complete\. /],
  [{ kind: 'cancelled' }, /^The instance cancelled the transaction: it took longer than the instance allows\. /],
  [{ kind: 'never-answers' }, /^The instance did not answer within 0\.5 s\. /],
];

/** One row per outcome of a write that certainly had no effect: its code. */
const refused: readonly (readonly [fault: Fault, code: string])[] = [
  [{ kind: 'status', status: 400 }, 'source-failed'],
  [{ kind: 'status', status: 404 }, 'object-missing'],
  [{ kind: 'status', status: 405 }, 'source-failed'],
  [{ kind: 'unauthenticated' }, 'authentication-failed'],
  [{ kind: 'rate-limit', retryAfter: 3600 }, 'source-failed'],
];

describe('ServiceNow writes with an unknown outcome', () => {
  let folder = '';
  let simulator: Simulator;
  const projectContext = (): ProjectContext => ({
    openText: () => undefined,
    permitUses: permitAllUses,
    readSecret: async () => simulator.logins.password,
    environment: {},
    workspaceFolderOf: () => folder,
  });
  beforeEach(async () => {
    simulator = await startSimulator({ incidents: 2 });
    const auth = `auth: { kind: basic, user: analyst, password: '\${secret:itsm}' }`;
    const source = `kind: servicenow, instanceUrl: '${simulator.url}', timeouts: { request: 500ms }, ${auth}`;
    const sources = `version: 1\ndataSources:\n  itsm: { ${source} }\n`;
    folder = await folderWith({ 'entity-sources.yaml': sources, 'a.txt': 'a' });
  });
  afterEach(async () => {
    await simulator.close();
    await removeFolder(folder);
  });

  /** The failure of an action as surfaces get it. */
  async function failureOf(
    actionOf: (id: string, folder: string) => PlatformAction,
    abort: AbortController = new AbortController(),
  ) {
    const action = actionOf(simulator.instance.data.get('incident')?.[0]?.['sys_id'] ?? '', folder);
    const { signal } = abort;
    const file = await readSourcesFile(join(folder, 'entity-sources.yaml'), projectContext());
    try {
      await runAction(file, findSource(file, 'itsm'), action, projectContext(), { signal });
    } catch (error) {
      return toFailure(error, signal);
    }
    throw new assert.AssertionError({ message: `${action.kind} did not fail` });
  }

  for (const [actionOf, look] of writes) {
    const { kind } = actionOf('', '');
    for (const [fault, said] of unknown) {
      it(`say what to check: ${kind} after ${Object.values(fault).join(' ')}`, async () => {
        simulator.failNext(fault);
        const { code, message, remedy = '' } = await failureOf(actionOf);
        assert.equal(code, 'outcome-unknown');
        assert.match(message, said);
        assert.match(message, / It may have been carried out all the same\.$/);
        assert.match(remedy, look);
        assert.equal(simulator.requests.length, 1);
      });
    }
    it(`say what to check after cancellation: ${kind}`, async () => {
      const abort = new AbortController();
      simulator.failNext({ kind: 'never-answers' });
      simulator.onRequest = () => abort.abort(new Error('Cancelled.'));
      const { code, message, remedy = '' } = await failureOf(actionOf, abort);
      assert.deepEqual(
        [code, message],
        ['outcome-unknown', 'Cancelled while it was under way. It may have been carried out all the same.'],
      );
      assert.match(remedy, look);
    });
    for (const [fault, code] of refused) {
      it(`are distinguished from ${kind} that had no effect: ${Object.values(fault).join(' ')}`, async () => {
        simulator.failNext(fault);
        const failure = await failureOf(actionOf);
        assert.deepEqual([failure.code, /all the same/.test(failure.message)], [code, false]);
        if (fault.kind === 'status') assert.match(failure.message, / Nothing was changed\.$/);
      });
    }
    // An insert may have been carried out though its record may not be read afterwards.
    const isInsert = ['create record', 'upload attachment', 'call endpoint'].includes(kind);
    it(`${kind} rejected with status 403 ${isInsert ? 'is' : 'is not'} one of them`, async () => {
      simulator.failNext({ kind: 'status', status: 403 });
      const { code, message, remedy = '' } = await failureOf(actionOf);
      assert.equal(code, isInsert ? 'outcome-unknown' : 'permission-denied');
      assert.equal(/ Nothing was changed\.$/.test(message), !isInsert);
      assert.match(remedy, isInsert ? look : /a role that may write to the (?:table|record)/);
    });
  }

  it('are reported by the API explorer for requests that may write', async () => {
    const file = await readSourcesFile(join(folder, 'entity-sources.yaml'), projectContext());
    const send = (method: 'GET' | 'POST') => {
      simulator.failNext({ kind: 'cut-socket' });
      const request = { method, path: '/api/x_acme/ops/outages/1', parameters: [], body: '' };
      return exploreSend(file, findSource(file, 'itsm'), request, projectContext(), new AbortController().signal);
    };
    await assert.rejects(send('GET'), { code: 'connection-lost' });
    await assert.rejects(send('POST'), (error: SourceError) => {
      assert.equal(error.code, 'outcome-unknown');
      assert.equal(
        error.details.remedy,
        'Find out what POST /api/x_acme/ops/outages/1 has done before you send it again.',
      );
      return true;
    });
  });

  it('exclude reads, and writes cancelled before they were sent', async () => {
    const read = (): PlatformAction => ({ kind: 'list attachments', table: 'incident', id: 'a' });
    simulator.failNext({ kind: 'never-answers' });
    assert.equal((await failureOf(read)).code, 'statement-timeout');
    const abort = new AbortController();
    abort.abort(new Error('Cancelled.'));
    for (const [actionOf] of writes) assert.equal((await failureOf(actionOf, abort)).code, 'cancelled');
  });
});
