import type { MapPicture } from '../../../protocol/event-graph.ts';
import { t } from '../ui/translate.ts';

/** Larger images exceed browser limits. */
const maxPixels = 16_000;

/** A map as a standalone file in base64. */
export async function mapImage({ svg, width, height }: MapPicture, kind: 'svg' | 'png'): Promise<string> {
  const text = withColours(svg);
  if (kind === 'svg') return toBase64(new TextEncoder().encode(text));
  const image = new Image();
  image.src = `data:image/svg+xml;base64,${toBase64(new TextEncoder().encode(text))}`;
  await image.decode();
  const scale = Math.min(2, maxPixels / Math.max(width, height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.ceil(width * scale);
  canvas.height = Math.ceil(height * scale);
  const context = canvas.getContext('2d');
  if (!context) throw new Error(t('The browser cannot draw images.'));
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL('image/png').split(',')[1] ?? '';
}

/** Replaces CSS variables of the page by their values. */
function withColours(svg: string): string {
  const probe = document.createElement('span');
  document.body.append(probe);
  const { fontFamily } = getComputedStyle(document.body);
  const text = svg.replaceAll(/color-mix\((?:[^()]|\([^()]*\))*\)|var\(--[\w-]+\)/g, (colour) => {
    if (colour === 'var(--eg-font)') return fontFamily.replaceAll('"', "'");
    probe.style.color = '';
    probe.style.color = colour;
    return plainColour(getComputedStyle(probe).color);
  });
  probe.remove();
  return text;
}

/** Other programs do not know `color(srgb 0.1 0.2 0.3)`, in which browsers compute mixed colours. */
function plainColour(computed: string): string {
  const [, channels] = /^color\(srgb ([\d. ]+)\)$/.exec(computed) ?? [];
  if (channels === undefined) return computed;
  return `rgb(${channels
    .split(' ')
    .map((channel) => Math.round(Number(channel) * 255))
    .join(', ')})`;
}

function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}
