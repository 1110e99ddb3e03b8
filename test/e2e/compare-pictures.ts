import type { Browser } from 'playwright-core';

/** The share of pixels of two PNG files that differ visibly; 1 if their sizes differ. */
export async function differingShare(browser: Browser, one: Buffer, other: Buffer): Promise<number> {
  if (one.equals(other)) return 0;
  const page = await browser.newPage();
  try {
    return await page.evaluate(
      async ([left = '', right = '']) => {
        const pixels = await Promise.all(
          [left, right].map(async (base64) => {
            const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
            const image = await createImageBitmap(new Blob([bytes]));
            const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
            context?.drawImage(image, 0, 0);
            return context?.getImageData(0, 0, image.width, image.height);
          }),
        );
        const [before, after] = pixels;
        if (!before || !after || before.width !== after.width || before.height !== after.height) return 1;
        let differing = 0;
        for (let at = 0; at < before.data.length; at += 4) {
          const distance = [0, 1, 2].map((channel) =>
            Math.abs((before.data[at + channel] ?? 0) - (after.data[at + channel] ?? 0)),
          );
          if (Math.max(...distance) > 16) differing += 1;
        }
        return differing / (before.width * before.height);
      },
      [one, other].map((file) => file.toString('base64')),
    );
  } finally {
    await page.close();
  }
}
