import assert from 'node:assert/strict';
import { animatedPicture } from '../e2e/animated-picture.ts';
import { sharedChromium } from '../support/vscode-host.ts';

describe('animated pictures', () => {
  it('have all frames with their times, as the browser reads them', async () => {
    const browser = await sharedChromium();
    const page = await browser.newPage();
    try {
      await page.setViewportSize({ width: 40, height: 30 });
      // The decoder of the browser is for pages of a secure origin.
      await page.route('http://localhost/', (route) =>
        route.fulfill({ contentType: 'text/html', body: '<body></body>' }),
      );
      await page.goto('http://localhost/');
      const frames = [];
      for (const colour of ['rgb(200, 10, 10)', 'rgb(10, 200, 10)', 'rgb(10, 10, 200)']) {
        await page.evaluate((now) => (document.body.style.background = now), colour);
        frames.push({ picture: await page.screenshot(), milliseconds: 500 + 100 * frames.length });
      }
      const read = await page.evaluate(async (source) => {
        const data = Uint8Array.from(atob(source), (letter) => letter.charCodeAt(0));
        const decoder = new ImageDecoder({ data, type: 'image/png' });
        await decoder.tracks.ready;
        await decoder.completed;
        const found = [];
        for (let frameIndex = 0; frameIndex < (decoder.tracks.selectedTrack?.frameCount ?? 0); frameIndex += 1) {
          const { image } = await decoder.decode({ frameIndex });
          const context = new OffscreenCanvas(40, 30).getContext('2d');
          context?.drawImage(image, 0, 0);
          const pixel = [...(context?.getImageData(20, 15, 1, 1).data ?? [])].slice(0, 3);
          found.push([(image.duration ?? 0) / 1000, ...pixel]);
        }
        return { found, repeats: decoder.tracks.selectedTrack?.repetitionCount };
      }, animatedPicture(frames).toString('base64'));
      assert.deepEqual(read, {
        found: [
          [500, 200, 10, 10],
          [600, 10, 200, 10],
          [700, 10, 10, 200],
        ],
        repeats: Infinity,
      });
    } finally {
      await page.close();
    }
  });

  it('are refused where a picture has another size', () => {
    const png = (width: number): Buffer => {
      const header = Buffer.alloc(8 + 25);
      header.writeUInt32BE(13, 8);
      header.write('IHDR', 12, 'latin1');
      header.writeUInt32BE(width, 16);
      return header;
    };
    assert.throws(
      () => animatedPicture([1, 2].map((width) => ({ picture: png(width), milliseconds: 1 }))),
      /Picture 2 has another size or form than the first one/,
    );
  });
});
