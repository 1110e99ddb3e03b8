import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface AxeWindow {
  axe: {
    run(options: object): Promise<{ violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[] }>;
  };
}

/** axe's findings, one per line; optionally for some of its rules only. */
export async function findAccessibilityProblems(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource);
  // What appears, and a picture that is being renewed, is dim for a moment. Signs of work turn without end.
  await page
    .waitForFunction(
      () =>
        !document.querySelector('.stale') &&
        document
          .getAnimations()
          .every(
            ({ playState, effect }) => playState !== 'running' || effect?.getComputedTiming().endTime === Infinity,
          ),
      undefined,
      { timeout: 3000 },
    )
    .catch(() => undefined);
  const { violations } = await page.evaluate(
    // Descriptions of all passing elements would take a tenth of the time.
    (runOnly) =>
      (window as unknown as AxeWindow).axe.run({ resultTypes: ['violations'], ...(runOnly ? { runOnly } : {}) }),
    rules,
  );
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html} ${node.failureSummary}`));
}
