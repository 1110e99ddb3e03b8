import { SourceError } from '../source-error.ts';
import { guessEncoding } from './encodings.ts';
import type { FileSample } from './read-sample.ts';

/** Binary formats by their first bytes, with name and remedy. */
const signatures: readonly (readonly [bytes: readonly number[], what: string, remedy: string])[] = [
  [
    [0x50, 0x4b, 0x03, 0x04],
    'a zip archive or an Excel workbook',
    'Save the workbook as .xlsx, or unpack the archive, and use that file.',
  ],
  [[0xd0, 0xcf, 0x11, 0xe0], 'an old Excel workbook', 'Save it as .xlsx and use that file.'],
  [[0x1f, 0x8b], 'compressed with gzip', 'Let its name end in .csv.gz.'],
  [[0x50, 0x41, 0x52, 0x31], 'a Parquet file', 'Let its name end in .parquet.'],
  [[0x25, 0x50, 0x44, 0x46], 'a PDF document', 'Export the data as CSV and use that file.'],
  [[0x53, 0x51, 0x4c, 0x69, 0x74, 0x65], 'an SQLite database', 'Export the table as CSV and use that file.'],
];

/** Throws `source-empty` for an empty file, `file-malformed` for a binary one. */
export function checkContent(path: string, sample: FileSample, isUtf16: boolean): void {
  const remedy = 'Export the file again; a file without rows needs at least its header line.';
  if (sample.whole && isBlank(sample.bytes)) throw emptyFile(path, 'is empty', remedy);
  checkText(path, sample.bytes, isUtf16);
}

/** The error of a file without records, of which nothing is known. */
export function emptyFile(path: string, said: string, remedy = 'Export the file again.'): SourceError {
  return new SourceError('source-empty', `${path} ${said}.`, { file: path, remedy });
}

function checkText(path: string, bytes: Buffer, isUtf16: boolean): void {
  const known = signatures.find(([magic]) => magic.every((byte, index) => bytes[index] === byte));
  if (known) throw notText(path, `is ${known[1]}, not a text file`, known[2]);
  const zero = isUtf16 ? -1 : bytes.indexOf(0);
  if (zero < 0) return;
  throw notText(
    path,
    `holds binary data (a NUL at byte ${zero + 1}), it is not a text file`,
    'Export the data as CSV; if it is text in UTF-16 without byte order mark, set encoding to utf-16.',
    'Correct the file: CSV is text, best in UTF-8.',
  );
}

/** Like `checkContent`, for JSON, which is UTF-8. */
export function checkJsonContent(path: string, sample: FileSample): void {
  if (guessEncoding(sample.bytes).name.startsWith('utf-16')) {
    throw notText(path, 'is in UTF-16, and JSON is read as UTF-8', 'Save it as UTF-8.');
  }
  if (sample.whole && isBlank(sample.bytes)) throw emptyFile(path, 'is empty');
  checkText(path, sample.bytes, false);
}

function notText(path: string, what: string, remedy: string, remedyOfFile = remedy): SourceError {
  return new SourceError('file-malformed', `${path} ${what}.`, { file: path, remedy, remedyOfFile });
}

function isBlank(bytes: Buffer): boolean {
  return bytes.length < 65_536 && /^[\s\ufeff\0]*$/.test(bytes.toString('utf8')) && !bytes.includes(0);
}
