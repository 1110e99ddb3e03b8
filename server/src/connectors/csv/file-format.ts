import { basename } from 'node:path';

/** File format by extension. */
export interface FileFormat {
  readonly kind: 'csv' | 'parquet' | 'json' | 'workbook';
  readonly gzip: boolean;
  /** One JSON value per line. */
  readonly lines: boolean;
  /** The format of the extension, if it determines one. */
  readonly delimiter?: string;
}

const csv: FileFormat = { kind: 'csv', gzip: false, lines: false };

/** Known extensions; files with others are read as CSV. */
const extensions: readonly (readonly [string, FileFormat])[] = [
  ['.csv.gz', { ...csv, gzip: true }],
  ['.tsv.gz', { ...csv, gzip: true, delimiter: '\t' }],
  ['.csv', csv],
  ['.tsv', { ...csv, delimiter: '\t' }],
  ['.parquet', { kind: 'parquet', gzip: false, lines: false }],
  ['.xlsx', { kind: 'workbook', gzip: false, lines: false }],
  ['.xlsm', { kind: 'workbook', gzip: false, lines: false }],
  ['.json.gz', { kind: 'json', gzip: true, lines: false }],
  ['.jsonl.gz', { kind: 'json', gzip: true, lines: true }],
  ['.ndjson.gz', { kind: 'json', gzip: true, lines: true }],
  ['.json', { kind: 'json', gzip: false, lines: false }],
  ['.jsonl', { kind: 'json', gzip: false, lines: true }],
  ['.ndjson', { kind: 'json', gzip: false, lines: true }],
];

/** Format and data object name of a file: the base name without extension. */
export function fileFormat(path: string): { readonly objectName: string; readonly format: FileFormat } {
  const base = basename(path);
  const known = extensions.find(
    ([extension]) => base.toLowerCase().endsWith(extension) && base.length > extension.length,
  );
  if (known) return { objectName: base.slice(0, -known[0].length), format: known[1] };
  const gzip = /\.gz$/i.test(base);
  const plain = gzip ? base.slice(0, -3) : base;
  return { objectName: plain.replace(/(.)\.[^.]*$/, '$1') || plain, format: { ...csv, gzip } };
}

/** Excel writes one beside each workbook that is open, with the name of its user. */
export function isOwnerFile(path: string): boolean {
  return /^~\$.*\.xls[xm]$/i.test(basename(path));
}

/** Whether a file is delimited text. */
export function isDelimited({ kind }: FileFormat): boolean {
  return kind === 'csv';
}
