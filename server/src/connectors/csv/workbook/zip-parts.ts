import { open } from 'node:fs/promises';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { fileReadError } from '../../file-read-error.ts';
import { SourceError } from '../../source-error.ts';
import { crc32 } from './crc32.ts';

/** The parts of a workbook, which is a zip archive. */
export interface ZipParts {
  readonly entries: ZipEntries;
  has(name: string): boolean;
  /** The bytes of a part, in pieces. Rejects with `file-malformed` for one that is missing, damaged or larger than `limit` bytes. */
  read(name: string, limit?: number): AsyncIterable<Buffer>;
}

const maxUnpacked = 2 * 1024 ** 3;
/** Each sheet has one or two. */
const maxParts = 50_000;

/** The directory of an archive, by names of parts. */
export type ZipEntries = ReadonlyMap<string, Entry>;

export interface ZipOptions {
  readonly signal?: AbortSignal | undefined;
  /** The directory of this version of the file, which takes a while to read. */
  readonly entries?: ZipEntries | undefined;
  /** Bytes of all XML parts, unpacked. */
  readonly limit?: number | undefined;
}

/** Opens a workbook for `use`. Rejects with a `SourceError` that names the file, for encrypted ones and old formats, too. */
export async function withZipParts<T>(
  path: string,
  use: (parts: ZipParts) => Promise<T>,
  { signal, entries, limit = maxUnpacked }: ZipOptions,
): Promise<T> {
  try {
    if (!entries) await checkSignature(path);
    const zip = await openPromise(path, { autoClose: false });
    try {
      return await use(partsOf(path, zip, entries ?? (await entriesOf(path, zip, limit))));
    } finally {
      zip.close();
    }
  } catch (error) {
    throw signal?.aborted ? signal.reason : workbookError(path, error);
  }
}

/** Adds the name of the file: errors of the archive and of XML only name the mistake. */
function workbookError(path: string, error: unknown): unknown {
  const known = fileReadError(path, error);
  if (known !== error || !(error instanceof Error) || error instanceof SourceError) {
    return known;
  }
  return malformed(path, error.message, error);
}

function malformed(path: string, what: string, cause?: unknown): SourceError {
  return new SourceError('file-malformed', `${path} is damaged, or no Excel workbook: ${what.replace(/\.$/, '')}.`, {
    file: path,
    remedy: 'Save the workbook again as .xlsx, or export it again.',
    cause,
  });
}

async function entriesOf(path: string, zip: ZipFile, limit: number): Promise<ZipEntries> {
  const entries = new Map<string, Entry>();
  let size = 0;
  for await (const entry of zip.eachEntry()) {
    if (entries.size >= maxParts) throw malformed(path, `it has more than ${maxParts} parts`);
    entries.set(partName(entry.fileName), entry);
    if (/\.(xml|rels)$/i.test(entry.fileName)) size += entry.uncompressedSize;
  }
  if (size <= limit) return entries;
  throw new SourceError('file-malformed', `${path} is too large: unpacked, it has more than ${limit} bytes.`, {
    file: path,
    remedy: 'Save the sheet as CSV and use that file.',
  });
}

/** Names of parts do not distinguish cases. */
function partName(name: string): string {
  return name.toLowerCase();
}

function partsOf(path: string, zip: ZipFile, entries: ZipEntries): ZipParts {
  return {
    entries,
    has: (name) => entries.has(partName(name)),
    async *read(name, limit = Infinity) {
      const entry = entries.get(partName(name));
      if (!entry) throw malformed(path, `it has no part ${name}`);
      if (entry.uncompressedSize > limit) throw malformed(path, `the part ${name} has more than ${limit} bytes`);
      const stream = await zip.openReadStreamPromise(entry).catch((error: unknown) => {
        throw partError(path, name, error);
      });
      // The archive's reader ends a part that is longer than its entry says.
      let sum = 0;
      try {
        for await (const piece of stream as AsyncIterable<Buffer>) {
          sum = crc32(piece, sum);
          yield piece;
        }
      } catch (error) {
        throw partError(path, name, error);
      } finally {
        stream.destroy();
      }
      if (sum !== entry.crc32) throw malformed(path, `the part ${name} has another checksum than the archive says`);
    },
  };
}

function partError(path: string, name: string, error: unknown): unknown {
  const message = error instanceof Error ? error.message : String(error);
  return malformed(path, `the part ${name} cannot be read (${message})`, error);
}

const compoundFile = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);

/** Rejects for a file that is no zip archive. */
async function checkSignature(path: string): Promise<void> {
  const file = await open(path);
  try {
    const { buffer: head, bytesRead } = await file.read(Buffer.alloc(512), 0, 512, 0);
    if (bytesRead === 0) {
      throw new SourceError('source-empty', `${path} is empty.`, { file: path, remedy: 'Export the file again.' });
    }
    if (head.subarray(0, 8).equals(compoundFile)) {
      // The directory of a compound file is in the sector that its header names.
      const start = (head.readUInt32LE(48) + 1) * 2 ** head.readUInt16LE(30);
      const { buffer: directory } = await file.read(Buffer.alloc(4096), 0, 4096, start);
      throw oldOrEncrypted(path, directory.includes(Buffer.from('EncryptedPackage', 'utf16le')));
    }
    if (head.subarray(0, 2).toString('latin1') !== 'PK') throw malformed(path, 'it is no zip archive');
  } finally {
    await file.close();
  }
}

function oldOrEncrypted(path: string, isEncrypted: boolean): SourceError {
  const what = isEncrypted ? 'is encrypted with a password' : 'is a workbook in the old format .xls';
  const remedy = isEncrypted
    ? 'Save a copy without password, and use that file.'
    : 'Save it as .xlsx, and use that file.';
  return new SourceError('file-malformed', `${path} ${what}, which cannot be read.`, { file: path, remedy });
}
