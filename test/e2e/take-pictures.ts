// Takes the pictures of the README from the packaged extension in a real VS Code: `npm run pictures`.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startSimulator } from '../simulator/simulator.ts';
import { loadSampleDatabase } from '../support/northwind.ts';
import { startPostgres } from '../support/postgres.ts';
import { projectFolder } from '../support/vscode-host.ts';
import { startWithPackage } from './installed-extension.ts';
import { type Workbench, openWorkbench } from './workbench.ts';

const pictures = join(projectFolder, 'docs/images');
/** Colours, decorations and animations settle without an event. */
const settled = (): Promise<void> => pause(2_500);

const server = await startPostgres();
const simulator = await startSimulator({ seed: 1, incidents: 300 });
const installed = await startWithPackage({
  ...(await loadSampleDatabase(server)),
  ITSM_URL: simulator.url,
  ENTITY_GRAPH_SECRET_ITSM: simulator.logins.password,
});
try {
  mkdirSync(pictures, { recursive: true });
  await take('incidents', 'incidents.entity.yaml', async (workbench) => {
    await workbench.goTo(lineOf('incidents/incidents.entity.yaml', 'activityName: Open Incident'));
    await workbench.runCommand('Entity Graph: Open Canvas to the Side');
    await workbench.webview().getByText('Contact Service Desk', { exact: true }).first().waitFor();
  });
  await take('northwind', 'northwind.entity.yaml', async (workbench) => {
    await workbench.goTo(lineOf('northwind/northwind.entity.yaml', 'activityName: Place Order'));
    await workbench.runCommand('Entity Graph: Open Canvas to the Side');
    await workbench.webview().getByText('Assign Territory', { exact: true }).first().waitFor();
  });
  await take('canvas-element', 'northwind.entity.yaml', async (workbench) => {
    await workbench.runCommand('Entity Graph: Open Canvas to the Side');
    await workbench.webview().locator('[data-key="element:Place Order"]').dblclick();
    await workbench.webview().getByRole('checkbox', { name: 'customer_id' }).waitFor();
  });
  await take('canvas-relationship', 'northwind.entity.yaml', async (workbench) => {
    await workbench.runCommand('Entity Graph: Open Canvas');
    const canvas = workbench.webview();
    await canvas.locator('.relationship:not(.cross)').first().dblclick();
    await canvas.locator('#test-query').click();
    await canvas.locator('.preview table').waitFor();
  });
  await take('northwind-query', 'northwind.entity.yaml', async (workbench) => {
    await workbench.goTo(lineOf('northwind/northwind.entity.yaml', 'activityName: Place Order'));
    await workbench.runCommand('Entity Graph: Test Query');
    await workbench.webview().getByText('ship_city').first().waitFor();
  });
  await takeImported();
  await takeMap('event-graph-northwind', 'northwind.entity.yaml', 'order');
  await takeMap('event-graph-itsm', 'itsm.entity.yaml', 'incident');
} finally {
  await installed.close();
  await simulator.close();
  await server.stop();
}

async function take(name: string, file: string, prepare: (workbench: Workbench) => Promise<void>): Promise<void> {
  const sample = file.split('.', 1)[0] ?? '';
  const workbench = await openWorkbench(installed.browser, installed.server.authority, join(installed.samples, sample));
  await workbench.runCommand('View: Toggle Primary Side Bar Visibility');
  await workbench.openFile(file);
  // Each page is a VS Code without any given permissions.
  if (sample !== 'incidents') await workbench.allowUses();
  await prepare(workbench);
  await workbench.page.mouse.move(400, 885);
  await settled();
  await workbench.page.screenshot({ path: join(pictures, `${name}.png`) });
  await workbench.page.close();
}

/** The table of the incidents sample with one imported and one outdated graph; and the canvas. */
async function takeImported(): Promise<void> {
  const folder = join(installed.samples, 'incidents');
  const workbench = await openWorkbench(installed.browser, installed.server.authority, folder);
  await workbench.runCommand('Entity Graph: Focus on Data Sources View');
  await workbench.runCommand('Entity Graph: Open Entities Table');
  const row = (name: string) => workbench.webview().locator('.rows .row', { hasText: name });
  await workbench.webview().getByRole('button', { name: 'Import All' }).click();
  await workbench.page.locator('.quick-input-list .monaco-list-row', { hasText: 'All' }).last().click();
  for (const name of ['Incident management', 'Incident trail']) {
    await row(name).getByText('Import Done').waitFor({ timeout: 120_000 });
  }
  const path = join(folder, 'trail.entity.yaml');
  writeFileSync(path, `${readFileSync(path, 'utf8')}# Reviewed.\n`);
  await row('Incident trail').getByText('modified since import').waitFor();
  await workbench.runCommand('Notifications: Clear All Notifications');
  await workbench.page.locator('.pane-body .monaco-list-row', { hasText: 'csv' }).first().click();
  await row('Incident management').hover();
  await settled();
  await workbench.page.screenshot({ path: join(pictures, 'entities.png') });
  await workbench.openFile('incidents.entity.yaml');
  await workbench.runCommand('View: Toggle Primary Side Bar Visibility');
  await showMap(workbench, 'incident');
  await settled();
  await workbench.page.screenshot({ path: join(pictures, 'event-graph.png') });
  await workbench.page.close();
}

/** The process map of one entity type of a sample. */
async function takeMap(name: string, file: string, entityType: string): Promise<void> {
  await take(name, file, async (workbench) => {
    await workbench.runCommand('Entity Graph: Import');
    await workbench.page.locator('.notifications-toasts', { hasText: 'Import Done' }).waitFor({ timeout: 120_000 });
    await workbench.runCommand('Notifications: Clear All Notifications');
    await showMap(workbench, entityType);
  });
}

async function showMap(workbench: Workbench, entityType: string): Promise<void> {
  await workbench.runCommand('Entity Graph: Open Event Graph');
  const graph = workbench.webview();
  await graph.locator('#drawing [data-node]').first().waitFor({ timeout: 60_000 });
  await graph.locator('#entity-type').selectOption(entityType);
  await graph.locator('#picture').focus();
  await settled();
  await workbench.page.keyboard.press('f');
  await workbench.page.keyboard.press('ArrowDown');
}

/** 1-based. */
function lineOf(sample: string, text: string): number {
  const lines = readFileSync(join(projectFolder, 'samples', sample), 'utf8').split('\n');
  return lines.findIndex((line) => line.includes(text)) + 1;
}
