import { type TemplateResult, html } from 'lit';
import { durationText } from '../../../protocol/duration-text.ts';
import type { EntityRow } from '../../../protocol/entities-table.ts';
import { sizeText } from '../canvas/object-facts.ts';
import { t } from '../ui/translate.ts';
import { drawName, drawProgress, drawStatus, drawTime } from './cells.ts';
import { type Column, type EntitiesActions, type MoreColumn, problemText, statusWords } from './entities-state.ts';

/** Definition of a column. */
interface ColumnContent {
  readonly title: string;
  cell(row: EntityRow, actions: EntitiesActions): TemplateResult;
  /** The sort key of a row; missing values come first. */
  sortText(row: EntityRow): string;
  /** The first click sorts the latest or largest first. */
  readonly latestFirst?: true;
}

type EntityColumn = ColumnContent &
  (
    | { readonly widths: Widths<string>; readonly className?: never }
    /** Hidden by its class where it has no width. */
    | { readonly widths: Widths<string | undefined>; readonly className: string }
  );

/** CSS widths, one for each of `rooms`. */
type Widths<Width> = PerRoom<typeof rooms, Width>;

type PerRoom<Rooms extends readonly unknown[], Width> = { readonly [Index in keyof Rooms]: Width };

/** Layouts by the width that chosen columns leave of the view in pixels, the widest first. */
export const rooms = [
  { upTo: Infinity, actions: '216px' },
  { upTo: 1245, actions: '116px' },
  { upTo: 955, actions: '116px' },
  { upTo: 743, actions: '116px' },
  { upTo: 579, actions: '116px' },
  { upTo: 537, actions: '116px' },
  { upTo: 419, actions: '34px' },
  // Beside chosen columns, in place of the third one, and of the two below.
  { upTo: 955, actions: '116px' },
  { upTo: 743, actions: '34px' },
] as const;

/** The layouts by width, without and beside chosen columns, which give the room of others to progress first. */
export const layouts = { alone: [0, 1, 2, 3, 4, 5, 6], besideChosen: [0, 1, 7, 8, 5, 6] } as const;

/** The least width of a column, from its CSS. */
export function leastWidth(css: string): number {
  return Number(/(\d+)px/.exec(css)?.[1]);
}

const hidden = undefined;

