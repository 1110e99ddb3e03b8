// Takes the pictures of README and docs from the packaged extension in a real VS Code: `npm run pictures`. With
// `-- --check` it takes them into .cache/pictures, and fails if they differ visibly from those in docs/images. Names, such as
// `-- canvas-import entities`, take these pictures only.
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startSimulator } from '../simulator/simulator.ts';
import { startServiceDesk } from '../support/complaints.ts';
import { loadSampleDatabase } from '../support/northwind.ts';
import { editedOrders } from '../support/compared-orders.ts';
import { startPostgres } from '../support/postgres.ts';
import { projectFolder } from '../support/vscode-host.ts';
import { agentCommands, inputFile } from './agent.ts';
import { animatedPicture } from './animated-picture.ts';
import { commentPicture } from './comment-picture.ts';
import { differingShare } from './compare-pictures.ts';
import { takeFileToMap } from './file-to-map.ts';
import { startForPictures } from './installed-extension.ts';
import { stillPicture } from './still-picture.ts';
import { type Workbench, openWorkbench } from './workbench.ts';

const {
  values: { check: isCheck },
  positionals: wanted,
} = parseArgs({ options: { check: { type: 'boolean', default: false } }, allowPositionals: true });
const isWanted = (name: string): boolean => wanted.length === 0 || wanted.includes(name);
const published = join(projectFolder, 'docs/images');
const pictures = isCheck ? join(projectFolder, '.cache/pictures') : published;
/** A tenth of a per cent: text that moves by a pixel in one line is less, a word that changes is more. */
const allowedShare = 0.001;

const server = await startPostgres();
const simulator = await startSimulator({ seed: 1, incidents: 300 });
const { crossSystemData } = (await import(new URL('../../scripts/cross-system-data.mjs', import.meta.url).href)) as {
  crossSystemData(): Promise<{ readonly complaints: Parameters<typeof startServiceDesk>[0] }>;
};
const desk = await startServiceDesk((await crossSystemData()).complaints);
const installed = await startForPictures(
  {
    ...(await loadSampleDatabase(server)),
    ...desk.env,
    ITSM_URL: simulator.url,
    ENTITY_GRAPH_SECRET_ITSM: simulator.logins.password,
    TZ: 'UTC',
  },
  { 'editor.cursorBlinking': 'solid', 'remote.autoForwardPorts': false },
);
try {
  if (isCheck) rmSync(pictures, { recursive: true, force: true });
  mkdirSync(pictures, { recursive: true });
  for (const file of readdirSync(installed.samples, { recursive: true, encoding: 'utf8' })) {
    if (file.endsWith('.entity.yaml')) setModified(join(installed.samples, file), '2026-11-12T09:30:00Z');
  }
  await take('incidents', 'incidents.entity.yaml', async (workbench) => {
    await workbench.goTo(lineOf('incidents/incidents.entity.yaml', 'activityName: Open Incident'));
    await workbench.runCommand('Entity Graph: Open Canvas to the Side');
    await workbench.webview().getByText('Contact Service Desk', { exact: true }).first().waitFor();
    await workbench.webview().getByRole('button', { name: 'Fit', exact: true }).click();
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
    await canvas.locator('.preview-table').waitFor();
    await canvas.locator('.join-counts').waitFor();
  });
  await take('northwind-query', 'northwind.entity.yaml', async (workbench) => {
    await workbench.goTo(lineOf('northwind/northwind.entity.yaml', 'activityName: Place Order'));
    await workbench.runCommand('Entity Graph: Test Query');
    await workbench.webview().getByText('ship_city').first().waitFor();
  });
  await take('canvas-choose', 'cross-system.entity.yaml', async (workbench) => {
    await workbench.runCommand('Entity Graph: Open Canvas');
    // The second data source that needs a permission is asked for after the first.
    await workbench.allowUses();
    await workbench.webview().locator('#step-choose').click();
    await workbench.webview().getByText('not known yet').waitFor({ state: 'detached' });
    await workbench
      .webview()
      .getByRole('region', { name: 'Available Data Objects' })
      .getByRole('treeitem')
      .nth(3)
      .waitFor();
  });
  await take('create-test', 'incidents.entity.yaml', async (workbench) => {
    await workbench.goTo(lineOf('incidents/incidents.entity.yaml', 'activityName: Open Incident'));
    await workbench.runCommand('Entity Graph: Create Test from Rows');
    await workbench.page.locator('.quick-input-list .monaco-list-row', { hasText: 'caller_id' }).first().waitFor();
  });
  await take('canvas-import', 'incidents.entity.yaml', async (workbench) => {
    await workbench.runCommand('Entity Graph: Open Canvas');
    await workbench.webview().locator('#step-import').click();
    await workbench.webview().locator('#import-plan').waitFor();
  });
  if (
    ['entities', 'event-graph', 'event-graph-bottleneck', 'event-graph-throughput', 'event-graph-rules'].some(isWanted)
  )
    await takeImported();
  await takeMap('event-graph-northwind', 'northwind.entity.yaml', 'order');
  await takeMap('event-graph-itsm', 'itsm.entity.yaml', 'incident');
  await takeMap('event-graph-all', 'order-to-cash.entity.yaml');
  await take('event-graph-timeline', 'incidents.entity.yaml', async (workbench) => {
    await workbench.useTheme('Dark Modern');
    await importNow(workbench);
    await workbench.runCommand('Entity Graph: Open Event Graph');
    const graph = workbench.webview();
    await graph.getByRole('tab', { name: 'Timeline' }).click();
    await graph.locator('#entity-search').fill('INC0000990');
    await graph.locator('.hit').first().click();
    await graph.locator('.line > li').first().waitFor();
  });
  await take('canvas-correlations', 'order-to-cash.entity.yaml', async (workbench) => {
    await workbench.useTheme('Dark Modern');
    await importNow(workbench);
    await workbench.runCommand('Entity Graph: Open Canvas');
    const canvas = workbench.webview();
    await canvas.locator('.correlation-handle').first().waitFor();
    await canvas.getByRole('button', { name: 'Hide Data Objects' }).click();
    await canvas.getByRole('button', { name: 'Fit', exact: true }).click();
    // A little nearer, where cards show more than their names.
    await workbench.page.mouse.move(720, 480);
    await workbench.page.keyboard.down('Control');
    await workbench.page.mouse.wheel(0, -18);
    await workbench.page.keyboard.up('Control');
  });
  if (isWanted('file-to-map')) {
    writeFileSync(join(pictures, 'file-to-map.png'), animatedPicture(await takeFileToMap(installed)));
  }
  await takeComparison();
  await takeAgentEdit();
  if (isWanted('pull-request-comment')) {
    const page = await installed.browser.newPage({ viewport: { width: 900, height: 1200 } });
    writeFileSync(join(pictures, 'pull-request-comment.png'), await commentPicture(page));
    await page.close();
  }
  if (isCheck) await comparePictures();
} finally {
  await installed.close();
  await simulator.close();
  await desk.simulator.close();
  await server.stop();
}

