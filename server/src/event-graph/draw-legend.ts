import { activityText } from '../../../protocol/activity-conditions.ts';
import type { MapMeasure } from '../../../protocol/event-graph.ts';
import { type MapWords, filledIn } from '../../../protocol/map-words.ts';
import type { MapTheme } from './map-theme.ts';
import type { ProcessMap } from './process-map.ts';
import { xmlText } from '../../../protocol/xml-text.ts';
import { coloursOf } from './type-colours.ts';

/** What a drawing needs to explain a map. */
export type ExplainedMap = Pick<
  ProcessMap,
  'subject' | 'quantileError' | 'typeOrder' | 'keptRows' | 'slice' | 'activities'
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
const margin = 16;
const smallestWidth = 360;

/** @param mapWidth the legend is as wide, if it is readable then. */
export function drawLegend(map: ExplainedMap, mapWidth: number, look: MapTheme, words: MapWords): Legend {
  const width = Math.max(mapWidth, smallestWidth);
  const sentences = legendText(map, words);
  const lines = sentences.flatMap((sentence) => wrap(sentence, (width - 2 * margin) / characterWidth));
  const { subject } = map;
  const colours = subject.kind === 'all' ? coloursOf(map, look) : new Map<string, string>();
  const swatches = placeSwatches(colours, width, margin + lines.length * lineHeight);
  const texts = lines.map((line, index) => textAt(line, margin, margin + index * lineHeight + fontSize, look.muted));
  const height = margin + lines.length * lineHeight + swatches.height;
  const label = xmlText(sentences.join(' '));
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

/** Such as `Entities of type incident.`, `Activities: distinct events.`, `Paths: directly-follows pairs · median time between.` */
export function legendText(
  { subject, quantileError, keptRows = [], slice, activities: conditions = [] }: Omit<ExplainedMap, 'typeOrder'>,
  words: MapWords,
): readonly string[] {
  const [activities, paths] = units[subject.kind === 'type' ? 'type' : subject.measure];
  const percent = Math.round(quantileError * 100);
  return [
    subject.kind === 'type' ? filledIn(words.ofType, subject.entityType) : words.ofAllTypes,
    ...conditions.map((each) => filledIn(each.occurs ? words.occurs : words.occursNot, activityText(each))),
    filledIn(words.activities, words[activities]),
    filledIn(words.paths, words[paths]),
    ...(quantileError === 0 ? [] : [filledIn(words.estimates, percent)]),
    ...(slice?.sample === undefined ? [] : [filledIn(words.sample, slice.sample.toLocaleString('en-US'))]),
    ...(slice?.since === undefined ? [] : [filledIn(words.since, minuteOf(slice.since))]),
    ...keptRows.map(({ dataSource, readAt }) => filledIn(words.keptRows, dataSource, minuteOf(readAt))),
  ];
}

/** Such as `2024-02-29 12:34`. */
function minuteOf(time: string): string {
  return time.slice(0, 16).replace('T', ' ');
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

function textAt(text: string, x: number, baseline: number, fill: string): string {
  return `<text x="${x}" y="${baseline}" font-size="${fontSize}" fill="${fill}">${xmlText(text)}</text>`;
}
