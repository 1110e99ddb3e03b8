import assert from 'node:assert/strict';
import type { BrowserContext } from 'playwright-core';
import type { DraftChoicesView } from '../../protocol/event-graph.ts';
import { keepScreenshot, sharedChromium } from '../support/vscode-host.ts';
import { waitUntil } from '../support/wait-until.ts';
import { findAccessibilityProblems } from './find-accessibility-problems.ts';
import { type ImportedIncidents, sharedIncidents } from './imported-incidents.ts';
import { assertSeen } from './visible.ts';
import {
  type PostedRequest,
  type WebviewPage,
  type WebviewServer,
  startWebviewServer,
  useTheme,
} from './webview-page.ts';

const first: DraftChoicesView = {
  file: 'data/Loan Cases of the northern branches.csv',
  canUndo: false,
  choices: [
    { dataObject: 'loans', role: 'case', columns: ['Vorgang'], reason: 'is repeated', others: ['Schritt', 'Team'] },
    { dataObject: 'loans', role: 'activity', columns: ['Schritt'], reason: 'has names', others: ['Vorgang', 'Team'] },
    { dataObject: 'loans', role: 'time', columns: ['Zeitpunkt'], reason: 'is a time', others: ['Vorgang'] },
  ],
};

for (const [width, height] of [
  [1366, 768],
  [640, 760],
] as const) {
  describe(`choices of a draft beside its map (${width})`, () => {
    let browser: BrowserContext;
    let server: WebviewServer;
    let webview: WebviewPage;
    let incidents: ImportedIncidents;
    let shown: DraftChoicesView | null;
    let changed: unknown[];

    before(async () => {
      [browser, server, incidents] = await Promise.all([sharedChromium(), startWebviewServer(), sharedIncidents()]);
    });
    after(() => server.close());
    beforeEach(async () => {
      shown = first;
      changed = [];
      const answer = async (request: PostedRequest): Promise<unknown> => {
        switch (request.method as string) {
          case 'draftChoices':
            return { ok: true, value: shown };
          case 'changeDraftChoice':
            return change(request.params);
          case 'dismissDraftChoices':
            shown = null;
            return { ok: true, value: null };
          default:
            return incidents.answer(request);
        }
      };
      webview = await server.open(browser, { bundle: 'event-graph', width, height, answer });
      await webview.send({ type: 'eventGraph', name: 'incidents' });
      await strip().waitFor();
    });
    afterEach(async () => {
      assert.deepEqual(webview.errors, []);
      await webview.page.close();
    });

    const page = () => webview.page;
    const strip = () => page().getByRole('group', { name: 'Choices of the draft' });
    const select = (label: string) => strip().getByLabel(label);

    /** As the extension: the page is told of the graph again when the import has ended. */
    async function change(params: unknown): Promise<unknown> {
      changed.push(params);
      const { choice } = params as { readonly choice?: { readonly columns: readonly string[] } };
      if (choice?.columns[0] === 'Vorgang')
        return { ok: false, error: { code: 'unknown-column', message: 'Vorgang of loans cannot be the activity.' } };
      const [one, , three] = first.choices;
      assert.ok(one && three);
      const activity = { ...one, role: 'activity', columns: ['Team'], others: ['Schritt'] } as const;
      shown = choice ? { ...first, canUndo: true, choices: [one, activity, three] } : first;
      await webview.send({ type: 'eventGraph', name: 'incidents' });
      return { ok: true, value: null };
    }

    it('tells what was decided, in all themes', async () => {
      for (const label of ['Case', 'Activity', 'Time']) await assertSeen(select(label), label);
      assert.match(await strip().innerText(), /^\s*Drafted from data\/Loan Cases of the northern branches\.csv:/);
      assert.equal(await select('Activity').locator('..').getAttribute('title'), 'Chosen because it has names');
      for (const theme of ['dark', 'light', 'high-contrast', 'high-contrast-light'] as const) {
        await useTheme(page(), theme);
        await keepScreenshot(page(), `draft-choices-${width}-${theme}`);
      }
      assert.deepEqual(await findAccessibilityProblems(page()), []);
      // The numbers of other tabs follow from the map.
      await page().getByRole('tab', { name: 'Rules' }).click();
      await strip().waitFor({ state: 'detached' });
    });

    it('a choice is changed beside the map, taken back, and refused with its reason', async () => {
      const hasFocus = (id: string): Promise<unknown> =>
        waitUntil(`${id} has the focus`, async () =>
          (await page().evaluate(() => document.activeElement?.id)) === id ? true : undefined,
        );
      await select('Activity').focus();
      await select('Activity').selectOption('Team');
      await strip().getByRole('button', { name: 'Undo' }).waitFor();
      assert.equal(await select('Activity').inputValue(), 'Team');
      await hasFocus('draft-choice-1');
      await strip().getByRole('button', { name: 'Undo' }).click();
      await strip().getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' });
      assert.equal(await select('Activity').inputValue(), 'Schritt');
      await hasFocus('draft-choice-0');
      await select('Activity').selectOption('Vorgang');
      await assertSeen(page().getByText('Vorgang of loans cannot be the activity.'), 'the reason');
      await waitUntil('the choice is as before', async () =>
        (await select('Activity').inputValue()) === 'Schritt' ? true : undefined,
      );
      const choice = { dataObject: 'loans', role: 'activity' };
      assert.deepEqual(changed, [
        { choice: { ...choice, columns: ['Team'] } },
        {},
        { choice: { ...choice, columns: ['Vorgang'] } },
      ]);
    });

    it('is dismissed, and comes back from its command', async () => {
      await strip().getByRole('button', { name: 'Close' }).click();
      await strip().waitFor({ state: 'detached' });
      assert.equal(shown, null);
      shown = first;
      await webview.send({ type: 'eventGraph', name: 'incidents', tab: 'map' });
      await strip().waitFor();
    });
  });
}
