import type { ComparedCanvas } from '../../../protocol/compared-canvas.ts';
import type { EntryChange } from '../../../protocol/graph-view.ts';
import { xmlText } from '../../../protocol/xml-text.ts';
import { identityOfCard, timesOfCard } from './card-content.ts';
import { baseText, changeWord, countsOf, nowText, outcomeText } from './comparison-words.ts';
import { edgePath } from './edge-path.ts';
import type { Picture, PlacedCard, PlacedCorrelation, PlacedRelationship, PlacedType } from './picture.ts';

const margin = 16;
const lineHeight = 20;
/** About the width of a text in 13 px type. */
export function estimatedWidth(text: string): number {
  return [...text].reduce((width, character) => width + (/[\p{Lu}\p{Lo}%@]/u.test(character) ? 9.5 : 7), 0);
}

/** The colours that a drawing needs. */
export const lookTokens = [
  'background',
  'foreground',
  'muted',
  'edge',
  'surface',
  'surface-line',
  'error',
  'added',
  'changed',
  'removed',
] as const;

/** Colours and font of a drawing. */
export interface Look {
  readonly font: string;
  colour(token: (typeof lookTokens)[number]): string;
}

/** What is drawn besides the picture. */
export interface DrawnCanvas {
  readonly name: string;
  readonly compared?: ComparedCanvas | undefined;
}

const changeColours = { new: 'added', changed: 'changed', gone: 'removed' } as const;
const changeSigns = { new: '+', changed: '•', gone: '−' } as const;