async function take(name: string, file: string, prepare: (workbench: Workbench) => Promise<void>): Promise<void> {
  if (!isWanted(name)) return;
  const sample = file.split('.', 1)[0] ?? '';
  const workbench = await openWorkbench(installed.browser, installed.server.authority, join(installed.samples, sample));
  await workbench.runCommand('View: Toggle Primary Side Bar Visibility');
  await workbench.openFile(file);
  // Lenses come when the server has read the file, and push lines down.
  await workbench.page.locator('.codelens-decoration', { hasText: 'Test Query' }).first().waitFor();
  // Each page is a VS Code without any given permissions.
  if (!['incidents', 'order-to-cash'].includes(sample)) await workbench.allowUses();
  await prepare(workbench);
  await workbench.page.mouse.move(400, 885);
  await keep(workbench, name);
  await workbench.page.close();
}

async function keep({ page }: Workbench, name: string): Promise<void> {
  writeFileSync(join(pictures, `${name}.png`), await stillPicture(page));
}

async function comparePictures(): Promise<void> {
  for (const file of readdirSync(pictures)) {
    const path = join(published, file);
    const share = existsSync(path)
      ? await differingShare(installed.browser, readFileSync(path), readFileSync(join(pictures, file)))
      : 1;
    console.log(`${file}: ${(share * 100).toFixed(3)} % of the pixels differ`);
    if (share > allowedShare) process.exitCode = 1;
  }
}

/** Replaces a file by itself with another time, at once, so that nobody sees the time between. */
function setModified(path: string, time: string, text = readFileSync(path, 'utf8')): void {
  const draft = `${path}.draft`;
  cpSync(path, draft);
  writeFileSync(draft, text);
  utimesSync(draft, new Date(time), new Date(time));
  renameSync(draft, path);
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
  setImported(folder, '2026-11-19T14:02:00.000Z');
  await row('Incident management').getByText('Nov 19, 14:02').waitFor();
  await row('Incident trail').getByText('Nov 19, 14:02').waitFor();
  const path = join(folder, 'trail.entity.yaml');
  setModified(path, '2026-11-19T14:05:00Z', `${readFileSync(path, 'utf8')}# Reviewed.\n`);
  await row('Incident trail').getByText('Imported, modified').waitFor();
  await workbench.runCommand('Notifications: Clear All Notifications');
  await workbench.webview().getByRole('button', { name: 'Choose Columns…' }).click();
  await workbench.webview().getByRole('menuitemcheckbox', { name: 'Events' }).click();
  await workbench.page.locator('.pane-body .monaco-list-row', { hasText: 'csv' }).first().click();
  await row('Incident management').hover();
  await keep(workbench, 'entities');
  await workbench.openFile('incidents.entity.yaml');
  await workbench.runCommand('View: Toggle Primary Side Bar Visibility');
  await showMap(workbench, 'incident');
  // Details of an activity instead of the variants.
  await workbench.page.keyboard.press('ArrowDown');
  await keep(workbench, 'event-graph');
  await workbench.page.keyboard.press('Escape');
  const paths = workbench.webview().getByRole('group', { name: 'Paths show' });
  await paths.getByRole('button', { name: 'Total' }).click();
  await keep(workbench, 'event-graph-bottleneck');
  await paths.getByRole('button', { name: 'Count' }).click();
  await workbench.webview().getByRole('tab', { name: 'Measures' }).click();
  await workbench.webview().locator('#bins').waitFor();
  await keep(workbench, 'event-graph-throughput');
  await workbench.webview().getByRole('tab', { name: 'Rules' }).click();
  await workbench.webview().getByRole('region', { name: 'Who breaks it' }).waitFor();
  await keep(workbench, 'event-graph-rules');
  await workbench.page.close();
}

