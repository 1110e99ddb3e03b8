import { l10n } from 'vscode';
import type { DataObjectView } from '../../protocol/canvas-intents.ts';

/** Short facts about a data object. */
export function objectFacts({
  kind,
  columnCount,
  rowEstimate,
  dataSize,
  lastAnalyzed,
  key,
  comment,
}: DataObjectView): readonly string[] {
  return [
    kind,
    l10n.t('{0} columns', columnCount),
    ...(rowEstimate === undefined ? [] : [l10n.t('about {0} rows', rowEstimate.toLocaleString())]),
    ...(dataSize === undefined ? [] : [sizeText(dataSize)]),
    key.length > 0 ? l10n.t('key: {0}', key.join(', ')) : l10n.t('no key'),
    ...(lastAnalyzed === undefined ? [] : [l10n.t('analysed {0}', new Date(lastAnalyzed).toLocaleString())]),
    ...(comment === undefined ? [] : [comment]),
  ];
}

/** Formats a size in a suitable unit. */
export function sizeText(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${(bytes / 1000 ** power).toLocaleString(undefined, { maximumFractionDigits: 1 })} ${units[power]}`;
}
