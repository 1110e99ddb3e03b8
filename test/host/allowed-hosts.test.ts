import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Uri, commands, workspace } from 'vscode';
import { type Answer, answering, pick, press, type } from './person.ts';
import { type Host, startHost } from './service-host.ts';
import { waitFor } from './wait-for.ts';

describe('allowed hosts of data sources', () => {
  let folder: string;
  let hosts: readonly [Host, Host];
  before(async () => {
    hosts = [await startHost(), await startHost()];
    const root = workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
    folder = join(root, 'allowed-hosts');
    const source = (name: string, { origin }: Host, token: string): string =>
      `  ${name}: { kind: rest, baseUrl: "${origin}", auth: { kind: apiKey, header: X-Api-Key, token: "${token}" }, endpoints: [{ name: visits, path: /visits, key: id }] }\n`;
    const sources = [
      source('own', hosts[0], '${secret:moved}'),
      source('foreign', hosts[1], '${secret:moved}'),
      source('variable', hosts[1], '${env:HOME}'),
      source('fresh', hosts[1], '${env:HOME}'),
    ];
    await mkdir(folder);
    await writeFile(join(folder, 'entity-sources.yaml'), `version: 1\ndataSources:\n${sources.join('')}`);
    // Without a data source, it is stored for no host.
    await commands.executeCommand('entityGraph.setSecret', 'moved', 'key-1');
  });
  after(async () => {
    await Promise.all(hosts.map((host) => host.close()));
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  const test = (source: string, ...answers: Answer[]): Promise<readonly string[]> =>
    answering([pick(/^Data source$/, source), ...answers], () => commands.executeCommand('entityGraph.testConnection'));
  const manage = (...answers: Answer[]): Promise<readonly string[]> =>
    answering(answers, () => commands.executeCommand('entityGraph.manageAllowedHosts'));

  it('a secret without a host is bound after one question', async () => {
    const [own] = hosts;
    const place = `${own.origin}, no encryption`;
    const told = await test('own', press(/^Let data source "own" send this/, 'Allow'));
    assert.deepEqual(told.slice(0, 1), [
      `Let data source "own" send this to ${own.origin}? | To ${place}:\n• secret "moved" (kept for no host yet)\n\n` +
        'allowed-hosts/entity-sources.yaml asks for it. Allow it only if you know that file and this host.',
    ]);
    assert.match(told[1] ?? '', /^own can be used/);
    assert.ok(own.keys.length > 0 && own.keys.every((key) => key === 'key-1'), own.keys.join());
    // From now on there are no questions.
    assert.match((await test('own')).join(), /^own can be used/);
  });

  it('another host is confirmed by name, and receives nothing without consent', async () => {
    const [own, foreign] = hosts;
    const [asked = '', failed = ''] = await test('foreign');
    assert.match(asked, new RegExp(`^Let data source "foreign" send this to ${foreign.origin}\\?`));
    assert.ok(
      asked.includes(`To ${foreign.origin}, no encryption:\n• secret "moved" (kept for ${own.origin}, `),
      asked,
    );
    assert.match(failed, /foreign would send the secret moved to http:.*, which nobody has allowed/);
    assert.deepEqual(foreign.keys, []);

    await test('foreign', press(/^Let data source "foreign"/, 'Allow'));
    assert.ok(foreign.keys.length > 0 && foreign.keys.every((key) => key === 'key-1'), foreign.keys.join());
  });

  it('environment variables require consent as well', async () => {
    const [, foreign] = hosts;
    foreign.keys.length = 0;
    const [asked = ''] = await test('variable');
    assert.ok(asked.includes(`To ${foreign.origin}, no encryption:\n• environment variable HOME`), asked);
    assert.deepEqual(foreign.keys, []);
    await test('variable', press(/^Let data source "variable"/, 'Allow'));
    assert.ok(foreign.keys.length > 0 && foreign.keys.every((key) => key === process.env['HOME']), foreign.keys.join());
  });

  it('Manage Allowed Hosts revokes deselected entries', async () => {
    const [, foreign] = hosts;
    foreign.keys.length = 0;
    const told = await manage(pick(/^Manage Allowed Hosts \| What data sources may send/, '$(key) secret "moved"'));
    assert.deepEqual(told, ['2 permissions are revoked.']);
    for (const source of ['foreign', 'variable']) {
      assert.match((await test(source)).join(), new RegExp(`^Let data source "${source}" send this`));
    }
    assert.deepEqual(foreign.keys, []);
    assert.match((await test('own')).join(), /^own can be used/);
  });

  it('an entered secret is bound to the named host', async () => {
    await answering([pick(/^Forget Secret/, 'moved'), pick(/^Forget Secret/, 'own', 'foreign')], () =>
      commands.executeCommand('entityGraph.forgetSecret'),
    );
    const [own] = hosts;
    own.keys.length = 0;
    const prompt = new RegExp(
      `^Secret "moved" \\| Value of \\$\\{secret:moved\\}, sent to ${own.origin}, no encryption`,
    );
    assert.match((await test('own', type(prompt, 'key-2'))).join(), /^own can be used/);
    assert.ok(
      own.keys.every((key) => key === 'key-2'),
      own.keys.join(),
    );
    assert.match((await test('foreign')).join(), /^Let data source "foreign" send this/);
  });

  it('opening a graph offers consent without a modal dialog', async () => {
    const [, foreign] = hosts;
    foreign.keys.length = 0;
    const graph = Uri.file(join(folder, 'v.entity.yaml'));
    const text = 'version: 1\nname: V\ndataSource: fresh\ndataObjects: [visits]\nelements: []\n';
    await writeFile(graph.fsPath, text);
    const offer = /^To read the tables of "fresh", allowed-hosts\/entity-sources\.yaml wants to send this to/;
    const told = await answering([press(offer, 'Allow')], async () => {
      await workspace.openTextDocument(graph);
      await waitFor('the tables are read once it is allowed', () => foreign.keys.length > 0);
    });
    assert.match(told.join(), /environment variable HOME/);
  });
});
