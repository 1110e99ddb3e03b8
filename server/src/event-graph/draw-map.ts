import type { MapEdgeView, MapMeasure } from '../../../protocol/event-graph.ts';
import { drawLegend } from './draw-legend.ts';
import { type Box, type PlacedEdge, type PlacedMap, type Point, countText } from './layout-map.ts';
import type { MapLook } from './map-look.ts';
import type { ProcessMap } from './process-map.ts';
import { escapeXml } from './svg-text.ts';
import { coloursOf } from './type-colours.ts';

/** A drawing, as the text of an SVG element, with its size. */
export interface Drawing {
  readonly svg: string;
  readonly width: number;
  readonly height: number;
}

/** Draws a map with a legend above. Activities and paths carry `data-node` and `data-edge`, their places in the view's lists. */
export function drawMap(
  placed: PlacedMap,
  map: Pick<ProcessMap, 'subject' | 'quantileError'>,
  name: string,
  look: MapLook,
): Drawing {
  const most = Math.max(1, ...placed.edges.map(({ count }) => count));
  const busiest = Math.max(1, ...placed.nodes.map(({ node }) => node.count));
  const colourOf = coloursOf(map.subject);
  const colour = ({ edge }: PlacedEdge): string => colourOf.get(edge?.entityType ?? '') ?? look.edge;
  const times = map.subject.kind === 'all' ? timesOf[map.subject.measure] : timesOf.events;
  let place = -1;
  const lines = placed.edges.map((edge) =>
    drawEdge(edge, { most, colour: colour(edge), times, place: edge.edge ? (place += 1) : undefined }),
  );
  const labels = placed.edges.flatMap(({ label }) => (label ? [drawLabel(label, look)] : []));
  const nodes = placed.nodes.map(({ node, box }, index) => {
    const share = node.count / busiest;
    const words = `${node.activity}: ${countText(node.count)}`;
    return `<g data-node="${index}" tabindex="-1" role="button" aria-label="${escapeXml(words)}"><title>${escapeXml(words)}</title>
<rect x="${box.x}" y="${box.y}" width="${box.width}" height="${box.height}" rx="4" fill="${look.surface}" stroke="${look.line}"/>
<rect x="${box.x}" y="${box.y + box.height - 4}" width="${Math.max(4, box.width * share)}" height="4" rx="2" fill="${look.accent}"/>
${textAt(node.activity, box, 17, `font-weight="600" fill="${look.foreground}"`)}
${textAt(countText(node.count), box, 33, `font-size="11" fill="${look.muted}"`)}</g>`;
  });
  const legend = drawLegend(map, placed.width, look);
  const [width, height] = [Math.max(placed.width, legend.width), placed.height + legend.height];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="group" aria-label="${escapeXml(name)}" font-family="${escapeXml(look.font)}" font-size="13">
<rect width="${width}" height="${height}" fill="${look.background}"/>
${legend.svg}
<g transform="translate(${Math.round((width - placed.width) / 2)} ${legend.height})">
${lines.join('\n')}
${placed.start ? drawTerminal(placed.start, 'Start', look) : ''}${placed.end ? drawTerminal(placed.end, 'End', look) : ''}
${nodes.join('\n')}
${labels.join('\n')}
</g>
</svg>`;
  return { svg, width, height };
}

/** Tooltip of a path's number. */
const timesOf: Readonly<Record<MapMeasure, string>> = { events: 'times', objects: 'objects', pairs: 'pairs' };

interface EdgeLook {
  /** The largest count on the map. */
  readonly most: number;
  readonly colour: string;
  readonly times: string;
  /** In the view's list; undefined for lines from the start and to the end. */
  readonly place: number | undefined;
}

function drawEdge({ edge, count, points }: PlacedEdge, { most, colour, times, place }: EdgeLook): string {
  const width = edge ? Math.round((1 + 5 * Math.sqrt(count / most)) * 10) / 10 : 1;
  const dashes = edge ? '' : ' stroke-dasharray="3 3"';
  const end = points.at(-1);
  const before = points.at(-2);
  if (!end || !before) return '';
  const turn = Math.round((Math.atan2(end.y - before.y, end.x - before.x) * 180) / Math.PI);
  const size = 6 + width;
  const words = edge ? edgeWords(edge, times) : `${countText(count)} entities`;
  const open =
    place === undefined
      ? '<g>'
      : `<g data-edge="${place}" tabindex="-1" role="button" aria-label="${escapeXml(words)}">`;
  return `${open}<title>${escapeXml(words)}</title><path d="${pathOf(points)}" fill="none" stroke="${colour}" stroke-width="${width}"${dashes}/>
<path d="M ${-size} ${-size / 2} L 0 0 L ${-size} ${size / 2} z" transform="translate(${end.x} ${end.y}) rotate(${turn})" fill="${colour}"/></g>`;
}

/** Such as `Open → Close: 1 284 times, median 2.3 d, 90 % within 9.1 d`; on a map of all types with the type at its end. */
function edgeWords({ source, target, count, medianText, p90Text, entityType }: MapEdgeView, times: string): string {
  const whose = entityType === undefined ? '' : `, ${entityType}`;
  return `${source} → ${target}: ${countText(count)} ${times}, median ${medianText}, 90 % within ${p90Text}${whose}`;
}

/** ELK returns splines as a start and groups of three points. */
function pathOf(points: readonly Point[]): string {
  const [first, ...rest] = points;
  if (!first) return '';
  const at = ({ x, y }: Point): string => `${round(x)} ${round(y)}`;
  const isSpline = rest.length >= 3 && rest.length % 3 === 0;
  if (!isSpline) return `M ${at(first)} ${rest.map((point) => `L ${at(point)}`).join(' ')}`;
  const curves: string[] = [];
  for (let index = 0; index < rest.length; index += 3) {
    const [one, two, three] = [rest[index], rest[index + 1], rest[index + 2]];
    if (one && two && three) curves.push(`C ${at(one)}, ${at(two)}, ${at(three)}`);
  }
  return `M ${at(first)} ${curves.join(' ')}`;
}

function drawLabel({ text, box }: { readonly text: string; readonly box: Box }, look: MapLook): string {
  return `<g aria-hidden="true" pointer-events="none"><rect x="${box.x}" y="${box.y}" width="${box.width}" height="${box.height}" rx="3" fill="${look.background}" opacity="0.85"/>
${textAt(text, box, 13, `font-size="11" fill="${look.foreground}"`)}</g>`;
}

function drawTerminal(box: Box, name: 'Start' | 'End', look: MapLook): string {
  const [x, y, radius] = [box.x + box.width / 2, box.y + box.height / 2, box.width / 2];
  const inner = name === 'End' ? `<circle cx="${x}" cy="${y}" r="${radius - 4}" fill="${look.foreground}"/>` : '';
  return `<g><title>${name}</title><circle cx="${x}" cy="${y}" r="${radius - 1}" fill="${name === 'Start' ? look.foreground : look.background}" stroke="${look.foreground}" stroke-width="1.5"/>${inner}</g>`;
}

function textAt(text: string, { x, y, width }: Box, baseline: number, attributes: string): string {
  return `<text x="${x + width / 2}" y="${y + baseline}" text-anchor="middle" ${attributes}>${escapeXml(text)}</text>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
