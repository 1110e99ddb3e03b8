import { type TimeRole, timeRoles } from '../../../protocol/fields/element.ts';
import { cardName } from '../../../protocol/card-name.ts';
import type { CardView, ElementView, EntryChange, ProblemView } from '../../../protocol/graph-view.ts';
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
  /** The entity type, where neither the title nor the data object says it. */
  readonly entityType?: string;
  readonly key?: string;
  /** The column with the activity of each event. */
  readonly activityColumn?: string;
  /** The activities of the last import, such as `status: Open, Resolve, +3`, as many as have room: an import leaves the size of the card. */
  readonly activities?: string;
  readonly startTimestamp?: string;
  readonly changeTimestamp?: string;
  readonly endTimestamp?: string;
  /** Such as `number, priority, +6`. */
  readonly properties?: string;
  /** Such as `830 events · 89 entities`, of the last import. */
  readonly imported?: string;
  /** As much of it as has room beside the data object, so that an import leaves the size of the card; absent: a line of its own. */
  readonly importedBeside?: string;
  /** How it differs from the base of a comparison, in place of the counts of the last import. */
  readonly change?: EntryChange;
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
  const { id, unconfigured, problems, processContext, change, range, extent } = card;
  const common = {
    id,
    range,
    extent,
    properties: [],
    allProperties: false,
    ...(unconfigured === undefined ? {} : { unconfigured }),
    ...(problems === undefined ? {} : { problems }),
    ...(processContext === undefined ? {} : { processContext }),
    ...(change === undefined ? {} : { change }),
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

/** What identifies the entities of a card, on one line. */
export function identityOfCard({ entityType, key }: Pick<CardContent, 'entityType' | 'key'>): readonly string[] {
  return [entityType, key].filter((part) => part !== undefined);
}

/** Lines that not all cards have. */
function ownLines(card: CardView): Pick<CardContent, TimeRole | 'entityType' | 'key' | 'activityColumn'> {
  const times = card.isMasterData ? {} : timesOf(card);
  if (card.dataObject === undefined) return times;
  const { entityType, key } = card.isMasterData ? card : card.values;
  const activityColumn = card.isMasterData ? undefined : card.values.activityColumn;
  const said = card.isMasterData ? card.name : card.dataObject;
  return {
    ...(entityType === undefined || entityType === said ? {} : { entityType }),
    ...(key === undefined ? {} : { key: key.join(', ') }),
    ...times,
    ...(activityColumn === undefined ? {} : { activityColumn }),
  };
}

function timesOf(card: ElementView): Pick<CardContent, TimeRole> {
  return Object.fromEntries(timeRoles.flatMap((role) => (card[role] === undefined ? [] : [[role, card[role]]])));
}

function fullContent(element: CardView, text: TextMetrics): CardContent {
  const { processContext, change } = element;
  const dataObject = objectLine(element);
  const own = ownLines(element);
  const name = cardName(element);
  const title = name ?? unnamedTitle(element);
  const shown = shownProblem(element);
  const counts = change ? undefined : element.imported;
  const imported = counts && importedText(counts);
  const icons = [shown?.problem, processContext, element.isMasterData].filter((each) => each !== undefined);
  const titleIcons = iconWidth * icons.length;
  const [times, identity] = [timesOfCard(own), identityOfCard(own)];
  const widthOf = (parts: readonly string[]): number =>
    parts.reduce((sum, part) => sum + text.width(part, 'normal') + iconWidth + 12, 0);
  const widths = [
    text.width(title, 'bold') + titleIcons,
    ...[dataObject, own.activityColumn, change?.text].map((line) => text.width(line ?? '', 'normal') + iconWidth),
    widthOf(times),
    widthOf(identity),
  ];
  const width = Math.ceil(Math.min(maxWidth, Math.max(minWidth, frame + Math.max(...widths))));
  const importedBeside = besideObject(counts, dataObject, width - frame - 2 * iconWidth, text);
  const ownLine = importedBeside === undefined ? imported : undefined;
  const properties = shortenProperties(element, width - frame - iconWidth, text);
  const activities = activitiesLine(own.activityColumn, counts, width - frame - iconWidth, text);
  const problemLines = shown === undefined ? 0 : countLines(wordsOf(shown), width - frame - iconWidth, text);
  const shownLines = [dataObject, identity[0], times[0], own.activityColumn, properties, ownLine, change?.text];
  const lines = 1 + shownLines.filter((line) => line !== undefined).length + problemLines;
  return {
    title,
    unnamed: name === undefined,
    ...(element.isMasterData ? { isMasterData: true } : {}),
    ...(dataObject === undefined ? {} : { dataObject }),
    ...own,
    ...(activities === undefined ? {} : { activities }),
    ...(properties === undefined ? {} : { properties }),
    ...(imported === undefined ? {} : { imported }),
    ...(importedBeside === undefined ? {} : { importedBeside }),
    ...(change === undefined ? {} : { change }),
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

/** The counts of the last import, or the first of them, where they have room in a width beside the data object. */
function besideObject(
  imported: CardView['imported'],
  dataObject: string | undefined,
  width: number,
  text: TextMetrics,
): string | undefined {
  if (!imported || dataObject === undefined) return undefined;
  const all = importedText(imported);
  const room = width - text.width(dataObject, 'normal') - gapBeside;
  return [all, all.split(' · ')[0] ?? all].find((shown) => text.width(shown, 'normal') <= room);
}

const gapBeside = 12;

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
  const fits = (line: string): boolean => text.width(line, 'normal') <= width;
  return fittingList(properties, properties.length, fits) ?? listNames(properties, 1, properties.length);
}

/** Behind the column, or in its place where not even one has room there. */
function activitiesLine(
  column: string | undefined,
  counts: CardView['imported'],
  width: number,
  text: TextMetrics,
): string | undefined {
  const { names = [], count = 0 } = counts?.activities ?? {};
  if (column === undefined || names.length === 0) return undefined;
  const fits = (line: string): boolean => text.width(line, 'normal') <= width;
  const behind = (list: string): string => t('{0}: {1}', column, list);
  const beside = fittingList(names, count, (list) => fits(behind(list)));
  return beside === undefined ? (fittingList(names, count, fits) ?? listNames(names, 1, count)) : behind(beside);
}

/** As many of these names as fit, and how many there are more; undefined where not even one fits. */
function fittingList(names: readonly string[], count: number, fits: (list: string) => boolean): string | undefined {
  for (let shown = names.length; shown > 0; shown -= 1) {
    const list = listNames(names, shown, count);
    if (fits(list)) return list;
  }
  return undefined;
}

/** The first names, and how many there are more. */
export function listNames(names: readonly string[], shown: number, count: number): string {
  return [...names.slice(0, shown), ...(count > shown ? [`+${count - shown}`] : [])].join(', ');
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
