import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { type Simulator, startSimulator } from '../simulator/simulator.ts';
import { type CliRun, runCli } from '../support/run-cli.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';

const graph = `version: 1
name: Incidents
dataSource: itsm
dataObjects: [incident]
elements:
  - { activityName: Open Incident, dataObject: incident, startTimestamp: opened_at }
`;

/** A browser with a logged-in user follows redirects, while another page tries to send the response. */
const browser = `const [, , url] = process.argv;
const page = new URL(url);
const back = new URL(page.searchParams.get('redirect_uri'));
const forged = new URL(back);
forged.search = 'code=forged&state=guessed';
const answers = [await fetch(forged), await fetch(new URL('/elsewhere', back)), await fetch(url)];
const lines = await Promise.all(answers.map(async (answer) => answer.status + ' ' + (await answer.text()).trim()));
await (await import('node:fs/promises')).writeFile(process.env.SEEN, lines.join('\\n'));
`;

describe('command line, browser login', () => {
  let simulator: Simulator;
  let folder: string;
  before(async () => (simulator = await startSimulator({ incidents: 5 })));
  after(() => simulator.close());
  beforeEach(async () => (folder = await folderWith({ 'i.entity.yaml': graph, 'browser.mjs': browser })));
  afterEach(() => removeFolder(folder));

  async function run(args: readonly string[], settings = ''): Promise<CliRun> {
    const { clientId, clientSecret } = simulator.logins;
    const auth = `{ kind: oauth2, grant: authorization_code, clientId: ${clientId}, clientSecret: '${clientSecret}'${settings} }`;
    await writeFile(
      join(folder, 'entity-sources.yaml'),
      `version: 1\ndataSources:\n  itsm: { kind: servicenow, instanceUrl: '${simulator.url}', tables: [incident], auth: ${auth} }\n`,
    );
    const env = { BROWSER: `${process.execPath} ${join(folder, 'browser.mjs')}`, SEEN: join(folder, 'seen.txt') };
    return runCli([...args, '--workspace', folder], { cwd: folder, env });
  }

  it('logs in once for a whole import, and rejects forged callbacks', async () => {
    const { code, stderr } = await run(['import', 'i.entity.yaml', '--sign-in']);
    assert.equal(code, 0, stderr);
    assert.equal(stderr.match(/Log in with a browser on this machine: http:/g)?.length, 1, stderr);
    assert.deepEqual((await readFile(join(folder, 'seen.txt'), 'utf8')).split('\n'), [
      '404 There is nothing here.',
      '404 There is nothing here.',
      '200 Go on in the terminal: this page can be closed.',
    ]);
  });

  it('listens on the registered redirect address', async () => {
    const free = createServer();
    await new Promise<void>((resolve) => free.listen(0, '127.0.0.1', resolve));
    const { port } = free.address() as AddressInfo;
    await new Promise((resolve) => free.close(resolve));
    const redirectUri = `http://127.0.0.1:${port}/back`;
    const target = ['test-query', 'i.entity.yaml', '--element', 'Open Incident', '--sign-in'];
    const { code, stderr } = await run(target, `, redirectUri: '${redirectUri}'`);
    assert.equal(code, 0, stderr);
    assert.ok(stderr.includes(`redirect_uri=${encodeURIComponent(redirectUri)}`), stderr);
  });

  it('explains how to log in when no terminal is attached', async () => {
    const { code, stderr } = await run(['import', 'i.entity.yaml']);
    assert.equal(code, 1);
    assert.match(stderr, /wants a login in the browser, and nobody is logged in/);
    assert.match(stderr, /on the command line give --sign-in, use another grant, or set refreshToken/);
  });
});
