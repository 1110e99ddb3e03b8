import assert from 'node:assert/strict';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TabInputWebview, Uri, commands, env, window, workspace } from 'vscode';
import { type Simulator, startSimulator } from '../simulator/simulator.ts';
import { type Answer, answering, file, pick, press, type } from './person.ts';
import { waitFor } from './wait-for.ts';

const graph = `version: 1
name: Incidents
dataSource: itsm
dataObjects: [incident]
elements:
  - { activityName: Open, dataObject: incident, startTimestamp: opened_at, properties: [number] }
`;

describe('ServiceNow write commands in VS Code', () => {
  let simulator: Simulator;
  let folder = '';
  before(async () => {
    const root = workspace.workspaceFolders?.[0]?.uri.fsPath;
    assert.ok(root, 'No folder is open.');
    folder = join(root, 'platform-lab');
    simulator = await startSimulator({ incidents: 3 });
    const { user, password } = simulator.logins;
    const auth = `{ kind: basic, user: ${user}, password: '${password}' }`;
    const sources = `version: 1\ndataSources:\n  itsm: { kind: servicenow, instanceUrl: '${simulator.url}', auth: ${auth}, tables: [incident] }\n`;
    await mkdir(folder, { recursive: true });
    const files = { 'entity-sources.yaml': sources, 'i.entity.yaml': graph, 'note.txt': 'a note', 'empty.csv': '' };
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    await writeFile(join(folder, 'rows.csv'), 'u_number,u_short_description\n007,First\n008,\n');
  });
  after(async () => {
    await commands.executeCommand('workbench.action.closeAllEditors');
    await simulator.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  const uri = (name: string): Uri => Uri.file(join(folder, name));
  const records = (table: string) => simulator.instance.data.get(table) ?? [];
  const firstId = (): string => records('incident')[0]?.['sys_id'] ?? '';
  /** Runs a command as from the row of a source, or of one of its tables. */
  const run = (name: string, answers: readonly Answer[], table?: string): Promise<readonly string[]> => {
    const source = {
      ...{ uri: uri('entity-sources.yaml').toString(), name: 'itsm', kind: 'servicenow', secrets: [] },
      ...{ icon: 'server-environment', abilities: ['explore', 'signIn', 'writeRecords'], recordKey: 'sys_id' },
    };
    const node = table === undefined ? { kind: 'source', source } : { kind: 'object', source, object: { name: table } };
    return answering(answers, () => commands.executeCommand(`entityGraph.${name}`, node));
  };
  const setField = (title: RegExp, name: string, value: string): readonly Answer[] => [
    pick(title, name),
    type(new RegExp(`^${name} \\| Value as it is stored`), value),
  ];

  it('Create Record shows the request, which can be copied before it is sent', async () => {
    const title = /^New Record of incident/;
    const told = await run(
      'createRecord',
      [
        ...setField(title, 'short_description', "It's slow"),
        pick(title, '$(check) Done'),
        press(/^Creates a record of incident.*POST http.*Authorization: Basic \*\*\*.*It's slow/s, 'Copy as cURL'),
        press(/^Creates a record of incident/, 'Send'),
        press(/^The record \w{32} of incident is created\.$/, 'Show Answer'),
      ],
      'incident',
    );
    assert.ok(!told.join().includes(simulator.logins.password));
    assert.match(await env.clipboard.readText(), /^curl --request POST '.*\/api\/now\/table\/incident' \\\n/);
    assert.equal(records('incident').at(-1)?.['short_description'], "It's slow");
    assert.match(window.activeTextEditor?.document.getText() ?? '', /"short_description": "It's slow"/);
  });

  it('Change Record lists fields that the instance ignored', async () => {
    const title = new RegExp(`^${firstId()} of incident`);
    const told = await run(
      'updateRecord',
      [
        type(/^sys_id of the record/, firstId()),
        pick(title, '$(edit) Another Field…'),
        type(/^Name of the field/, 'urgncy'),
        type(/^urgncy \| Value as it is stored/, '2'),
        pick(title, '$(check) Done'),
        press(/^Changes urgncy of the record/, 'Send'),
      ],
      'incident',
    );
    assert.match(told.at(-1) ?? '', /is updated\. The record has no urgncy/);
  });

  it('Change Record accepts display values', async () => {
    const title = new RegExp(`^${firstId()} of incident`);
    await run(
      'updateRecord',
      [
        type(/^sys_id of the record/, firstId()),
        pick(title, '$(database) Values as Stored'),
        pick(title, '$(edit) Another Field…'),
        type(/^Name of the field/, 'short_description'),
        type(/^short_description \| Value as the instance shows it/, 'seen'),
        pick(title, '$(check) Done'),
        press(
          /^Changes short_description of .* with values as they are shown.*sysparm_input_display_value=true/s,
          'Send',
        ),
      ],
      'incident',
    );
    assert.equal(records('incident')[0]?.['short_description'], 'seen');
  });

  it('Delete Record sends nothing without confirmation, and reports a missing record', async () => {
    const before = records('incident').length;
    await run('deleteRecord', [type(/^sys_id/, firstId())], 'incident');
    assert.equal(records('incident').length, before);
    await run('deleteRecord', [type(/^sys_id/, firstId()), press(/^Deletes the record/, 'Send')], 'incident');
    assert.equal(records('incident').length, before - 1);
    const told = await run('deleteRecord', [type(/^sys_id/, 'f'.repeat(32)), press(/^Deletes/, 'Send')], 'incident');
    assert.match(told.at(-1) ?? '', /finds nothing for DELETE .* Nothing was changed\./);
  });

  it('Change Many Records and Delete Many Records show the number of records, and list missing ones', async () => {
    const list = records('incident').map(({ sys_id = '' }) => sys_id);
    await writeFile(join(folder, 'ids.txt'), [...list, 'f'.repeat(32)].join('\n'));
    const asksForFile = file(/^/, uri('ids.txt'));
    const told = await run(
      'updateRecords',
      [
        asksForFile,
        ...setField(/^Records of incident/, 'short_description', 'many'),
        pick(/^Records of incident/, '$(check) Done'),
        press(new RegExp(`^Changes short_description of ${list.length + 1} records of incident`), 'Send'),
      ],
      'incident',
    );
    assert.match(
      told.at(-1) ?? '',
      new RegExp(`^${list.length} of ${list.length + 1} records of incident are updated: 1 not there`),
    );
    assert.ok(records('incident').every((record) => record['short_description'] === 'many'));
    await run('deleteRecords', [asksForFile], 'incident');
    assert.equal(records('incident').length, list.length);
  });

  it('Attachments of Record attaches, saves and deletes a file', async () => {
    const asksForRecord = type(/^sys_id/, firstId());
    const list = /^Attachments of/;
    await run(
      'attachments',
      [
        asksForRecord,
        pick(list, '$(cloud-upload) Attach a File…'),
        file(/^/, uri('note.txt')),
        press(/^Attaches note\.txt \(6 bytes\) to .*note\.txt/s, 'Send'),
      ],
      'incident',
    );
    assert.equal(records('sys_attachment').at(-1)?.['file_name'], 'note.txt');
    const save = [pick(list, '$(file) note.txt'), pick(/^note\.txt/, '$(cloud-download) Save…')];
    const told = await run('attachments', [asksForRecord, ...save, file(/^/, uri('saved.txt'))], 'incident');
    assert.match(told.at(-1) ?? '', /^The attachment is saved as .*saved\.txt\.$/);
    assert.equal(await readFile(join(folder, 'saved.txt'), 'utf8'), 'a note');
    const remove = [pick(list, '$(file) note.txt'), pick(/^note\.txt/, '$(trash) Delete'), press(/^Deletes/, 'Send')];
    await run('attachments', [asksForRecord, ...remove], 'incident');
    assert.equal(records('sys_attachment').length, 0);
  });

  /** Waits until the results are those of a table. */
  const showsResults = (title: string): Promise<void> => {
    const titles = () =>
      window.tabGroups.all
        .flatMap(({ tabs }) => tabs)
        .filter(({ input }) => input instanceof TabInputWebview && input.viewType.endsWith('entityGraph.results'))
        .map(({ label }) => label);
    return waitFor(`results of ${title}`, () => titles().includes(title), titles);
  };
  const stage = (...answers: readonly Answer[]) =>
    run('stageRows', [type(/^Name of the staging table/, 'imp_incident'), ...answers]);

  it('Insert Rows into Staging Table shows the number of rows, and the result for each', async () => {
    const before = records('incident').length;
    await stage(
      pick(/^Which rows/, '$(file) Rows of a File…'),
      file(/^/, uri('rows.csv')),
      pick(/^How/, 'One by One'),
      press(/^Inserts 2 rows of rows\.csv into imp_incident .*"u_number": "007"/s, 'Send'),
    );
    await showsResults('imp_incident');
    assert.equal(records('incident').length, before + 1);
  });

  it('Insert Rows into Staging Table reports an invalid file before anything is sent', async () => {
    const sent = simulator.requests.length;
    const told = await stage(
      pick(/^Which rows/, '$(file) Rows of a File…'),
      file(/^/, uri('empty.csv')),
      pick(/^How/, 'All at Once'),
    );
    assert.match(told.join(), /empty\.csv is empty\./);
    assert.equal(simulator.requests.length, sent);
  });

  it('Insert Rows into Staging Table resumes with the rows that were not sent', async () => {
    await writeFile(join(folder, 'three.csv'), 'u_number,u_short_description\n1,a\n2,b\n3,c\n');
    const sent = () => simulator.requests.filter(({ path }) => path.endsWith('/import/imp_incident')).length;
    const before = sent();
    const on = ({ path }: { readonly path: string }): boolean =>
      path.endsWith('/imp_incident') && sent() === before + 2;
    simulator.failNext({ kind: 'status', status: 400 }, { on });
    await stage(
      pick(/^Which rows/, '$(file) Rows of a File…'),
      file(/^/, uri('three.csv')),
      pick(/^How/, 'One by One'),
      press(/^Inserts 3 rows of three\.csv/, 'Send'),
      press(/^1 row staged in .* No further row was sent\.$/, 'Continue from Row 2'),
      press(/^Inserts 2 rows of three\.csv .* from row 2 on/, 'Send'),
    );
    assert.equal(sent(), before + 4);
  });

  it('Insert Rows into Staging Table sends the rows of a query in bulk', async () => {
    await window.showTextDocument(uri('i.entity.yaml'));
    await stage(
      pick(/^Which rows/, '$(table) Rows of a Query…'),
      pick(/^How/, 'All at Once'),
      press(/^Inserts the rows of Open into imp_incident .*"records"/s, 'Send'),
    );
    await showsResults('imp_incident');
    assert.equal(simulator.requests.filter(({ path }) => path.endsWith('/insertMultiple')).length, 1);
  });

  it('Call Endpoint accepts a pasted path, and asks before it writes', async () => {
    const read = await run('callEndpoint', [
      pick(/^Method/, 'GET'),
      type(/^Path below \/api/, '/api/x_acme/ops/outages'),
    ]);
    assert.match(read.at(-1) ?? '', /^GET \/api\/x_acme\/ops\/outages: status 200\.$/);
    const wrote = await run('callEndpoint', [
      pick(/^Method/, 'POST'),
      type(/^Path below \/api/, 'x_acme/ops/outages/7'),
      type(/^Body, JSON/, '{"done": true}'),
      press(/^Calls POST .*"done": true/s, 'Send'),
    ]);
    assert.match(wrote.at(-1) ?? '', /status 201\.$/);
    assert.equal(simulator.requests.at(-1)?.body.toString('utf8'), '{"done": true}');
    const refused = await run('callEndpoint', [pick(/^Method/, 'GET'), type(/^Path/, 'https://evil.example/x')]);
    assert.match(refused.join(), /leave the host out/);
  });
});
