import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';

/** A screenshot of a page that has settled: the same bytes whenever the same things are shown. */
export async function stillPicture(page: Page): Promise<Buffer> {
  const take = (): Promise<Buffer> => page.screenshot({ animations: 'disabled', caret: 'hide' });
  await pause(1_000);
  let before = await withoutDurations(page).then(take);
  // Colours, decorations and fonts settle without an event: until three pictures in a row are the same.
  for (let [same, rounds] = [0, 0]; same < 2 && rounds < 40; rounds++) {
    await pause(400);
    const next = await withoutDurations(page).then(take);
    same = next.equals(before) ? same + 1 : 0;
    before = next;
  }
  return before;
}

/** How long a query took differs each time: pictures show 12 ms. */
async function withoutDurations(page: Page): Promise<void> {
  for (const frame of page.frames()) {
    await frame
      .evaluate(() => {
        const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        for (let node = texts.nextNode(); node; node = texts.nextNode()) {
          const text = node.nodeValue ?? '';
          if (!/\brows?\b/.test(node.parentElement?.textContent ?? '')) continue;
          const shown = text
            .replace(/(^|· ?)[\d.]+ m?s$/, (_, before: string) => `${before}12 ms`)
            .replace(/· [\d.]+ m?s ·/, '· 12 ms ·');
          if (shown !== text) node.nodeValue = shown;
        }
      })
      // A frame may be replaced while it is asked.
      .catch(() => undefined);
  }
}