/** The canvas as a standalone SVG file. */
export function drawSvg(picture: Picture, { name, compared }: DrawnCanvas, look: Look): string {
  const { bounds, cards, relationships, correlations, types } = picture;
  const legend = compared ? legendRows(compared) : [];
  const changes = new Map(cards.map(({ element }) => [element.id, element.change?.kind]));
  const legendHeight = legend.length === 0 ? 0 : legend.length * lineHeight + margin;
  const [x, y] = [bounds.x - margin, bounds.y - margin - legendHeight];
  const legendWidth = Math.max(0, ...legend.map(([text]) => estimatedWidth(text)));
  const width = Math.max(bounds.width, legendWidth) + 2 * margin;
  const height = bounds.height + 2 * margin + legendHeight;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${x} ${y} ${width} ${height}" width="${width}" height="${height}" role="img">
<title>${xmlText(name)}</title>
<style>text { font: ${xmlText(look.font)}; fill: ${look.colour('foreground')}; dominant-baseline: central; } .b { font-weight: 600; } .m { fill: ${look.colour('muted')}; }</style>
<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${look.colour('background')}"/>
${drawRows(legend, x + margin, y + margin, width - 2 * margin)}
${correlations.map((each) => drawCorrelation(each, changes.get(each.link.source), look)).join('\n')}
${relationships.map((each) => drawLine(each, look)).join('\n')}
${types.map((each) => drawType(each, look)).join('\n')}
${cards.map((each) => drawCard(each, look)).join('\n')}
${relationships.map((each) => drawLabel(each, look)).join('\n')}
</svg>`;
}

/** As new, or as gone, as the element whose rows it is of. */
function drawCorrelation({ points }: PlacedCorrelation, change: EntryChange['kind'] | undefined, look: Look): string {
  const colour = look.colour(change === 'new' || change === 'gone' ? changeColours[change] : 'edge');
  return `<path d="${edgePath(points)}" fill="none" stroke="${colour}" stroke-dasharray="2 3"/>`;
}

function drawType({ entityType, box: { x, y, width, height } }: PlacedType, look: Look): string {
  return `<g><rect x="${x}" y="${y}" width="${width}" height="${height}" rx="13" fill="${look.colour('background')}" stroke="${look.colour('edge')}"/>
${drawRows([[entityType, 'm']], x + 12, y + (height - lineHeight) / 2, width - 24)}</g>`;
}

function drawLine({ relationship, lines }: PlacedRelationship, look: Look): string {
  const draft = relationship.draft !== undefined;
  const { change } = relationship;
  const colour = look.colour(draft ? 'error' : change ? changeColours[change.kind] : 'edge');
  const dashes =
    change?.kind === 'gone' ? ' stroke-dasharray="6 5"' : relationship.steps ? ' stroke-dasharray="7 4"' : '';
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
  const joined = (parts: readonly string[]): string | undefined => (parts.length === 0 ? undefined : parts.join(' · '));
  const rows: readonly (readonly [string, string])[] = [
    [`${content.problem === undefined ? '' : '! '}${content.title}`, 'b'],
    ...[
      content.dataObject,
      joined(identityOfCard(content)),
      joined(timesOfCard(content)),
      content.activities ?? content.activityColumn,
      content.properties,
    ].flatMap((line) => (line === undefined ? [] : [[line, 'm'] as const])),
    ...(content.change ? [changeRow(content.change)] : []),
    ...(content.problem === undefined ? [] : [[content.problem, ''] as const]),
  ];
  const { change } = content;
  const line = look.colour(
    content.problem !== undefined ? 'error' : change ? changeColours[change.kind] : 'surface-line',
  );
  const isGone = change?.kind === 'gone';
  const shape = `x="${box.x}" y="${box.y}" width="${box.width}" height="${box.height}"`;
  const inner = `x="${box.x + 2}" y="${box.y + 2}" width="${box.width - 4}" height="${box.height - 4}"`;
  const double = content.isMasterData ? `<rect ${inner} rx="10" fill="none" stroke="${line}"/>` : '';
  return `<g><rect ${shape} rx="${content.isMasterData ? 12 : 4}" fill="${look.colour(isGone ? 'background' : 'surface')}" stroke="${line}"${change ? ' stroke-width="2"' : ''}${isGone ? ' stroke-dasharray="6 5"' : ''}/>${double}
${drawRows(rows, box.x + 9, box.y + 9, box.width - 18)}</g>`;
}

function drawLabel({ label, labelBox, relationship }: PlacedRelationship, look: Look): string {
  const rows: readonly (readonly [string, string])[] = [
    [`${relationship.draft === undefined ? '' : '! '}${label.name}`, ''],
    ...(label.crossTable === undefined ? [] : [[label.crossTable, 'm'] as const]),
    ...(label.detail === undefined ? [] : [[label.detail, 'm'] as const]),
    ...(label.change ? [changeRow(label.change)] : []),
  ];
  const { x, y, width, height } = labelBox;
  const frame = label.crossTable === undefined ? 'none' : look.colour('edge');
  return `<g><rect x="${x}" y="${y}" width="${width}" height="${height}" rx="4" fill="${look.colour('background')}" stroke="${frame}" stroke-dasharray="4 3"/>
${drawRows(rows, x + 6, y + (height - rows.length * lineHeight) / 2, width - 12)}</g>`;
}

/** How much wider than its room a line may be to be compressed; of a wider one, what is compressed less is drawn. */
const [mostSqueeze, squeezeOfCut] = [1.3, 1.15];

/** An overlong line is compressed a little; of a longer one the beginning is drawn, and all of it is its tooltip. */
function drawRows(rows: readonly (readonly [string, string])[], x: number, y: number, width: number): string {
  return rows
    .map(([text, className], index) => {
      const isCut = estimatedWidth(text) > width * mostSqueeze;
      const shown = isCut ? beginningOf(text, width * squeezeOfCut) : text;
      const squeeze = estimatedWidth(shown) > width ? ` textLength="${width}" lengthAdjust="spacingAndGlyphs"` : '';
      const whole = isCut ? `<title>${xmlText(text)}</title>` : '';
      return `<text class="${className}" x="${x}" y="${y + (index + 0.5) * lineHeight}"${squeeze}>${whole}${xmlText(shown)}</text>`;
    })
    .join('');
}

/** A text, or as much of it as there is room for, and an ellipsis. */
function beginningOf(text: string, width: number): string {
  let shown = '';
  for (const character of text) {
    if (estimatedWidth(`${shown}${character}…`) > width) break;
    shown += character;
  }
  return `${shown.trimEnd()}…`;
}

/** Both sides of the comparison, what the marks mean, and the numbers of the whole graph. */
function legendRows(compared: ComparedCanvas): readonly (readonly [string, string])[] {
  const marks = countsOf(compared).map(([kind, count]) => `${changeSigns[kind]} ${changeWord(kind)} ${count}`);
  return [
    [`${baseText(compared)} → ${nowText(compared)}`, 'b'],
    ...(marks.length > 0 ? [[marks.join('   '), ''] as const] : []),
    [outcomeText(compared), 'm'],
  ];
}

function changeRow({ kind, text }: EntryChange): readonly [string, string] {
  return [`${changeWord(kind)}: ${text}`, ''];
}
