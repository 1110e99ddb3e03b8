import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';

const [newline, carriageReturn] = [10, 13];

/**
 * The line of a text file on which its `record`-th record starts, both 1-based. DuckDB counts records (and blank
 * lines), editors count lines; they differ when quoted fields contain line breaks. Falls back to `record` for an
 * unreadable file.
 */
export async function physicalLine(
  path: string,
  record: number,
  { quote, gzip }: { readonly quote: string; readonly gzip: boolean },
): Promise<number> {
  const quoteByte = quote === '' ? -1 : quote.charCodeAt(0);
  let [line, recordsSeen, quoted, previous] = [1, 1, false, 0];
  let found: number | undefined = record <= 1 ? 1 : undefined;
  const count = async (chunks: AsyncIterable<Buffer>): Promise<void> => {
    for await (const chunk of chunks) {
      for (const byte of chunk) {
        // A doubled quote closes and opens again, with the same effect.
        if (byte === quoteByte) quoted = !quoted;
        const isBreak = byte === newline || (previous === carriageReturn && byte !== newline);
        previous = byte;
        if (byte === carriageReturn || !isBreak) continue;
        line += 1;
        if (!quoted) recordsSeen += 1;
        if (recordsSeen === record) {
          found = line;
          return;
        }
      }
    }
  };
  const file = createReadStream(path);
  const work = gzip ? pipeline(file, createGunzip(), count) : pipeline(file, count);
  await work.catch(() => undefined);
  return found ?? record;
}
