import { t } from '../ui/translate.ts';
import { type DrawnCanvas, type Look, drawSvg, lookTokens } from './draw-svg.ts';
import type { Picture } from './picture.ts';

/** The canvas as a standalone SVG file in base64, rendered from the model. */
export function exportSvg(picture: Picture, drawn: DrawnCanvas): string {
  return toBase64(new TextEncoder().encode(drawSvg(picture, drawn, lookOfPage())));
}

/** The picture as PNG at double size. Rejects when the browser cannot render it. */
export async function exportPng(picture: Picture, drawn: DrawnCanvas): Promise<string> {
  const svg = drawSvg(picture, drawn, lookOfPage());
  const image = new Image();
  image.src = `data:image/svg+xml;base64,${toBase64(new TextEncoder().encode(svg))}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  // Larger images exceed browser limits.
  const scale = Math.min(2, 16_000 / Math.max(image.width, image.height));
  canvas.width = Math.ceil(image.width * scale);
  canvas.height = Math.ceil(image.height * scale);
  const context = canvas.getContext('2d');
  if (!context) throw new Error(t('the browser cannot draw images'));
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL('image/png').split(',')[1] ?? '';
}

function lookOfPage(): Look {
  const style = getComputedStyle(document.body);
  const probe = document.createElement('span');
  document.body.append(probe);
  const colours = new Map(
    lookTokens.map((token) => {
      probe.style.color = `var(--eg-${token})`;
      return [token, getComputedStyle(probe).color] as const;
    }),
  );
  probe.remove();
  return { font: `${style.fontSize} ${style.fontFamily}`, colour: (token) => colours.get(token) ?? 'currentColor' };
}

function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let start = 0; start < bytes.length; start += 0x8000) {
    binary += String.fromCharCode(...bytes.subarray(start, start + 0x8000));
  }
  return btoa(binary);
}
