import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { waitUntil } from '../support/wait-until.ts';

/** As long as other waits of pages, which are slow on a busy machine. */
const withinMs = 60_000;

/** Waits until an element is seen; fails if it is not: in the viewport as a whole, not transparent, and not covered at its middle. */
export async function assertSeen(locator: Locator, name: string): Promise<void> {
  let why = '';
  const seen = waitUntil(
    `${name} is seen`,
    async () => {
      why = await unseenReason(locator);
      return why === '' ? true : undefined;
    },
    withinMs,
  );
  await seen.catch(() => assert.fail(`${name}: ${why}`));
}

/** Why an element is not seen; empty when it is. */
export async function unseenReason(locator: Locator): Promise<string> {
  if ((await locator.count()) === 0) return 'it does not exist';
  return locator.first().evaluate((element) => {
    const { left, top, right, bottom, width, height } = element.getBoundingClientRect();
    if (width === 0 || height === 0) return 'it has no size';
    const box = `${Math.round(left)},${Math.round(top)} to ${Math.round(right)},${Math.round(bottom)}`;
    if (left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1) {
      return `${box} is not within ${innerWidth}×${innerHeight}`;
    }
    let opacity = 1;
    for (let each: Element | null = element; each; each = each.parentElement)
      opacity *= Number(getComputedStyle(each).opacity);
    if (opacity < 0.4) return `its opacity is ${opacity}`;
    const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    if (hit && (element.contains(hit) || hit.contains(element))) {
      // A scrolling ancestor must not cut it.
      for (let parent = element.parentElement; parent; parent = parent.parentElement) {
        const clip = parent.getBoundingClientRect();
        if (getComputedStyle(parent).overflow === 'visible') continue;
        if (top < clip.top - 1 || bottom > clip.bottom + 1)
          return `${box} is cut by ${parent.className || parent.tagName}`;
      }
      return '';
    }
    return `${box} is covered by ${hit ? `${hit.tagName}.${hit.className}` : 'nothing'}`;
  });
}
