import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame } from './animated-picture.ts';
import { expectEventually } from './expect-eventually.ts';
import type { InstalledExtension } from './installed-extension.ts';
import { stillPicture } from './still-picture.ts';
import { openWorkbench } from './workbench.ts';

/** The walkthrough of README: from a CSV file of an own process to its map, and to where its time goes. */
export async function takeFileToMap({ samples, browser, server }: InstalledExtension): Promise<readonly Frame[]> {
  const folder = join(samples, 'loans');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'loans.csv'), loans());
  const workbench = await openWorkbench(browser, server.authority, folder);
  const { page } = workbench;
  const frames: Frame[] = [];
  const keep = async (milliseconds: number): Promise<void> => {
    frames.push({ picture: await stillPicture(page), milliseconds });
  };
  await page.setViewportSize({ width: 1180, height: 860 });
  await workbench.openFile('loans.csv');
  await keep(1_800);
  await page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'loans.csv' }).click({ button: 'right' });
  const item = page.locator('.monaco-menu .action-item', { hasText: 'Process Map from This File' });
  await item.hover();
  await keep(2_000);
  // A menu takes no click in the moment when it opens.
  await expectEventually(async () => {
    await item.click({ timeout: 3_000 });
    await item.waitFor({ state: 'detached', timeout: 3_000 });
  });
  await page.locator('.tab.active', { hasText: 'Event Graph of loans' }).waitFor({ timeout: 60_000 });
  const map = workbench.webview();
  await map.locator('#drawing [data-node]', { hasText: 'Check' }).first().waitFor();
  await workbench.runCommand('View: Close Primary Side Bar').catch(() => undefined);
  await workbench.runCommand('Notifications: Clear All Notifications');
  await map.locator('#picture').focus();
  await page.keyboard.press('f');
  await keep(2_600);
  await map.getByRole('group', { name: 'Paths show' }).getByRole('button', { name: 'Total' }).click();
  await keep(2_600);
  await map.getByRole('tab', { name: 'Measures' }).click();
  await map.locator('#bins').waitFor();
  await keep(2_600);
  // Back to what was decided, where each choice can be changed.
  await map.getByRole('tab', { name: 'Process Map' }).click();
  await map.getByRole('group', { name: 'Choices of the draft' }).getByLabel('Activity').focus();
  await keep(2_600);
  await page.close();
  return frames;
}

/** Applications for loans with German dates: some are sent back, some declined, and checks take the longest. */
function loans(): string {
  const rows: string[] = [];
  for (let loan = 1; loan <= 160; loan += 1) {
    const steps = [
      'Receive Application',
      ...(loan % 3 === 0 ? ['Ask for Documents', 'Receive Documents'] : []),
      'Check Credit',
      ...(loan % 7 === 0 ? ['Ask for Documents', 'Receive Documents', 'Check Credit'] : []),
      ...(loan % 5 === 0 ? ['Decline'] : ['Approve', ...(loan % 11 === 0 ? [] : ['Pay Out'])]),
    ];
    let time = Date.UTC(2026, 0, 2 + (loan % 120), 8, (loan * 7) % 60);
    for (const [index, step] of steps.entries()) {
      const at = new Date(time).toISOString();
      const day = `${at.slice(8, 10)}.${at.slice(5, 7)}.${at.slice(0, 4)} ${at.slice(11, 16)}`;
      rows.push(
        `L${1000 + loan};${step};${day};Clerk ${((loan * 5 + index) % 6) + 1};${2000 + ((loan * 370) % 48_000)}`,
      );
      const hours = step === 'Check Credit' ? 60 : step === 'Ask for Documents' ? 40 : 5;
      time += hours * (1 + ((loan * 13 + index * 5) % 10) / 10) * 3_600_000;
    }
  }
  return ['Loan;Step;Time;Clerk;Amount', ...rows, ''].join('\n');
}
