import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startSimulator, type Simulator } from '../simulator/simulator.ts';
import { keepScreenshot, projectFolder } from '../support/vscode-host.ts';
import { expectEventually } from './expect-eventually.ts';
import { type InstalledExtension, startWithPackage } from './installed-extension.ts';
import { type Workbench, openWorkbench } from './workbench.ts';

describe('the IT service management sample in VS Code, against a simulated instance', () => {
  let simulator: Simulator;
  let installed: InstalledExtension;
  let workbench: Workbench;

  before(async () => {
    simulator = await startSimulator({ seed: 1, incidents: 300 });
    const env = { ITSM_URL: simulator.url, ENTITY_GRAPH_SECRET_ITSM: simulator.logins.password };
    installed = await startWithPackage(env);
    workbench = await openWorkbench(installed.browser, installed.server.authority, join(installed.samples, 'itsm'));
    await workbench.openFile('itsm.entity.yaml');
  });
  after(async () => {
    await installed.close();
    await simulator.close();
  });
  afterEach(async function () {
    const name = this.currentTest?.title.replaceAll(/\W+/g, '-') ?? 'unnamed';
    await keepScreenshot(workbench.page, `itsm-${name}`);
  });

  it('opens without a problem', async () => {
    await workbench.page.locator('.statusbar-item', { hasText: 'Entity Graph' }).first().waitFor();
    await workbench.runCommand('Entity Graph: Refresh Catalog');
    await expectEventually(async () => assert.deepEqual(await workbench.problems(), []));
  });

  it('tests a query', async () => {
    await workbench.openFile('itsm.entity.yaml');
    await workbench.goTo(lineOf('activityName: Open Incident'));
    await workbench.runCommand('Entity Graph: Test Query');
    await workbench.webview().getByText('assignment_group.name').first().waitFor();
    await workbench
      .webview()
      .getByText(/^INC\d{7}$/)
      .first()
      .waitFor();
  });

  it('imports', async () => {
    await workbench.openFile('itsm.entity.yaml');
    await workbench.runCommand('Entity Graph: Import');
    await expectEventually(async () => {
      assert.match((await workbench.notifications()).join('\n'), /Import Done/);
    }, 60_000);
  });

  it('draws', async () => {
    await workbench.openFile('itsm.entity.yaml');
    await workbench.runCommand('Entity Graph: Open Canvas to the Side');
    for (const name of ['Open Incident', 'Change State', 'Investigate Problem', 'Request Change', 'Register Item']) {
      await workbench.webview().getByText(name, { exact: true }).first().waitFor();
    }
  });
});

/** 1-based line of the first line of the sample that contains `text`. */
function lineOf(text: string): number {
  const sample = readFileSync(join(projectFolder, 'samples/itsm/itsm.entity.yaml'), 'utf8');
  const index = sample.split('\n').findIndex((line) => line.includes(text));
  assert.notEqual(index, -1, text);
  return index + 1;
}
