import { type TimeRole, timeRoles } from '../../../protocol/fields/element.ts';
import { cardName } from '../../../protocol/card-name.ts';
import type { CardView, ProblemView } from '../../../protocol/graph-view.ts';
import type { Size } from './geometry.ts';
import type { TextMetrics } from '../ui/text-metrics.ts';
import { t } from '../ui/translate.ts';

/** Content of a card by line; empty lines are omitted. */
export interface CardContent {
  readonly title: string;
  readonly unnamed: boolean;
  /** An entry of `entities`. */
  readonly isMasterData?: true;
  readonly dataObject?: string;
  /** The entity type of master data, where the title is another name. */
  readonly entityType?: string;
  /** The key of master data. */
  readonly key?: string;
  readonly startTimestamp?: string;
  readonly changeTimestamp?: string;
  readonly endTimestamp?: string;
  /** Such as `number, priority, +6`. */
  readonly properties?: string;
  /** Such as `830 events · 89 entities`, of the last import. */
  readonly imported?: string;
  /** Why it is unconfigured, without repeating its name, else its worst problem. */
  readonly problem?: string;
  readonly severity?: ProblemView['severity'];
  /** Number of problems that are not shown. */
  readonly moreProblems?: number;
  readonly problemLines: number;
  readonly processContext?: string;
  readonly size: Size;
}

/** Card widths in pixels, with frame, padding and icons. */
const minWidth = 220;
const maxWidth = 280;
const frame = 18;
const iconWidth = 20;
const maxProblemLines = 4;

/** Content and size of a card; a collapsed one has its head only. */
export function cardContent(element: CardView, text: TextMetrics, collapsed = false): CardContent {
  const before = known.get(element);
  if (before?.text === text && before.collapsed === collapsed) return before.content;
  const content = fullContent(collapsed ? headOf(element) : element, text);
  known.set(element, { text, collapsed, content });
  return content;
}

/** After an edit of one card, all others are the same objects; measuring their texts takes most of the time. */
const known = new WeakMap<
  CardView,
  { readonly text: TextMetrics; readonly collapsed: boolean; readonly content: CardContent }
>();

function headOf(card: CardView): CardView {
  const { id, unconfigured, problems, processContext, range, extent } = card;
  const common = {
    id,
    range,
    extent,
    properties: [],
    allProperties: false,
    ...(unconfigured === undefined ? {} : { unconfigured }),
    ...(problems === undefined ? {} : { problems }),
    ...(processContext === undefined ? {} : { processContext }),
  };
  const name = cardName(card);
  return card.isMasterData
    ? { ...common, isMasterData: true, values: card.values, ...(name === undefined ? {} : { name }) }
    : { ...common, values: card.values, ...(name === undefined ? {} : { activityName: name }) };
}

/** The times of a card, on one line. */
export function timesOfCard(card: Pick<CardContent, TimeRole>): readonly string[] {
  return timeRoles.map((role) => card[role]).filter((time) => time !== undefined);
}

/** Lines that only one family of cards has. */
function ownLines(card: CardView): Pick<CardContent, TimeRole | 'entityType' | 'key'> {
  if (!card.isMasterData) {
    return Object.fromEntries(timeRoles.flatMap((role) => (card[role] === undefined ? [] : [[role, card[role]]])));
  }
  const { name, entityType, key } = card;
  return {
    ...(entityType === undefined || entityType === name ? {} : { entityType }),
    ...(key === undefined ? {} : { key: key.join(', ') }),
  };
}

function fullContent(element: CardView, text: TextMetrics): CardContent {
  const { processContext } = element;
  const dataObject = objectLine(element);
  const own = ownLines(element);
  const { entityType, key } = own;
  const name = cardName(element);
  const title = name ?? unnamedTitle(element);
  const shown = shownProblem(element);
  const imported = element.imported && importedText(element.imported);
  const icons = [shown?.problem, processContext, element.isMasterData].filter((each) => each !== undefined);
  const titleIcons = iconWidth * icons.length;
  const times = timesOfCard(own);
  const widths = [
    text.width(title, 'bold') + titleIcons,
    ...[dataObject, entityType, key, imported].map((line) => text.width(line ?? '', 'normal') + iconWidth),
    times.reduce((sum, time) => sum + text.width(time, 'normal') + iconWidth + 12, 0),
  ];
  const width = Math.ceil(Math.min(maxWidth, Math.max(minWidth, frame + Math.max(...widths))));
  const properties = shortenProperties(element, width - frame - iconWidth, text);
  const problemLines = shown === undefined ? 0 : countLines(wordsOf(shown), width - frame - iconWidth, text);
  const shownLines = [dataObject, entityType, key, times[0], properties, imported].filter((line) => line !== undefined);
  const lines = 1 + shownLines.length + problemLines;
  return {
    title,
    unnamed: name === undefined,
    ...(element.isMasterData ? { isMasterData: true } : {}),
    ...(dataObject === undefined ? {} : { dataObject }),
    ...own,
    ...(properties === undefined ? {} : { properties }),
    ...(imported === undefined ? {} : { imported }),
    ...shown,
    problemLines,
    ...(processContext === undefined ? {} : { processContext }),
    size: { width, height: frame + lines * text.lineHeight },
  };
}

/** The data object, and its data source in a graph of several. */
function objectLine({ dataObject, dataSource }: CardView): string | undefined {
  return dataObject === undefined || dataSource === undefined ? dataObject : `${dataObject} · ${dataSource}`;
}

/** The title of a card without a name. */
function unnamedTitle(card: CardView): string {
  return card.isMasterData ? t('Unnamed Master Data') : t('Unnamed Element');
}

/** Missing fields are shown before all other problems. */
function shownProblem({
  unconfigured,
  problems = [],
}: CardView): Pick<CardContent, 'problem' | 'severity' | 'moreProblems'> | undefined {
  const [first] = problems;
  const more = unconfigured ? problems.length : problems.length - 1;
  const rest = more > 0 ? { moreProblems: more } : {};
  if (unconfigured) return { problem: `${unconfigured.problem} ${unconfigured.remedy}`, severity: 'error', ...rest };
  return first && { problem: first.message, severity: first.severity, ...rest };
}

/** The words of the problem line. */
function wordsOf({ problem = '', moreProblems }: Pick<CardContent, 'problem' | 'moreProblems'>): string {
  return moreProblems === undefined ? problem : `${problem} ${t('{0} more', moreProblems)}`;
}

function importedText({ events, entities }: NonNullable<CardView['imported']>): string {
  const ofEntities = entities === 1 ? t('1 entity') : t('{0} entities', entities.toLocaleString('en'));
  if (events === undefined) return ofEntities;
  return `${events === 1 ? t('1 event') : t('{0} events', events.toLocaleString('en'))} · ${ofEntities}`;
}

/** As many names as fit on one line, and the number of further names. */
function shortenProperties(element: CardView, width: number, text: TextMetrics): string | undefined {
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
