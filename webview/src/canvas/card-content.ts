import type { ElementView } from '../../../protocol/graph-view.ts';
import type { Size } from './geometry.ts';
import type { TextMetrics } from '../ui/text-metrics.ts';
import { t } from '../ui/translate.ts';

/** Content of a card by line; empty lines are omitted. */
export interface CardContent {
  readonly title: string;
  readonly unnamed: boolean;
  readonly dataObject?: string;
  readonly startTimestamp?: string;
  readonly changeTimestamp?: string;
  /** Such as `number, priority, +6`. */
  readonly properties?: string;
  /** Why it is unconfigured, without repeating its name. */
  readonly problem?: string;
  readonly problemLines: number;
  readonly processContext?: string;
  readonly size: Size;
}

/** Card widths in pixels, with frame, padding and icons. */
const minWidth = 220;
const maxWidth = 280;
const frame = 18;
const iconWidth = 20;
const maxProblemLines = 3;

/** Content and size of an element's card; a collapsed one has its head only. */
export function cardContent(element: ElementView, text: TextMetrics, collapsed = false): CardContent {
  return fullContent(collapsed ? headOf(element) : element, text);
}

function headOf({ id, activityName, unconfigured, processContext, values, range, extent }: ElementView): ElementView {
  return {
    ...{ id, values, range, extent, properties: [], allProperties: false },
    ...(activityName === undefined ? {} : { activityName }),
    ...(unconfigured === undefined ? {} : { unconfigured }),
    ...(processContext === undefined ? {} : { processContext }),
  };
}

function fullContent(element: ElementView, text: TextMetrics): CardContent {
  const { activityName, dataObject, startTimestamp, changeTimestamp, processContext } = element;
  const title = activityName ?? t('Unnamed Element');
  const problem = element.unconfigured && `${element.unconfigured.problem} ${element.unconfigured.remedy}`;
  const titleIcons = iconWidth * ((problem === undefined ? 0 : 1) + (processContext === undefined ? 0 : 1));
  const times = [startTimestamp, changeTimestamp].filter((time) => time !== undefined);
  const widths = [
    text.width(title, 'bold') + titleIcons,
    text.width(dataObject ?? '', 'normal') + iconWidth,
    times.reduce((sum, time) => sum + text.width(time, 'normal') + iconWidth + 12, 0),
  ];
  const width = Math.ceil(Math.min(maxWidth, Math.max(minWidth, frame + Math.max(...widths))));
  const properties = shortenProperties(element, width - frame - iconWidth, text);
  const problemLines = problem === undefined ? 0 : countLines(problem, width - frame - iconWidth, text);
  const lines = 1 + [dataObject, times[0], properties].filter((line) => line !== undefined).length + problemLines;
  return {
    title,
    unnamed: activityName === undefined,
    ...(dataObject === undefined ? {} : { dataObject }),
    ...(startTimestamp === undefined ? {} : { startTimestamp }),
    ...(changeTimestamp === undefined ? {} : { changeTimestamp }),
    ...(properties === undefined ? {} : { properties }),
    ...(problem === undefined ? {} : { problem }),
    problemLines,
    ...(processContext === undefined ? {} : { processContext }),
    size: { width, height: frame + lines * text.lineHeight },
  };
}

/** As many names as fit on one line, and the number of further names. */
function shortenProperties(element: ElementView, width: number, text: TextMetrics): string | undefined {
  if (element.allProperties) return t('all properties');
  const { properties } = element;
  if (properties.length === 0) return undefined;
  for (let shown = properties.length; shown > 1; shown -= 1) {
    const line = listProperties(properties, shown);
    if (text.width(line, 'normal') <= width) return line;
  }
  return listProperties(properties, 1);
}

function listProperties(properties: readonly string[], shown: number): string {
  const more = properties.length - shown;
  return [...properties.slice(0, shown), ...(more > 0 ? [`+${more}`] : [])].join(', ');
}

/** Wraps a text between words; estimates up to one line more rather than cut off a word. */
function countLines(text: string, width: number, metrics: TextMetrics): number {
  let lines = 1;
  let used = 0;
  for (const word of text.split(/\s+/)) {
    if (used > 0 && used + metrics.width(word, 'normal') > width) {
      lines += 1;
      used = 0;
    }
    used += metrics.width(`${word} `, 'normal');
  }
  return Math.min(maxProblemLines, lines);
}
