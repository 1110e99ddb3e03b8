import type { MapEdgeView } from '../../../protocol/event-graph.ts';
import { type Box, type PlacedEdge, type PlacedMap, type Point, countText } from './layout-map.ts';

/** Colours and font as SVG attributes. */
export interface MapLook {
  readonly background: string;
  readonly foreground: string;
  readonly muted: string;
  readonly surface: string;
  readonly line: string;
  readonly edge: string;
  readonly accent: string;
  readonly font: string;
}

/** CSS variables of the page, so that the drawing follows the theme. */
export const themeLook: MapLook = {
  background: 'var(--eg-background)',
  foreground: 'var(--eg-foreground)',
  muted: 'var(--eg-muted)',
  surface: 'var(--eg-surface)',
  line: 'var(--eg-surface-line)',
  edge: 'var(--eg-edge)',
  accent: 'var(--vscode-charts-blue)',
  font: 'var(--eg-font)',
};

/** For files: readable on paper and on any page. */
export const plainLook: MapLook = {
  background: '#ffffff',
  foreground: '#1f1f1f',
  muted: '#5f6368',
  surface: '#f4f6f9',
  line: '#b9c0c9',
  edge: '#8a939e',
  accent: '#0063d3',
  font: 'system-ui, sans-serif',
};

/**
 * Draws the map as an SVG element. Activities and paths have `data-node` and `data-edge`, their indexes in the view's
 * lists.
 */
export function drawMap(map: PlacedMap, name: string, look: MapLook): string {
  const most = Math.max(1, ...map.edges.map(({ count }) => count));
  const busiest = Math.max(1, ...map.nodes.map(({ node }) => node.events));
  let place = -1;
  const lines = map.edges.map((edge) => drawEdge(edge, most, look, edge.edge ? (place += 1) : undefined));
  const labels = map.edges.flatMap(({ label }) => (label ? [drawLabel(label, look)] : []));
  const nodes = map.nodes.map(({ node, box }, index) => {
    const share = node.events / busiest;
    const words = `${node.activity}: ${countText(node.events)}`;
    return `<g data-node="${index}" tabindex="-1" role="button" aria-label="${escape(words)}"><title>${escape(words)}</title>
<rect x="${box.x}" y="${box.y}" width="${box.width}" height="${box.height}" rx="4" fill="${look.surface}" stroke="${look.line}"/>
<rect x="${box.x}" y="${box.y + box.height - 4}" width="${Math.max(4, box.width * share)}" height="4" rx="2" fill="${look.accent}"/>
${textAt(node.activity, box, 17, `font-weight="600" fill="${look.foreground}"`)}
${textAt(countText(node.events), box, 33, `font-size="11" fill="${look.muted}"`)}</g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${map.width} ${map.height}" width="${map.width}" height="${map.height}" role="group" aria-label="${escape(name)}" font-family="${escape(look.font)}" font-size="13">
<rect width="${map.width}" height="${map.height}" fill="${look.background}"/>
${lines.join('\n')}
${map.start ? drawTerminal(map.start, 'Start', look) : ''}${map.end ? drawTerminal(map.end, 'End', look) : ''}
${nodes.join('\n')}
${labels.join('\n')}
</svg>`;
}

function drawEdge({ edge, count, points }: PlacedEdge, most: number, look: MapLook, place: number | undefined): string {
  const width = edge ? Math.round((1 + 5 * Math.sqrt(count / most)) * 10) / 10 : 1;
  const dashes = edge ? '' : ' stroke-dasharray="3 3"';
  const end = points.at(-1);
  const before = points.at(-2);
  if (!end || !before) return '';
  const turn = Math.round((Math.atan2(end.y - before.y, end.x - before.x) * 180) / Math.PI);
  const size = 6 + width;
  const words = edge ? edgeWords(edge) : countText(count);
  const open =
    place === undefined ? '<g>' : `<g data-edge="${place}" tabindex="-1" role="button" aria-label="${escape(words)}">`;
  return `${open}<title>${escape(words)}</title><path d="${pathOf(points)}" fill="none" stroke="${look.edge}" stroke-width="${width}"${dashes}/>
<path d="M ${-size} ${-size / 2} L 0 0 L ${-size} ${size / 2} z" transform="translate(${end.x} ${end.y}) rotate(${turn})" fill="${look.edge}"/></g>`;
}

/** Such as `Open → Close: 1 284 times, median 2.3 d, 90 % within 9.1 d`. */
function edgeWords({ source, target, count, medianText, p90Text }: MapEdgeView): string {
  return `${source} → ${target}: ${countText(count)} times, median ${medianText}, 90 % within ${p90Text}`;
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
  return `<text x="${x + width / 2}" y="${y + baseline}" text-anchor="middle" ${attributes}>${escape(text)}</text>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
