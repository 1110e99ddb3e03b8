import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ActionPreview, PlatformAction } from '../../protocol/platform-actions.ts';
import { previewAction, runAction } from '../../server/src/operations/platform/platform-actions.ts';
import { findSource, readSourcesFile, type ProjectContext } from '../../server/src/project/open-project.ts';
import type { Fault } from '../simulator/faults.ts';
import type { SimulatedRequest } from '../simulator/http-answer.ts';
import { startSimulator, type Simulator } from '../simulator/simulator.ts';
import { folderWith, removeFolder, writeFiles } from '../support/temporary-folder.ts';
import { permitAllUses } from '../../server/src/connectors/permit-use.ts';

const bytes = Buffer.from(Array.from({ length: 600 }, (_, index) => index % 256));

const graph = `version: 1
name: Users
dataSource: files
elements:
  - { activityName: Row, dataObject: people, key: u_number, startTimestamp: at, properties: all }
`;

const files = {
  "it's; a, file.png": bytes,
  'rows.csv': 'u_number,u_short_description\n007,"First, ""quoted"""\n008,Second\n',
  'none.csv': 'u_number,u_short_description\n',
  'people.csv': 'u_number,at\nP1,2024-05-01 10:00:00\nP2,2024-05-02 10:00:00\n',
  'people.entity.yaml': graph,
};

interface Case {
  readonly name: string;
  readonly action: (record: string, folder: string) => PlatformAction;
  /** The body in the preview, if it contains more than JSON. */
  readonly body?: RegExp;
}

const body = '{ "id": 12345678901234567890,\n  "share": 1.0 }';

const cases: readonly Case[] = [
  {
    name: 'a record to create',
    action: () => ({ kind: 'create record', table: 'incident', values: { state: '1' } }),
  },
  {
    name: 'a record to change',
    action: (id) => ({
      kind: 'update record',
      table: 'incident',
      id,
      values: { state: '2', short_description: 'ä "b"' },
    }),
  },
  {
    name: 'attachments to list',
    action: (id) => ({ kind: 'list attachments', table: 'incident', id }),
  },
  {
    name: 'a file to attach',
    action: (id, folder) => ({
      kind: 'upload attachment',
      table: 'incident',
      id,
      file: join(folder, "it's; a, file.png"),
    }),
    body: /^<it's; a, file\.png>$/,
  },
  {
    name: 'a file to attach as a form',
    action: (id, folder) => ({
      ...{ kind: 'upload attachment', table: 'incident', id, file: join(folder, "it's; a, file.png") },
      asForm: true,
    }),
    body: /^--form-…\n.*name="uploadFile"; filename="it's; a, file\.png"\n.*image\/png\n\n<it's; a, file\.png>\n--form-…--$/,
  },
  {
    name: 'a call with a body, byte for byte',
    action: () => ({ kind: 'call endpoint', method: 'POST', path: '/x_acme/ops/outages/3', parameters: {}, body }),
  },
  {
    name: 'a call with parameters in its path and by name',
    action: () => {
      const path = 'x_acme/ops/outages?open=true&tag=a%26b&tag=c';
      return { kind: 'call endpoint', method: 'GET', path, parameters: { since: '2024-01-01 00:00:00' } };
    },
  },
  {
    name: 'the first row of a file',
    action: (_, folder) => {
      const rows = { kind: 'file', file: join(folder, 'rows.csv') } as const;
      return { kind: 'stage rows', table: 'imp_incident', rows, bulk: false };
    },
  },
  {
    name: 'the first row of a query',
    action: (_, folder) => {
      const target = { kind: 'element', name: 'Row' } as const;
      const rows = { kind: 'query', graph: join(folder, 'people.entity.yaml'), target } as const;
      return { kind: 'stage rows', table: 'imp_incident', rows, bulk: false };
    },
  },
  { name: 'a record to delete', action: (id) => ({ kind: 'delete record', table: 'incident', id }) },
];

const typeOf = (type: string | undefined): string => (type ?? '').replace(/boundary=.*/, 'boundary=form-…');

