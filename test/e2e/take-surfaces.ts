// Takes pictures of every surface in four themes and two widths into .cache/surfaces, to be looked at:
// `node --import tsx test/e2e/take-surfaces.ts`, after `npm run package`.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../support/vscode-host.ts';
import { startForPictures } from './installed-extension.ts';
import { stillPicture } from './still-picture.ts';
import { type Workbench, openWorkbench } from './workbench.ts';

const themes = ['Dark Modern', 'Light Modern', 'Dark High Contrast', 'Light High Contrast'];
/** The second is the width of an editor beside the text. */
const widths = [1366, 720];
const folder = join(projectFolder, '.cache/surfaces');
const sample = readFileSync(join(projectFolder, 'samples/incidents/incidents.entity.yaml'), 'utf8');
/** 1-based, of an element. */
const line = sample.split('\n').findIndex((each) => each.includes('activityName: Open Incident')) + 1;

/** Each opens its surface in a workbench in which the incidents sample is imported. */
const surfaces: Readonly<Record<string, (workbench: Workbench) => Promise<void>>> = {
  async canvas(workbench) {
    await openCanvas(workbench);
  },
  async 'element-dialog'(workbench) {
    await openCanvas(workbench);
    await stillPicture(workbench.page);
    await workbench.webview().locator('[data-key="element:Open Incident"]').dblclick();
    await workbench.webview().getByRole('checkbox', { name: 'caller_id' }).waitFor();
  },
  async 'relationship-dialog'(workbench) {
    await openCanvas(workbench);
    await stillPicture(workbench.page);
    await workbench.webview().locator('.relationship').first().dblclick();
    await workbench.webview().locator('#test-query').click();
    await workbench.webview().locator('.preview-table').waitFor();
  },
  async 'choose-data-objects'(workbench) {
    await openCanvas(workbench);
    await workbench.webview().locator('#step-choose').click();
  },
  async 'import-page'(workbench) {
    await openCanvas(workbench);
    await workbench.webview().locator('#step-import').click();
    await workbench.webview().locator('#import-plan').waitFor();
  },
  async entities(workbench) {
    await workbench.runCommand('Entity Graph: Open Entities Table');
    await workbench.webview().locator('.rows .row').first().waitFor();
  },
  async 'data-sources'(workbench) {
    await workbench.runCommand('Entity Graph: Focus on Data Sources View');
  },
  async map(workbench) {
    await openMap(workbench);
  },
  async 'map-of-all-types'(workbench) {
    await openMap(workbench);
    await workbench.webview().locator('#entity-type').selectOption({ label: 'of all types' });
  },
  async timeline(workbench) {
    await openMap(workbench);
    await workbench.webview().getByRole('tab', { name: 'Timeline' }).click();
  },
  async distributions(workbench) {
    await openMap(workbench);
    await workbench.webview().getByRole('tab', { name: 'Distributions' }).click();
  },
  async quality(workbench) {
    await openMap(workbench);
    await workbench.webview().getByRole('tab', { name: 'Quality' }).click();
  },
  async results(workbench) {
    await workbench.openFile('incidents.entity.yaml');
    await workbench.goTo(line);
    await workbench.runCommand('Entity Graph: Test Query');
    await workbench.webview().getByText('caller_id').first().waitFor();
  },
  async 'show-query'(workbench) {
    await workbench.openFile('incidents.entity.yaml');
    await workbench.goTo(line);
    await workbench.runCommand('Entity Graph: Show Query');
  },
};

// Quick Open would open the editor of last time in place of the text.
const installed = await startForPictures({ TZ: 'UTC' }, { 'search.quickOpen.includeHistory': false });
try {
  mkdirSync(folder, { recursive: true });
  const first = await open();
  await first.openFile('incidents.entity.yaml');
  await first.runCommand('Entity Graph: Import');
  await first.page.locator('.notifications-toasts', { hasText: 'Import Done' }).waitFor({ timeout: 120_000 });
  await first.page.close();
  for (const theme of themes) {
    for (const width of widths) await takeIn(theme, width);
  }
} finally {
  await installed.close();
}

/** Each surface is opened at the width of its picture: what it shows at first sight depends on it. */
async function takeIn(theme: string, width: number): Promise<void> {
  const workbench = await open(width);
  workbench.page.setDefaultTimeout(15_000);
  await workbench.useTheme(theme);
  for (const [name, show] of Object.entries(surfaces)) {
    try {
      await show(workbench);
    } catch (error) {
      console.error(`${theme}, ${width}, ${name}: ${String(error).split('\n', 1)[0] ?? ''}`);
      process.exitCode = 1;
    }
    await workbench.page.mouse.move(width - 100, 760);
    const file = `${name}-${width}-${theme.replaceAll(' ', '-').toLowerCase()}.png`;
    writeFileSync(join(folder, file), await stillPicture(workbench.page));
    await workbench.runCommand('View: Close All Editors');
  }
  await workbench.page.close();
}

async function open(width = 1366): Promise<Workbench> {
  const workbench = await openWorkbench(
    installed.browser,
    installed.server.authority,
    join(installed.samples, 'incidents'),
  );
  await workbench.page.setViewportSize({ width, height: 768 });
  await workbench.runCommand('View: Toggle Primary Side Bar Visibility');
  return workbench;
}

async function openCanvas(workbench: Workbench): Promise<void> {
  await workbench.openFile('incidents.entity.yaml');
  await workbench.runCommand('Entity Graph: Open Canvas');
  await leaveTabs(workbench);
  await workbench.webview().getByText('Contact Service Desk', { exact: true }).first().waitFor();
}

/** In a narrow window the palette lies over the tabs: the mouse would stay on one, whose hover covers what is below. */
async function leaveTabs({ page }: Workbench): Promise<void> {
  await page.mouse.move(20, 600);
}

async function openMap(workbench: Workbench): Promise<void> {
  await workbench.openFile('incidents.entity.yaml');
  await workbench.runCommand('Entity Graph: Open Event Graph');
  await leaveTabs(workbench);
  await workbench.webview().locator('#drawing [data-node]').first().waitFor();
}
