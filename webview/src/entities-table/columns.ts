import { type TemplateResult, html } from 'lit';
import type { EntityRow } from '../../../protocol/entities-table.ts';
import { t } from '../ui/translate.ts';
import { drawName, drawProgress, drawStatus, drawTime } from './cells.ts';
import { type Column, type EntitiesActions, problemText, statusWords } from './entities-state.ts';

/** Definition of a column. */
type EntityColumn = {
  readonly title: string;
  cell(row: EntityRow, actions: EntitiesActions): TemplateResult;
  /** The sort key of a row; missing values come first. */
  sortText(row: EntityRow): string;
  /** The first click sorts the latest first. */
  readonly latestFirst?: true;
} & (
  | { readonly widths: Widths<string>; readonly className?: never }
  /** Hidden by its class where it has no width. */
  | { readonly widths: Widths<string | undefined>; readonly className: string }
);

/** CSS widths, one for each of `rooms`. */
type Widths<Width> = PerRoom<typeof rooms, Width>;

type PerRoom<Rooms extends readonly unknown[], Width> = { readonly [Index in keyof Rooms]: Width };

/** Layouts by the width of the view in pixels, the widest first: maximum width, minimum width of the table, width of its actions. */
export const rooms = [
  { upTo: Infinity, minWidth: 1166, actions: '216px' },
  { upTo: 1165, minWidth: 956, actions: '116px' },
  { upTo: 955, minWidth: 744, actions: '116px' },
  { upTo: 743, minWidth: 580, actions: '116px' },
  { upTo: 579, minWidth: 538, actions: '116px' },
  { upTo: 537, minWidth: 420, actions: '116px' },
  { upTo: 419, minWidth: 310, actions: '34px' },
] as const;

const hidden = undefined;

/** The columns. The least important ones are hidden first; name, status and progress never are. */
export const entityColumns: Readonly<Record<Column, EntityColumn>> = {
  name: {
    title: t('Name'),
    widths: [
      'minmax(150px, 4fr)',
      'minmax(128px, 4fr)',
      'minmax(140px, 4fr)',
      'minmax(112px, 4fr)',
      'minmax(80px, 3fr)',
      'minmax(76px, 3fr)',
      'minmax(72px, 2fr)',
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
      'minmax(168px, 1.2fr)',
      'minmax(178px, 1.2fr)',
      'minmax(158px, 1.2fr)',
      'minmax(150px, 1.6fr)',
      'minmax(146px, 1fr)',
      'minmax(146px, 1fr)',
      '128px',
    ],
    cell: (row) => html`<div class="cell" role="gridcell">${drawStatus(row)}</div>`,
    sortText: statusWords,
  },
  progress: {
    title: t('Progress'),
    widths: [
      'minmax(140px, 2fr)',
      'minmax(100px, 2fr)',
      'minmax(112px, 2fr)',
      'minmax(92px, 2fr)',
      'minmax(86px, 2fr)',
      'minmax(82px, 2fr)',
      'minmax(76px, 1.4fr)',
    ],
    cell: (row, actions) => html`<div class="cell" role="gridcell">${drawProgress(row, actions)}</div>`,
    sortText: ({ running, progress }) => running?.step ?? progress ?? '',
  },
  created: {
    title: t('Created'),
    className: 'created',
    widths: ['minmax(112px, 1fr)', 'minmax(108px, 1fr)', hidden, hidden, hidden, hidden, hidden],
    cell: ({ created }) => drawTime(created, 'created'),
    sortText: ({ created }) => created,
    latestFirst: true,
  },
  modified: {
    title: t('Modified'),
    className: 'modified-time',
    widths: ['minmax(112px, 1fr)', 'minmax(108px, 1fr)', hidden, hidden, hidden, hidden, hidden],
    cell: ({ modified }) => drawTime(modified, 'modified-time'),
    sortText: ({ modified }) => modified,
    latestFirst: true,
  },
  imported: {
    title: t('Imported'),
    className: 'imported-time',
    widths: ['minmax(112px, 1fr)', 'minmax(108px, 1fr)', 'minmax(108px, 1fr)', hidden, hidden, hidden, hidden],
    cell: ({ imported }) => drawTime(imported, 'imported-time'),
    sortText: ({ imported }) => imported ?? '',
    latestFirst: true,
  },
};
