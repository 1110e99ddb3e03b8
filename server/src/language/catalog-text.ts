import type { Column, DataObject } from '../catalog/catalog.ts';

const number = new Intl.NumberFormat('en-US');

/** One line about a data object, such as `table · 12 columns · about 6,000 rows`. */
export function objectDetail({ kind, statistics }: DataObject): string {
  const { columnCount, rowEstimate } = statistics;
  return [
    kind,
    `${number.format(columnCount)} ${columnCount === 1 ? 'column' : 'columns'}`,
    ...(rowEstimate === undefined ? [] : [`about ${number.format(rowEstimate)} rows`]),
  ].join(' · ');
}

/** Everything that the catalog says about a data object, as Markdown. */
export function objectMarkdown(object: DataObject): string {
  const { name, comment, statistics, primaryKey, file } = object;
  const { dataSize, lastAnalyzed } = statistics;
  const facts = [
    ...(dataSize === undefined ? [] : [`Size: ${byteText(dataSize)}`]),
    ...(primaryKey.length > 0 ? [`Key: ${primaryKey.map(code).join(', ')}`] : []),
    ...(lastAnalyzed === undefined ? [] : [`Last analysed: ${lastAnalyzed}`]),
    ...(file === undefined ? [] : [`File: ${code(file)}`]),
  ];
  return [
    `**${escapeMarkdown(name)}** — ${objectDetail(object)}`,
    ...(comment ? [escapeMarkdown(comment)] : []),
    facts.join('  \n'),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** One line about a column, such as `timestamp · key · not null`. */
export function columnDetail({ type, primaryKey, nullable, references }: Column): string {
  return [
    type,
    ...(primaryKey ? ['key'] : []),
    ...(nullable ? [] : ['not null']),
    ...(references ? [`→ ${references.dataObject}`] : []),
  ].join(' · ');
}

/** Everything that the catalog says about a column, as Markdown. */
export function columnMarkdown(column: Column): string {
  const { name, comment, nullShare, distinctEstimate, references, values = [], samples = [] } = column;
  const facts = [
    ...(references ? [`References ${code(`${references.dataObject}.${references.column}`)}`] : []),
    ...(nullShare === undefined
      ? []
      : [`Missing in ${(nullShare * 100).toFixed(nullShare > 0 && nullShare < 0.01 ? 2 : 0)} % of rows`]),
    ...(distinctEstimate === undefined ? [] : [`About ${number.format(distinctEstimate)} distinct values`]),
    ...(values.length === 0 ? [] : [`Values: ${valuesText(values)}`]),
    ...(values.length > 0 || samples.length === 0 ? [] : [`Such as ${samples.map(code).join(', ')}`]),
  ];
  return [
    `**${escapeMarkdown(name)}** — ${escapeMarkdown(columnDetail(column))}`,
    ...(comment ? [escapeMarkdown(comment)] : []),
    facts.join('  \n'),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

const mostValues = 12;

function valuesText(values: NonNullable<Column['values']>): string {
  const shown = values
    .slice(0, mostValues)
    .map(({ value, label }) => [code(value), ...(label === undefined ? [] : [escapeMarkdown(label)])].join(' '));
  return [...shown, ...(values.length > mostValues ? ['…'] : [])].join(', ');
}

function code(text: string): string {
  return `\`${text.replaceAll('`', "'")}\``;
}

/** Names and comments come from the source: they must not turn into Markdown. */
export function escapeMarkdown(text: string): string {
  return text.replaceAll(/[\\`*_{}[\]<>()#+!|~-]/g, '\\$&');
}

function byteText(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  const power = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${(bytes / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power] ?? ''}`;
}