/** An edited text on the canvas, compared with the last import. */
async function takeComparison(): Promise<void> {
  const folder = join(installed.samples, 'order-to-cash');
  const path = join(folder, 'order-to-cash.entity.yaml');
  const text = readFileSync(path, 'utf8');
  await take('canvas-comparison', 'order-to-cash.entity.yaml', async (workbench) => {
    await importNow(workbench);
    setImported(folder, '2026-11-19T14:02:00.000Z');
    setModified(path, '2026-11-20T09:25:00Z', editedOrders(text));
    await workbench.runCommand('Entity Graph: Open Canvas');
    const canvas = workbench.webview();
    await canvas.locator('[data-key="element:Announce Delivery"]').waitFor();
    await workbench.runCommand('Entity Graph: Compare with…');
    await workbench.page.locator('.quick-input-list .monaco-list-row', { hasText: 'Last Import' }).click();
    await canvas.locator('.card.change-gone').waitFor({ timeout: 120_000 });
    await workbench.runCommand('Notifications: Clear All Notifications');
    await canvas.getByRole('button', { name: 'Fit', exact: true }).click();
    // When the texts were compared is another time in each picture.
    await canvas.locator('#comparison .sides .clip').evaluate((sides) => {
      sides.textContent = (sides.textContent ?? '').replace(/This text, .*/, 'This text, Nov 20, 2026, 09:30');
    });
  });
  setModified(path, '2026-11-12T09:30:00Z', text);
}

/** An edit that an agent proposes: its difference, its effect, and the question. */
async function takeAgentEdit(): Promise<void> {
  const file = 'order-to-cash.entity.yaml';
  const folder = join(installed.samples, 'order-to-cash');
  const text = readFileSync(join(folder, file), 'utf8');
  const edits = [{ kind: 'configureElement', element: 'Place Order', values: { where: 'NETWR > 1000' } }];
  const baseHash = createHash('sha256').update(text).digest('hex');
  writeFileSync(join(folder, inputFile), JSON.stringify({ file, baseHash, edits }));
  await take('agent-edit', file, async (workbench) => {
    await importNow(workbench);
    await workbench.runCommand(agentCommands.propose);
    const buttons = workbench.page.locator('.editor-actions');
    await buttons.getByLabel('Apply').first().waitFor({ timeout: 120_000 });
    await workbench.webview().getByText('Gone', { exact: true }).first().waitFor();
    await workbench.page.locator('.monaco-diff-editor .line-insert').first().waitFor();
  });
}

/** The process map of one entity type of a sample, or of all. */
async function takeMap(name: string, file: string, entityType?: string): Promise<void> {
  await take(name, file, async (workbench) => {
    await importNow(workbench);
    await showMap(workbench, entityType);
  });
}

async function importNow(workbench: Workbench): Promise<void> {
  await workbench.runCommand('Entity Graph: Import');
  await workbench.page.locator('.notifications-toasts', { hasText: 'Import Done' }).waitFor({ timeout: 120_000 });
  await workbench.runCommand('Notifications: Clear All Notifications');
}

async function showMap(workbench: Workbench, entityType?: string): Promise<void> {
  await workbench.runCommand('Entity Graph: Open Event Graph');
  const graph = workbench.webview();
  await graph.locator('#drawing [data-node]').first().waitFor({ timeout: 60_000 });
  await graph.locator('#entity-type').selectOption(entityType ?? '');
  await graph.locator('#picture').focus();
  // The layout arrives after the nodes.
  await stillPicture(workbench.page);
  await workbench.page.keyboard.press('f');
  if (entityType !== undefined) return graph.locator('.variant').first().waitFor();
  // All paths of all types are more than a picture holds.
  await graph.getByRole('button', { name: 'Main Paths' }).click();
  await graph.getByRole('button', { name: 'Fit' }).click();
}

/** 1-based. */
function lineOf(sample: string, text: string): number {
  const lines = readFileSync(join(projectFolder, 'samples', sample), 'utf8').split('\n');
  return lines.findIndex((line) => line.includes(text)) + 1;
}

/** Writes another end of the last import into the status of each graph of a folder. */
function setImported(folder: string, time: string): void {
  const state = join(folder, '.entity-graph');
  for (const file of readdirSync(state, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.json')) continue;
    const path = join(state, file);
    const status = JSON.parse(readFileSync(path, 'utf8')) as { readonly imported?: string };
    if (status.imported !== undefined) writeFileSync(path, JSON.stringify({ ...status, imported: time }, null, 2));
  }
}
