import type { Column, DataObject } from '../catalog/catalog.ts';
import { type Markdown, code, joined, lines, line, paragraphs, strong } from './markdown.ts';

/** Summary of a data object, such as `table · 12 columns · about 6,000 rows`. */
export function objectDetail({ kind, statistics }: DataObject): string {
  const { columnCount, rowEstimate } = statistics;
  return [
    kind,
    `${columnCount.toLocaleString('en-US')} ${columnCount === 1 ? 'column' : 'columns'}`,
    ...(rowEstimate === undefined ? [] : [`about ${rowEstimate.toLocaleString('en-US')} rows`]),
  ].join(' · ');
}

/** Everything in the catalog about a data object. */
export function objectMarkdown(object: DataObject): Markdown {
  const { name, comment, statistics, primaryKey, file } = object;
  const { dataSize, lastAnalyzed } = statistics;
  const facts = [
    ...(dataSize === undefined ? [] : [line`Size: ${byteText(dataSize)}`]),
    ...(primaryKey.length > 0 ? [line`Key: ${joined(primaryKey.map(code), ', ')}`] : []),
    ...(lastAnalyzed === undefined ? [] : [line`Last analysed: ${lastAnalyzed}`]),
    ...(file === undefined ? [] : [line`File: ${code(file)}`]),
  ];
  return paragraphs(
    line`${strong(name)} — ${objectDetail(object)}`,
    comment ? line`${comment}` : undefined,
    lines(facts),
  );
}

/** Maximum number of columns in a hover, which covers the text. */
const maxColumns = 20;

/** Everything in the catalog about a data object, with its first columns. */
export function objectWithColumnsMarkdown(object: DataObject): Markdown {
  const { columns } = object;
  const more = columns.length - maxColumns;
  return paragraphs(
    objectMarkdown(object),
    lines([
      ...columns.slice(0, maxColumns).map((column) => line`${code(column.name)} ${columnDetail(column)}`),
      ...(more > 0 ? [line`… and ${more.toLocaleString('en-US')} more ${more === 1 ? 'column' : 'columns'}`] : []),
    ]),
  );
}

/** Summary of a column, such as `timestamp · key · not null`. */
export function columnDetail({ type, primaryKey, nullable, references }: Column): string {
  return [
    type,
    ...(primaryKey ? ['key'] : []),
    ...(nullable ? [] : ['not null']),
    ...(references ? [`→ ${references.dataObject}`] : []),
  ].join(' · ');
}

/** Everything in the catalog about a column. */
export function columnMarkdown(column: Column): Markdown {
  const { name, comment, nullShare, distinctEstimate, references, values = [], samples = [] } = column;
  const facts = [
    ...(references ? [line`References ${code(`${references.dataObject}.${references.column}`)}`] : []),
    ...(nullShare === undefined
      ? []
      : [line`Missing in ${(nullShare * 100).toFixed(nullShare > 0 && nullShare < 0.01 ? 2 : 0)} % of rows`]),
    ...(distinctEstimate === undefined
      ? []
      : [line`About ${distinctEstimate.toLocaleString('en-US')} distinct values`]),
    ...(values.length === 0 ? [] : [line`Values: ${valuesText(values)}`]),
    ...(values.length > 0 || samples.length === 0 ? [] : [line`Such as ${joined(samples.map(code), ', ')}`]),
  ];
  return paragraphs(
    line`${strong(name)} — ${columnDetail(column)}`,
    comment ? line`${comment}` : undefined,
    lines(facts),
  );
}

const maxValues = 12;

function valuesText(values: NonNullable<Column['values']>): Markdown {
  const shown = values
    .slice(0, maxValues)
    .map(({ value, label }) => (label === undefined ? code(value) : line`${code(value)} ${label}`));
  return joined([...shown, ...(values.length > maxValues ? [line`…`] : [])], ', ');
}

function byteText(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  const power = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${(bytes / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power] ?? ''}`;
}