/** The columns. The least important ones are hidden first; name, status and progress never are. */
export const entityColumns: Readonly<Record<Exclude<Column, MoreColumn>, EntityColumn>> = {
  name: {
    title: t('Name'),
    widths: [
      'minmax(150px, 3fr)',
      'minmax(128px, 3fr)',
      'minmax(140px, 2fr)',
      'minmax(112px, 3fr)',
      'minmax(80px, 3fr)',
      'minmax(76px, 3fr)',
      'minmax(72px, 2fr)',
      'minmax(80px, 3fr)',
      'minmax(80px, 1fr)',
    ],
    cell(row) {
      const { name, path, problem } = row;
      const details = [name, path, ...(problem ? [problemText(problem)] : [])].join('\n');
      return html`<div class="cell name" role="gridcell" title=${details}>${drawName(row)}</div>`;
    },
    sortText: ({ name }) => name,
  },
  dataSource: {
    title: t('Data Source'),
    className: 'source',
    widths: [
      'minmax(112px, 1fr)',
      'minmax(110px, 1fr)',
      'minmax(110px, 1fr)',
      'minmax(110px, 1fr)',
      'minmax(110px, 1fr)',
      hidden,
      hidden,
      'minmax(110px, 1fr)',
      hidden,
    ],
    cell({ dataSources }) {
      const sources = dataSources.join(', ');
      return html`<div class="cell clip source" role="gridcell" title=${sources}>${sources}</div>`;
    },
    sortText: ({ dataSource }) => dataSource ?? '',
  },
  status: {
    title: t('Status'),
    widths: [
      'minmax(192px, 0.6fr)',
      'minmax(186px, 0.4fr)',
      'minmax(158px, 0.6fr)',
      'minmax(150px, 1.6fr)',
      'minmax(146px, 1fr)',
      'minmax(146px, 1fr)',
      '128px',
      'minmax(186px, 0.4fr)',
      'minmax(186px, 0.4fr)',
    ],
    cell: (row) => html`<div class="cell" role="gridcell">${drawStatus(row)}</div>`,
    sortText: statusWords,
  },
  progress: {
    title: t('Progress'),
    widths: [
      'minmax(240px, 5fr)',
      'minmax(240px, 5fr)',
      'minmax(112px, 4fr)',
      'minmax(92px, 3fr)',
      'minmax(86px, 2fr)',
      'minmax(82px, 2fr)',
      'minmax(76px, 1.4fr)',
      'minmax(236px, 5fr)',
      'minmax(236px, 5fr)',
    ],
    cell: (row, actions) => html`<div class="cell" role="gridcell">${drawProgress(row, actions)}</div>`,
    sortText: ({ running, progress }) => running?.step ?? progress ?? '',
  },
  created: {
    title: t('Created'),
    className: 'created',
    widths: ['112px', hidden, hidden, hidden, hidden, hidden, hidden, hidden, hidden],
    cell: ({ created }) => drawTime(created, 'created'),
    sortText: ({ created }) => created,
    latestFirst: true,
  },
  modified: {
    title: t('Modified'),
    className: 'modified-time',
    widths: ['112px', hidden, hidden, hidden, hidden, hidden, hidden, hidden, hidden],
    cell: ({ modified }) => drawTime(modified, 'modified-time'),
    sortText: ({ modified }) => modified,
    latestFirst: true,
  },
  imported: {
    title: t('Imported'),
    className: 'imported-time',
    widths: ['112px', '108px', '108px', hidden, hidden, hidden, hidden, hidden, hidden],
    cell: ({ imported }) => drawTime(imported, 'imported-time'),
    sortText: ({ imported }) => imported ?? '',
    latestFirst: true,
  },
};

/** Columns that can be chosen, with their widths as CSS. */
export const chosenColumns: Readonly<Record<MoreColumn, ColumnContent & { readonly width: string }>> = {
  folder: {
    title: t('Folder'),
    width: 'minmax(84px, 1fr)',
    cell: (row) => html`<div class="cell clip" role="gridcell" title=${folderOf(row)}>${folderOf(row)}</div>`,
    sortText: folderOf,
  },
  events: {
    title: t('Events'),
    width: '84px',
    cell: ({ lastImport }) => drawNumber(lastImport?.events.toLocaleString()),
    sortText: ({ lastImport }) => String(lastImport?.events ?? ''),
    latestFirst: true,
  },
  rules: {
    title: t('Rules Kept'),
    width: '104px',
    cell: ({ lastImport }) =>
      drawNumber(lastImport?.rules && t('{0} of {1}', lastImport.rules.kept, lastImport.rules.all)),
    sortText: ({ lastImport }) => (lastImport?.rules ? String(lastImport.rules.kept - lastImport.rules.all + 1e6) : ''),
  },
  duration: {
    title: t('Import Took'),
    width: '108px',
    cell: ({ lastImport }) =>
      drawNumber(lastImport?.durationMs === undefined ? undefined : durationText(lastImport.durationMs)),
    sortText: ({ lastImport }) => String(lastImport?.durationMs ?? ''),
    latestFirst: true,
  },
  size: {
    title: t('Size'),
    width: '80px',
    cell: ({ lastImport }) => drawNumber(lastImport?.bytes === undefined ? undefined : sizeText(lastImport.bytes)),
    sortText: ({ lastImport }) => String(lastImport?.bytes ?? ''),
    latestFirst: true,
  },
};

function folderOf({ path }: EntityRow): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
}

function drawNumber(text = ''): TemplateResult {
  return html`<div class="cell clip number" role="gridcell" title=${text}>${text}</div>`;
}

/** The content of any column. */
export function columnContent(column: Column): ColumnContent {
  return column in chosenColumns
    ? chosenColumns[column as MoreColumn]
    : entityColumns[column as keyof typeof entityColumns];
}
