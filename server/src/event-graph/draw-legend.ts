import type { ComparedEntities, MapMeasure, PathMeasure, TimeScale } from '../../../protocol/event-graph.ts';
import { filterConditions } from '../../../protocol/filter-conditions.ts';
import { type MapWords, filledIn } from '../../../protocol/map-words.ts';
import type { MapStyle, MapTheme } from './map-theme.ts';
import type { ProcessMap } from './process-map.ts';
import { minuteOf, runNotesText } from './run-notes-text.ts';
import { xmlText } from '../../../protocol/xml-text.ts';
import { coloursOf } from './type-colours.ts';

/** What a drawing needs to explain a map. */
export type ExplainedMap = Pick<
  ProcessMap,
  'subject' | 'quantileError' | 'typeOrder' | 'keptRows' | 'slice' | 'imported'
>;

/** The legend above a map: the measures, and the colour of each type. */
export interface Legend {
  readonly svg: string;
  readonly width: number;
  readonly height: number;
  readonly sentences: readonly string[];
}

const fontSize = 12;
/** Pixels that a character of this size takes on average. */
const characterWidth = 6.5;
const lineHeight = 16;
/** The heading is larger than the other texts, and bold. */
const headingScale = 1.35;
const headingHeight = 22;
const margin = 16;
const smallestWidth = 360;

/**
 * @param mapWidth the legend is as wide, if it is readable then.
 * @param scale of paths that show times
 */
export function drawLegend(map: ExplainedMap, mapWidth: number, style: MapStyle, scale?: TimeScale): Legend {
  const { look, words, graphName } = style;
  const width = Math.max(mapWidth, smallestWidth);
  const heading = graphName === undefined ? '' : filledIn(words.titleOf, graphName);
  const headings = wrap(heading, (width - 2 * margin) / (characterWidth * headingScale)).filter((line) => line !== '');
  const top = margin + headings.length * headingHeight;
  const imported =
    graphName !== undefined && map.imported !== undefined ? [filledIn(words.imported, minuteOf(map.imported))] : [];
  const sentences = [...imported, ...legendText(map, style)];
  const lines = sentences.flatMap((sentence) => wrap(sentence, (width - 2 * margin) / characterWidth));
  const { subject } = map;
  const colours = subject.kind === 'all' ? coloursOf(map, look) : new Map<string, string>();
  const swatches = placeSwatches(colours, width, top + lines.length * lineHeight);
  const texts = [
    ...headings.map((line, index) => headingAt(line, margin + index * headingHeight, look)),
    ...lines.map((line, index) => textAt(line, margin, top + index * lineHeight + fontSize, look.muted)),
  ];
  const scaleTop = top + lines.length * lineHeight + swatches.height;
  if (scale) texts.push(drawScale(scale, scaleTop, look));
  const height = scaleTop + (scale ? lineHeight : 0);
  const label = xmlText([...(heading === '' ? [] : [`${heading}.`]), ...sentences].join(' '));
  const svg = `<g data-legend="" role="group" aria-label="${label}">${texts.join('')}${swatches.draw(look)}</g>`;
  return { svg, width, height, sentences };
}

type UnitNames = readonly [activities: keyof MapWords, paths: keyof MapWords];
const units: Readonly<Record<MapMeasure | 'type', UnitNames>> = {
  type: ['distinctEvents', 'followingPairs'],
  events: ['distinctEvents', 'eventPairsOfType'],
  objects: ['distinctObjects', 'distinctObjectsOfType'],
  pairs: ['eventObjectPairs', 'followingPairsOfObjects'],
};

const pathTexts = {
  count: 'paths',
  median: 'pathsMedian',
  p90: 'pathsP90',
  total: 'pathsTotal',
} satisfies Record<PathMeasure, keyof MapWords>;

/** Such as `Entities of type incident.`, `Activities: distinct events.`, `Paths: directly-follows pairs · median time between.` */
export function legendText(
  { subject, quantileError, ...notes }: Omit<ExplainedMap, 'typeOrder'>,
  {
    words,
    pathMeasure = 'count',
    filter = {},
    compare,
  }: Pick<MapStyle, 'words' | 'pathMeasure' | 'filter' | 'compare'>,
): readonly string[] {
  const conditions = filterConditions(filter, words).map(({ text }) => text);
  const [activities, paths] = units[subject.kind === 'type' ? 'type' : subject.measure];
  const percent = Math.round(quantileError * 100);
  return [
    subject.kind === 'type' ? filledIn(words.ofType, subject.entityType) : words.ofAllTypes,
    ...(conditions.length === 0 ? [] : [filledIn(words.filter, conditions.join(' · '))]),
    ...(compare && compare.kind !== 'imports' ? [filledIn(words.comparedWith, othersText(compare, words))] : []),
    filledIn(words.activities, words[activities]),
    ...(compare
      ? compare.kind === 'imports'
        ? [words.bothImports, words.moreNow]
        : comparedTexts(pathMeasure, words)
      : [filledIn(words[pathTexts[pathMeasure]], words[paths])]),
    ...(quantileError === 0 ? [] : [filledIn(words.estimates, percent)]),
    ...runNotesText(notes, words),
  ];
}

/** The others of a comparison in words. */
function othersText(compare: ComparedEntities, words: MapWords): string {
  if (compare.kind === 'others') return words.allOthers;
  const conditions = filterConditions(compare.filter, words).map(({ text }) => text);
  return conditions.length === 0 ? words.allEntities : conditions.join(' · ');
}

function comparedTexts(measure: PathMeasure, words: MapWords): readonly string[] {
  const paths = measure === 'count' ? words.pathsShares : filledIn(words.pathsBoth, words[measure]);
  return [paths, words.moreHere];
}

function wrap(text: string, characters: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= characters) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

function placeSwatches(
  colourOf: ReadonlyMap<string, string>,
  width: number,
  top: number,
): { readonly height: number; draw(look: MapTheme): string } {
  let [x, y] = [margin, top];
  const placed = [...colourOf].map(([type, colour]) => {
    const size = 24 + Math.ceil(type.length * characterWidth) + 14;
    if (x > margin && x + size > width - margin) [x, y] = [margin, y + lineHeight];
    const at = { type, colour, x, y };
    x += size;
    return at;
  });
  return {
    height: placed.length === 0 ? 0 : y + lineHeight - top,
    draw: (look) =>
      placed
        .map(
          (swatch) =>
            `<rect x="${swatch.x}" y="${swatch.y + 5}" width="18" height="4" rx="2" fill="${swatch.colour}"/>${textAt(swatch.type, swatch.x + 24, swatch.y + fontSize, look.foreground)}`,
        )
        .join(''),
  };
}

function drawScale({ colours, from, to }: TimeScale, top: number, look: MapTheme): string {
  const x = margin + Math.ceil(from.length * characterWidth) + 8;
  const blocks = colours.map(
    (colour, index) => `<rect x="${x + index * 12}" y="${top + 4}" width="12" height="8" fill="${colour}"/>`,
  );
  const end = x + colours.length * 12 + 8;
  return `${textAt(from, margin, top + fontSize, look.muted)}${blocks.join('')}${textAt(to, end, top + fontSize, look.muted)}`;
}

function headingAt(text: string, top: number, { foreground }: MapTheme): string {
  const size = fontSize * headingScale;
  return `<text x="${margin}" y="${top + size}" font-size="${size}" font-weight="600" fill="${foreground}">${xmlText(text)}</text>`;
}

function textAt(text: string, x: number, baseline: number, fill: string): string {
  return `<text x="${x}" y="${baseline}" font-size="${fontSize}" fill="${fill}">${xmlText(text)}</text>`;
}
