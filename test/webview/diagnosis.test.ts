import assert from 'node:assert/strict';
import type { BrowserContext } from 'playwright-core';
import { type DiagnosisView, diagnosisHtml } from '../../client/src/diagnosis-html.ts';
import { keepScreenshot, sharedChromium } from '../support/vscode-host.ts';
import { findAccessibilityProblems } from './find-accessibility-problems.ts';
import { type ThemeName, fonts, themes } from './themes.ts';

const view: DiagnosisView = {
  title: 'Diagnosis of <warehouse>',
  summary: 'warehouse cannot be used yet. Steps after a failure were not run.',
  state: 'failed',
  facts: 'postgresql · 13 ms',
  checks: [
    { name: 'Settings', state: 'ok', stateText: 'ok', message: 'They are complete, and every secret has a value.' },
    {
      name: 'Version',
      state: 'warning',
      stateText: 'warning',
      message: 'PostgreSQL 9.6 is old.',
      remedy: 'Update it.',
    },
    {
      ...{ name: 'Network', state: 'failed', stateText: 'failed' },
      message: `No address is known for ${'a-very-long-name-of-a-host'.repeat(4)}.example.`,
      remedy: 'Check the spelling of the host, and whether a VPN has to be on.',
    },
  ],
  actions: [
    { label: 'Try Again', address: 'command:entityGraph.diagnoseSource?%5B%5D' },
    { label: 'Go to Data Source', address: 'command:entityGraph.openSource?%5B%5D' },
  ],
};

for (const theme of Object.keys(themes) as ThemeName[]) {
  describe(`data source diagnosis: ${theme}`, () => {
    let browser: BrowserContext;

    before(async () => {
      browser = await sharedChromium();
    });

    for (const width of [320, 1000]) {
      it(`shows findings and remedies at a width of ${width} pixels`, async () => {
        const page = await browser.newPage();
        await page.setViewportSize({ width, height: 700 });
        const projectContext = { language: 'en', cspSource: "'self'", codicons: '', nonce: 'test' };
        await page.setContent(diagnosisHtml(view, projectContext));
        const variables = Object.entries({ ...fonts, ...themes[theme].variables });
        await page.evaluate((all) => {
          for (const [name, value] of all) document.documentElement.style.setProperty(name, value);
        }, variables);
        assert.equal(await page.locator('h1').innerText(), 'Diagnosis of <warehouse>');
        const told = (await page.getByRole('listitem').allInnerTexts()).map((text) => text.replaceAll(/\n+/g, '\n'));
        assert.deepEqual(told, [
          'Settings ok\nThey are complete, and every secret has a value.',
          'Version warning\nPostgreSQL 9.6 is old.\nUpdate it.',
          `Network failed\n${view.checks[2]?.message}\n${view.checks[2]?.remedy}`,
        ]);
        const link = page.getByRole('link', { name: 'Try Again' });
        assert.equal(await link.getAttribute('href'), 'command:entityGraph.diagnoseSource?%5B%5D');
        await page.keyboard.press('Tab');
        assert.equal(await link.evaluate((node) => node === document.activeElement), true);
        // Nothing overflows a narrow editor.
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
        await keepScreenshot(page, `diagnosis-${width}-${theme}`);
        assert.deepEqual(await findAccessibilityProblems(page), []);
        await page.close();
      });
    }
  });
}
