import { xmlText } from '../../../protocol/xml-text.ts';
import { t } from '../ui/translate.ts';
import { timesOfCard } from './card-content.ts';
import { edgePath } from './edge-path.ts';
import type { Picture, PlacedCard, PlacedCorrelation, PlacedRelationship, PlacedType } from './picture.ts';

const margin = 16;
const lineHeight = 20;

/** The current colours and font of the page. */
interface Look {
  readonly font: string;
  colour(token: string): string;
}

/** The canvas as a standalone SVG file in base64, rendered from the model. */
export function exportSvg(picture: Picture, name: string): string {
  return toBase64(new TextEncoder().encode(drawSvg(picture, name, lookOfPage())));
}

/** The picture as PNG at double size. Rejects when the browser cannot render it. */
export async function exportPng(picture: Picture, name: string): Promise<string> {
  const svg = drawSvg(picture, name, lookOfPage());
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
    ['background', 'foreground', 'muted', 'edge', 'surface', 'surface-line', 'error'].map((token) => {
      probe.style.color = `var(--eg-${token})`;
      return [token, getComputedStyle(probe).color] as const;
    }),
  );
  probe.remove();
  return { font: `${style.fontSize} ${style.fontFamily}`, colour: (token) => colours.get(token) ?? 'currentColor' };
}

function drawSvg({ bounds, cards, relationships, correlations, types }: Picture, name: string, look: Look): string {
  const [x, y] = [bounds.x - margin, bounds.y - margin];
  const [width, height] = [bounds.width + 2 * margin, bounds.height + 2 * margin];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${x} ${y} ${width} ${height}" width="${width}" height="${height}" role="img">
<title>${xmlText(name)}</title>
<style>text { font: ${xmlText(look.font)}; fill: ${look.colour('foreground')}; dominant-baseline: central; } .b { font-weight: 600; } .m { fill: ${look.colour('muted')}; }</style>
<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${look.colour('background')}"/>
${correlations.map((each) => drawCorrelation(each, look)).join('\n')}
${relationships.map((each) => drawLine(each, look)).join('\n')}
${types.map((each) => drawType(each, look)).join('\n')}
${cards.map((each) => drawCard(each, look)).join('\n')}
${relationships.map((each) => drawLabel(each, look)).join('\n')}
</svg>`;
}

function drawCorrelation({ points }: PlacedCorrelation, look: Look): string {
  return `<path d="${edgePath(points)}" fill="none" stroke="${look.colour('edge')}" stroke-dasharray="2 3"/>`;
}

function drawType({ entityType, box: { x, y, width, height } }: PlacedType, look: Look): string {
  return `<g><rect x="${x}" y="${y}" width="${width}" height="${height}" rx="13" fill="${look.colour('background')}" stroke="${look.colour('edge')}"/>
${drawRows([[entityType, 'm']], x + 12, y + (height - lineHeight) / 2, width - 24)}</g>`;
}

function drawLine({ relationship, lines }: PlacedRelationship, look: Look): string {
  const draft = relationship.draft !== undefined;
  const colour = look.colour(draft ? 'error' : 'edge');
  const dashes = relationship.steps ? ' stroke-dasharray="7 4"' : '';
  const dots = draft ? ' stroke-dasharray="0.1 5" stroke-linecap="round"' : dashes;
  const end = lines.at(-1)?.at(-1);
  const before = lines.at(-1)?.at(-2);
  const turn = end && before ? (Math.atan2(end.y - before.y, end.x - before.x) * 180) / Math.PI : 0;
  const head = end
    ? `<path d="M -8 -4 L 0 0 L -8 4 ${draft ? '' : 'z'}" transform="translate(${end.x} ${end.y}) rotate(${turn})" fill="${draft ? 'none' : colour}" stroke="${colour}"/>`
    : '';
  const paths = lines.map(
    (points) => `<path d="${edgePath(points)}" fill="none" stroke="${colour}" stroke-width="1.5"${dots}/>`,
  );
  return `${paths.join('')}${head}`;
}

function drawCard({ content, box }: PlacedCard, look: Look): string {
  const times = timesOfCard(content);
  const rows: readonly (readonly [string, string])[] = [
    [`${content.problem === undefined ? '' : '! '}${content.title}`, 'b'],
    ...[content.dataObject, content.entityType, content.key].flatMap((line) =>
      line === undefined ? [] : [[line, 'm'] as const],
    ),
    ...(times.length === 0 ? [] : [[times.join(' · '), 'm'] as const]),
    ...(content.properties === undefined ? [] : [[content.properties, 'm'] as const]),
    ...(content.problem === undefined ? [] : [[content.problem, ''] as const]),
  ];
  const line = content.problem === undefined ? look.colour('surface-line') : look.colour('error');
  const shape = `x="${box.x}" y="${box.y}" width="${box.width}" height="${box.height}"`;
  const inner = `x="${box.x + 2}" y="${box.y + 2}" width="${box.width - 4}" height="${box.height - 4}"`;
  const double = content.isMasterData ? `<rect ${inner} rx="10" fill="none" stroke="${line}"/>` : '';
  return `<g><rect ${shape} rx="${content.isMasterData ? 12 : 4}" fill="${look.colour('surface')}" stroke="${line}"/>${double}
${drawRows(rows, box.x + 9, box.y + 9, box.width - 18)}</g>`;
}

function drawLabel({ label, labelBox, relationship }: PlacedRelationship, look: Look): string {
  const rows: readonly (readonly [string, string])[] = [
    [`${relationship.draft === undefined ? '' : '! '}${label.name}`, ''],
    ...(label.crossTable === undefined ? [] : [[label.crossTable, 'm'] as const]),
    ...(label.detail === undefined ? [] : [[label.detail, 'm'] as const]),
  ];
  const { x, y, width, height } = labelBox;
  const frame = label.crossTable === undefined ? 'none' : look.colour('edge');
  return `<g><rect x="${x}" y="${y}" width="${width}" height="${height}" rx="4" fill="${look.colour('background')}" stroke="${frame}" stroke-dasharray="4 3"/>
${drawRows(rows, x + 6, y + (height - rows.length * lineHeight) / 2, width - 12)}</g>`;
}

/** An overlong line is compressed, because SVG cannot truncate text. */
function drawRows(rows: readonly (readonly [string, string])[], x: number, y: number, width: number): string {
  return rows
    .map(([text, className], index) => {
      const squeeze = text.length * 7 > width ? ` textLength="${width}" lengthAdjust="spacingAndGlyphs"` : '';
      return `<text class="${className}" x="${x}" y="${y + (index + 0.5) * lineHeight}"${squeeze}>${xmlText(text)}</text>`;
    })
    .join('');
}

function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let start = 0; start < bytes.length; start += 0x8000) {
    binary += String.fromCharCode(...bytes.subarray(start, start + 0x8000));
  }
  return btoa(binary);
}
