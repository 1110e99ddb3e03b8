import type { MapEdgeView, MapMeasure, MapNodeView, PathMeasure, TimeScale } from '../../../protocol/event-graph.ts';
import { type MapWords, filledIn } from '../../../protocol/map-words.ts';
import { type ArrivingLine, arrivingLine } from './arriving-line.ts';
import { type ExplainedMap, type Legend, drawLegend } from './draw-legend.ts';
import { type Box, type PlacedEdge, type PlacedMap, type Point, countText } from './layout-map.ts';
import { durationText } from '../../../protocol/duration-text.ts';
import type { MapStyle, MapTheme } from './map-theme.ts';
import { xmlText } from '../../../protocol/xml-text.ts';
import { differenceColour, shareText, shownOnPath, timeColour, timeColours } from './time-scale.ts';
import { coloursOf } from './type-colours.ts';

/** A drawing, as the text of an SVG element, with its size, and the legend at its top. */
export interface Drawing {
  readonly svg: string;
  readonly width: number;
  readonly height: number;
  readonly legend: Pick<Legend, 'sentences' | 'height'>;
  readonly scale: TimeScale | undefined;
}

/** Draws a map with a legend above. Activities and paths carry `data-node` and `data-edge`, their places in the view's lists. */
export function drawMap(placed: PlacedMap, map: ExplainedMap, style: MapStyle): Drawing {
  const { name, look, words } = style;
  const busiest = Math.max(1, ...placed.nodes.map(({ node }) => node.count));
  const colourOf = coloursOf(map, look);
  const accent = map.subject.kind === 'type' ? (colourOf.get(map.subject.entityType) ?? look.accent) : look.muted;
  const lines = drawEdges(placed, map, style);
  const paths = placed.edges.filter(({ edge }) => edge);
  const labels = paths.flatMap(({ label }, index) => (label ? [drawLabel(label, index, look)] : []));
  const farthest = Math.max(1, ...placed.nodes.map(({ node }) => Math.abs(changeOf(node))));
  const isOfImports = style.compare?.kind === 'imports';
  const nodes = placed.nodes.map(({ node, box }, index) => {
    const share = node.count / busiest;
    const service = node.service && `, ${filledIn(words.service, node.service.medianText, node.service.p90Text)}`;
    const bar = isOfImports ? differenceColour(changeOf(node) / farthest, look) : accent;
    const count = nodeText(node, words);
    const label = xmlText(`${node.activity}: ${count}${service ?? ''}`);
    return `<g data-node="${index}" tabindex="-1" role="button" aria-label="${label}"><title>${label}</title>
<rect x="${box.x}" y="${box.y}" width="${box.width}" height="${box.height}" rx="4" fill="${look.surface}" stroke="${look.line}"/>
${drawBar(box, Math.max(4, box.width * share), bar, isOfImports && changeOf(node) < 0)}
${textAt(node.activity, box, 17, `font-weight="600" fill="${look.foreground}"`)}
${textAt(count, box, 33, `font-size="12" fill="${look.muted}"`)}</g>`;
  });
  const scale = timeScale(placed, map, style);
  const legend = drawLegend(map, placed.width, style, scale);
  const [width, height] = [Math.max(placed.width, legend.width), placed.height + legend.height];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="group" aria-label="${xmlText(name)}" font-family="${xmlText(look.font)}" font-size="13">
<rect width="${width}" height="${height}" fill="${look.background}"/>
${legend.svg}
<g transform="translate(${Math.round((width - placed.width) / 2)} ${legend.height})">
${lines.join('\n')}
${placed.start ? drawTerminal(placed.start, 'start', { look, words }) : ''}${placed.end ? drawTerminal(placed.end, 'end', { look, words }) : ''}
${nodes.join('\n')}
${labels.join('\n')}
</g>
</svg>`;
  return { svg, width, height, legend: { sentences: legend.sentences, height: legend.height }, scale };
}

/** A bar of fewer is dashed, so that its colour is not its only sign. */
function drawBar({ x, y, height }: Box, width: number, colour: string, isFewer: boolean): string {
  const top = y + height - 4;
  return isFewer
    ? `<path d="M ${x} ${top + 2} h ${width}" fill="none" stroke="${colour}" stroke-width="4" stroke-dasharray="${fewerDashes}"/>`
    : `<rect x="${x}" y="${top}" width="${width}" height="4" rx="2" fill="${colour}"/>`;
}

/** Of what has fewer, or of what more of the others take. */
const fewerDashes = '10 5';

/** How many more an activity has than that of the others. */
function changeOf({ count, otherCount = count }: MapNodeView): number {
  return count - otherCount;
}

/** The count of an activity; on a map that compares, both counts. */
function nodeText({ count, otherCount }: MapNodeView, words: MapWords): string {
  const shown = countText(count, words);
  return otherCount === undefined ? shown : `${shown} | ${countText(otherCount, words)}`;
}

/** Tooltip of a path's number. */
const timesOf = { events: 'times', objects: 'objects', pairs: 'pairs' } satisfies Record<MapMeasure, keyof MapWords>;

/** The longest path, and the text of its time. Times have a scale on maps of one type: of all types, colours are theirs. */
function timeScale(placed: PlacedMap, { subject }: ExplainedMap, style: MapStyle): TimeScale | undefined {
  const { pathMeasure = 'count', look, words } = style;
  if (style.compare || pathMeasure === 'count' || subject.kind === 'all') return undefined;
  const times = placed.edges.flatMap(({ edge }) => (edge ? [shownOf(edge, pathMeasure, words)] : []));
  const [longest] = times.sort((one, other) => other.value - one.value);
  return longest && longest.value > 0
    ? { colours: timeColours(look), from: durationText(0), to: longest.text }
    : undefined;
}

function drawEdges(placed: PlacedMap, map: ExplainedMap, style: MapStyle): readonly string[] {
  const { pathMeasure = 'count', look, words } = style;
  const colourOf = coloursOf(map, look);
  const most = Math.max(1, ...placed.edges.map(({ count }) => count));
  const valueOf = (edge: MapEdgeView): number => shownOf(edge, pathMeasure, words).value;
  const farthest = Math.max(
    Number.MIN_VALUE,
    ...placed.edges.map(({ edge }) => (edge?.compared ? Math.abs(valueOf(edge)) : 0)),
  );
  const longest = Math.max(1, ...placed.edges.map(({ edge }) => (edge ? valueOf(edge) : 0)));
  const times = words[map.subject.kind === 'all' ? timesOf[map.subject.measure] : timesOf.events];
  let place = -1;
  return placed.edges.map((line) => {
    const { edge, count } = line;
    const difference = edge?.compared ? valueOf(edge) / farthest : undefined;
    const share =
      difference !== undefined
        ? Math.abs(difference)
        : !edge || pathMeasure === 'count'
          ? count / most
          : Math.max(0, valueOf(edge)) / longest;
    const ofType = colourOf.get(edge?.entityType ?? '');
    const byValue =
      difference !== undefined
        ? differenceColour(difference, look)
        : edge && pathMeasure !== 'count'
          ? timeColour(share, look)
          : look.edge;
    const colour = ofType ?? byValue;
    return drawEdge(line, {
      share,
      colour,
      times,
      words,
      map: placed,
      isFewer: difference !== undefined && difference < 0,
      isForFile: look.isForFile,
      place: edge ? (place += 1) : undefined,
    });
  });
}

function shownOf(edge: MapEdgeView, measure: PathMeasure, words: MapWords): ReturnType<typeof shownOnPath> {
  return shownOnPath(edge, measure, (count) => countText(count, words));
}

interface EdgeLook {
  /** Of the largest number on the map, 0 to 1. */
  readonly share: number;
  readonly colour: string;
  /** Text for a number of the map's measure. */
  readonly times: string;
  readonly words: MapWords;
  readonly map: PlacedMap;
  readonly isFewer: boolean;
  readonly isForFile: boolean;
  /** In the view's list; undefined for lines from the start and to the end. */
  readonly place: number | undefined;
}

function drawEdge(
  { edge, count, points }: PlacedEdge,
  { share, colour, times, words, map, place, isFewer, isForFile }: EdgeLook,
): string {
  const width = edge ? Math.round((1 + 5 * Math.sqrt(share)) * 10) / 10 : 1;
  const pattern = edge ? (isFewer ? fewerDashes : undefined) : '3 3';
  const dashes = pattern === undefined ? '' : ` stroke-dasharray="${pattern}"`;
  const size = 6 + width;
  const arrival = arrivingLine(points, size, map);
  if (!arrival) return '';
  const { tip, direction } = arrival;
  const turn = Math.round((Math.atan2(direction.y, direction.x) * 180) / Math.PI);
  const label = xmlText(edge ? edgeLabel(edge, times, words) : filledIn(words.entities, countText(count, words)));
  const open =
    place === undefined ? '<g>' : `<g data-edge="${place}" tabindex="-1" role="button" aria-label="${label}">`;
  const path = pathOf(arrival);
  // A thin line is hit by a wide one that is not seen.
  const reach =
    edge && !isForFile
      ? `<path d="${path}" fill="none" stroke="transparent" stroke-width="${width + reachWidth}" data-reach=""/>`
      : '';
  return `${open}<title>${label}</title><path d="${path}" fill="none" stroke="${colour}" stroke-width="${width}"${dashes}/>
<path d="M ${-size} ${-size / 2} L 0 0 L ${-size} ${size / 2} z" transform="translate(${round(tip.x)} ${round(tip.y)}) rotate(${turn})" fill="${colour}" data-arrow=""/>${reach}</g>`;
}

/** Pixels around a line where a click is one on it. */
const reachWidth = 8;

/** Such as `Open → Close: 1,284 times, median 2.3 d, 90 % within 9.1 d, total 2953 d`; on a map of all types with the type at its end. */
function edgeLabel(
  { source, target, count, medianText, p90Text, totalText, entityType, compared }: MapEdgeView,
  times: string,
  words: MapWords,
): string {
  if (compared?.share === undefined && compared) {
    return `${source} → ${target}: ${countText(count, words)} | ${countText(compared.count, words)}`;
  }
  if (compared) {
    const shares = filledIn(words.sharesOf, shareText(compared.share ?? 0), shareText(compared.otherShare ?? 0));
    return `${source} → ${target}: ${shares}, ${filledIn(words.medians, medianText, compared.medianText)}`;
  }
  const whose = entityType === undefined ? '' : `, ${entityType}`;
  const durations = filledIn(words.durations, medianText, p90Text, totalText);
  return `${source} → ${target}: ${filledIn(times, countText(count, words))}, ${durations}${whose}`;
}

/** ELK returns splines as a start and groups of three points. */
function pathOf({ points, isCurved }: Pick<ArrivingLine, 'points' | 'isCurved'>): string {
  const [first, ...rest] = points;
  if (!first) return '';
  const at = ({ x, y }: Point): string => `${round(x)} ${round(y)}`;
  if (!isCurved) return `M ${at(first)} ${rest.map((point) => `L ${at(point)}`).join(' ')}`;
  const curves: string[] = [];
  for (let index = 0; index < rest.length; index += 3) {
    const [one, two, three] = [rest[index], rest[index + 1], rest[index + 2]];
    if (one && two && three) curves.push(`C ${at(one)}, ${at(two)}, ${at(three)}`);
  }
  return `M ${at(first)} ${curves.join(' ')}`;
}

/** @param place of its path in the view's list */
function drawLabel({ text, box }: { readonly text: string; readonly box: Box }, place: number, look: MapTheme): string {
  return `<g aria-hidden="true" data-label="${place}"><rect x="${box.x}" y="${box.y}" width="${box.width}" height="${box.height}" rx="3" fill="${look.background}" opacity="0.85"/>
${textAt(text, box, 13, `font-size="12" fill="${look.foreground}"`)}</g>`;
}

/** The end has a thicker frame, as in process models. */
function drawTerminal(box: Box, terminal: 'start' | 'end', { look, words }: Pick<MapStyle, 'look' | 'words'>): string {
  const { x, y, width, height } = box;
  const frame = terminal === 'start' ? 1 : 2.5;
  return `<g data-${terminal}=""><rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${height / 2}" fill="${look.background}" stroke="${look.foreground}" stroke-width="${frame}"/>
${textAt(words[terminal], box, 15, `font-size="12" font-weight="600" fill="${look.foreground}"`)}</g>`;
}

function textAt(text: string, { x, y, width }: Box, baseline: number, attributes: string): string {
  return `<text x="${x + width / 2}" y="${y + baseline}" text-anchor="middle" ${attributes}>${xmlText(text)}</text>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
