import type { EntityAction, EntityRow, ListFailure } from '../../../protocol/entities-table.ts';
import { t } from '../ui/translate.ts';
import type { DroppedFiles } from './dropped-files.ts';

/** In the order in which they are shown. */
export const columns = ['name', 'dataSource', 'status', 'progress', 'created', 'modified', 'imported'] as const;
/** Shown where they are chosen, after the others. */
export const moreColumns = ['folder', 'events', 'rules', 'duration', 'size'] as const;
export type MoreColumn = (typeof moreColumns)[number];
export type Column = (typeof columns)[number] | MoreColumn;

export interface Sort {
  readonly column: Column;
  readonly descending: boolean;
}

export interface EntitiesState {
  /** Absent until the extension has sent the list. */
  readonly rows?: readonly EntityRow[];
  /** Why the list may be incomplete. */
  readonly failures: readonly ListFailure[];
  readonly trusted: boolean;
  /** The rows are those of an earlier run, until the server has answered. */
  readonly isEarlier: boolean;
  readonly sort: Sort;
  readonly filter: string;
  /** URI of the row with the tab stop. */
  readonly active?: string;
  readonly menu?: { readonly uri: string; readonly at: { readonly x: number; readonly y: number } };
  /** Chosen columns, in the order of `moreColumns`. */
  readonly chosen: readonly MoreColumn[];
  /** Position of the menu that chooses columns. */
  readonly columnMenu?: { readonly x: number; readonly y: number };
  /** Files are being dragged over the table. */
  readonly isDropTarget: boolean;
  /** Scroll position and height in pixels. */
  readonly scrollTop: number;
  readonly height: number;
}

/** State kept while the table is hidden. */
export type SavedState = Pick<EntitiesState, 'sort' | 'filter' | 'chosen'>;

export const firstState: EntitiesState = {
  failures: [],
  trusted: true,
  isEarlier: false,
  sort: { column: 'name', descending: false },
  filter: '',
  chosen: [],
  isDropTarget: false,
  scrollTop: 0,
  height: 0,
};

/** User actions in the table. */
export interface EntitiesActions {
  sortBy(column: Column): void;
  filterBy(text: string): void;
  activate(uri: string): void;
  act(action: EntityAction, uri?: string): void;
  openMenu(uri: string, at: { readonly x: number; readonly y: number }): void;
  openColumnMenu(at: { readonly x: number; readonly y: number }): void;
  /** Shows or hides a column. */
  toggleColumn(column: MoreColumn): void;
  closeMenu(): void;
  /** Shows why a graph was not or cannot be imported. */
  explain(uri: string): void;
  dropping(isDropTarget: boolean): void;
  drop(files: DroppedFiles): void;
  scrolled(scrollTop: number, height: number): void;
}

const statusTitles: Readonly<Record<EntityRow['status'], string>> = {
  Imported: t('Imported'),
  'Not Imported': t('Not Imported'),
};

/** The status in words. */
export function statusWords({ status, modifiedSinceImport, keptRows, slice, problem }: EntityRow): string {
  const isImported = status === 'Imported';
  // Problems come first, because narrow columns cut the end; the dot shows the status too.
  if (problem?.code === 'yaml-syntax') {
    return isImported ? t('Broken text · Imported') : t('Broken text · Not Imported');
  }
  if (problem) return isImported ? t('No data source · Imported') : t('No data source · Not Imported');
  const kept = keptRows?.map(({ dataSource }) => dataSource).join(', ');
  if (modifiedSinceImport && kept) return t('Imported, modified since import, with kept rows of {0}', kept);
  if (slice) {
    if (modifiedSinceImport) return t('Sample imported, modified since import');
    return slice.sample === undefined ? t('Part imported') : t('Sample imported');
  }
  if (modifiedSinceImport) return t('Imported, modified since import');
  if (kept) return t('Imported, with kept rows of {0}', kept);
  return statusTitles[status];
}

/** The status as a badge: a graph is imported or not; a problem or a modification is added. */
export function statusKind({ status, modifiedSinceImport }: EntityRow): 'not-imported' | 'imported' | 'modified' {
  if (status === 'Not Imported') return 'not-imported';
  return modifiedSinceImport ? 'modified' : 'imported';
}

/** Why the last import failed, or why the next one would. Undefined when there is nothing to explain. */
export function failureReason(row: EntityRow): string | undefined {
  if (row.running) return undefined;
  return lastFailure(row) ?? (row.problem && problemText(row.problem));
}

/** Why the last import ended without a new graph; undefined if it succeeded, was cancelled, or never ran. */
export function lastFailure({ hasFailed, progress }: EntityRow): string | undefined {
  return hasFailed && progress !== null ? progress : undefined;
}

/** Why a graph cannot be imported, with a remedy. */
export function problemText({ message, remedy }: NonNullable<EntityRow['problem']>): string {
  return [message, remedy].filter((part) => part !== undefined).join(' ');
}