/** A request in preview notation, without binary bodies. */
function written({ method, path, parameters, headers, body: sent, baseUrl }: SimulatedRequest): string {
  const query = [...parameters].map(([name, value]) => `${name}=${value}`).join('&');
  const lines = [
    `${method} ${baseUrl}${path}${query === '' ? '' : `?${query}`}`,
    `Accept: ${headers['accept']}`,
    ...(headers['content-type'] === undefined ? [] : [`Content-Type: ${typeOf(headers['content-type'])}`]),
    `Authorization: ${headers['authorization']?.replace(/ .*/, ' ***')}`,
  ];
  return [lines.join('\n'), ...(sent.length === 0 || sent.includes(bytes) ? [] : [sent.toString('utf8')])].join('\n\n');
}

function unescaped(http: string): string {
  const [line = '', ...rest] = http.split('\n');
  const url = new URL(line.replace(/^\S+ /, ''));
  const query = [...url.searchParams].map(([name, value]) => `${name}=${value}`).join('&');
  const address = `${url.origin}${decodeURIComponent(url.pathname)}${query === '' ? '' : `?${query}`}`;
  return [`${line.split(' ')[0]} ${address}`, ...rest].join('\n');
}

describe('ServiceNow previews of write requests', () => {
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
    simulator = await startSimulator({ incidents: 5 });
    const settings = `kind: servicenow, instanceUrl: '${simulator.url}', tables: [incident], auth: { kind: basic, user: analyst, password: '\${secret:itsm}' }`;
    const sources = `version: 1\ndataSources:\n  itsm: { ${settings} }\n  files: { kind: csv, path: people.csv }\n`;
    folder = await folderWith({ 'entity-sources.yaml': sources, ...files });
  });
  afterEach(async () => {
    await simulator.close();
    await removeFolder(folder);
  });

  const incident = (): string => simulator.instance.data.get('incident')?.[0]?.['sys_id'] ?? '';
  async function preview(action: PlatformAction, onProgress?: (step: string) => void): Promise<ActionPreview> {
    const file = await readSourcesFile(join(folder, 'entity-sources.yaml'), projectContext());
    return previewAction(file, findSource(file, 'itsm'), action, projectContext(), { onProgress });
  }
  async function run(action: PlatformAction) {
    const file = await readSourcesFile(join(folder, 'entity-sources.yaml'), projectContext());
    return runAction(file, findSource(file, 'itsm'), action, projectContext());
  }

  it('report what they read of the rows to be staged', async () => {
    const target = { kind: 'element', name: 'Row' } as const;
    const sources = {
      file: { kind: 'file', file: join(folder, 'rows.csv') },
      query: { kind: 'query', graph: join(folder, 'people.entity.yaml'), target },
    } as const;
    const told = async (rows: (typeof sources)['file' | 'query']): Promise<readonly string[]> => {
      const steps: string[] = [];
      await preview({ kind: 'stage rows', table: 'imp_incident', rows, bulk: false }, (step) => steps.push(step));
      return steps;
    };
    const columns = `Reading the columns of imp_incident at ${new URL(simulator.url).host}`;
    assert.deepEqual(await told(sources.file), ['Reading rows.csv', columns]);
    assert.deepEqual(await told(sources.query), ['people.csv', 'Reading the rows of Row', columns]);
  });

  for (const { name, action: actionOf, body: shownBody } of cases) {
    it(`show ${name} as sent, with an equivalent cURL command`, async () => {
      const action = actionOf(incident(), folder);
      const { http, curl } = await preview(action);
      // Staged columns are compared with the dictionary, so only that is read.
      const asked = simulator.requests.map(({ method, path }) => `${method} ${path.split('/').at(-1) ?? ''}`);
      const isOfDictionary = (each: string): boolean => /^GET sys_(?:db_object|dictionary|choice)$/.test(each);
      assert.deepEqual(action.kind === 'stage rows' ? asked.filter((each) => !isOfDictionary(each)) : asked, []);
      simulator.requests.length = 0;
      const [head = '', ...bodies] = unescaped(http).split('\n\n');
      const said = shownBody ? head : [head, ...bodies].join('\n\n');
      if (shownBody) assert.match(bodies.join('\n\n'), shownBody);

      // The command first: the action then finds what it deletes restored.
      const deleted = simulator.instance.data.get('incident')?.[0];
      const login = `Basic ${Buffer.from(`analyst:${simulator.logins.password}`).toString('base64')}`;
      const command = `${curl.replace('Authorization: Basic ***', `Authorization: ${login}`)} --silent --fail`;
      await promisify(execFile)('bash', ['-c', command]);
      const [typed] = simulator.requests;
      assert.equal(typed && written(typed), said);
      if (action.kind === 'delete record' && deleted) simulator.instance.data.get('incident')?.unshift(deleted);

      simulator.requests.length = 0;
      await run(action);
      const [sent] = simulator.requests;
      assert.equal(sent && written(sent), said);
      if (action.kind === 'upload attachment') {
        for (const each of [typed, sent]) assert.ok(each?.body.includes(bytes));
      }
    });
  }

  it('show a bulk insert with its first row, and say when there are no rows', async () => {
    const rows = (file: string, bulk: boolean): PlatformAction => ({
      ...{ kind: 'stage rows', table: 'imp_incident', rows: { kind: 'file', file: join(folder, file) }, bulk },
    });
    const bulk = await preview(rows('rows.csv', true));
    assert.match(bulk.http, /^POST .*\/api\/now\/import\/imp_incident\/insertMultiple\n/);
    assert.deepEqual(JSON.parse(bulk.http.split('\n\n')[1] ?? ''), {
      records: [{ u_number: '007', u_short_description: 'First, "quoted"' }],
    });
    assert.match(
      bulk.summary,
      /^Inserts 2 rows of rows\.csv .* all at once\. The request is shown with the first of them\.$/,
    );
    const none = await preview(rows('none.csv', false));
    assert.match(none.summary, /^none\.csv has no rows: nothing would be inserted into imp_incident/);
    assert.equal((await run(rows('none.csv', false))).summary, '0 rows staged in imp_incident.');
    await assert.rejects(preview(rows('missing.csv', false)), /missing\.csv/);
  });

  const staged = (bulk: boolean): PlatformAction => ({
    ...{ kind: 'stage rows', table: 'imp_incident', rows: { kind: 'file', file: join(folder, 'more.csv') }, bulk },
  });

  /** One row per way of staging: the message about columns missing in the staging table. */
  const strange: readonly (readonly [bulk: boolean, said: string])[] = [
    [
      false,
      'imp_incident has no columns u_nmber, U short description, colour: what stands there is not kept. U short description is what it calls u_short_description.',
    ],
    [true, 'imp_incident has no columns u_nmber, colour: what stands there is not kept.'],
  ];
  for (const [bulk, said] of strange) {
    it(`name columns missing in the staging table, ${bulk ? 'all at once' : 'one by one'}`, async () => {
      await writeFiles(folder, { 'more.csv': 'u_nmber,U_Priority,U short description,colour\n1,2,x,\n' });
      assert.deepEqual((await preview(staged(bulk))).warnings, [said]);
    });
  }

  it('report no missing columns when the dictionary is not fully readable', async () => {
    await writeFiles(folder, { 'more.csv': 'u_nmber\n1\n' });
    assert.equal((await preview(staged(false))).warnings?.length, 1);
    const faults: readonly Fault[] = [
      { kind: 'status', status: 403 },
      { kind: 'unauthenticated' },
      { kind: 'status', status: 400 },
    ];
    for (const fault of faults) {
      simulator.onRequest = () => simulator.failNext(fault);
      const { warnings, http } = await preview(staged(false));
      assert.deepEqual([warnings, /^POST /.test(http)], [undefined, true]);
    }
    simulator.onRequest = undefined;
    const dictionary = simulator.instance.data.get('sys_dictionary') ?? [];
    const hidden = dictionary.find((each) => each['element'] === 'u_short_description');
    simulator.instance.settings.mayRead = (_, record) => record !== hidden;
    assert.equal((await preview(staged(false))).warnings, undefined);
  });

  it('are followed by the response as received', async () => {
    simulator.onRequest = () =>
      simulator.failNext({ kind: 'answer', body: '{"result":{"id":12345678901234567890,"x":1.0}}' });
    const action = { kind: 'call endpoint', method: 'GET', path: 'x_acme/ops/outages', parameters: {} } as const;
    const { body: said } = await run(action);
    assert.equal(said, '{\n  "result": {\n    "id": 12345678901234567890,\n    "x": 1.0\n  }\n}');
  });
});
