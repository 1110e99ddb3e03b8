import { createReadStream } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import type { StoreReader } from '../store/duckdb-store.ts';
import { embeddedLiteral } from '../query/quote.ts';

/** A text file written sequentially. */
interface LinesFile {
  write(text: string): Promise<void>;
  /** Appends each row of a query with one text column as a line, printed by DuckDB without JavaScript values. */
  writeQuery(sql: string): Promise<void>;
}

const megabyte = 1 << 20;

/** Passes a file to `use`; resolves when everything is on disk. Rejects with the error of the disk or of DuckDB. */
export async function writeLinesFile(
  store: StoreReader,
  path: string,
  signal: AbortSignal,
  use: (file: LinesFile) => Promise<void>,
): Promise<void> {
  const output = await open(path, 'w');
  const parts = [`${path}.part1`, `${path}.part2`] as const;
  // One part is appended while DuckDB prints the next.
  let appending: Promise<void> = Promise.resolve();
  let printed = 0;
  try {
    await use({
      async write(text) {
        await appending;
        await output.appendFile(text);
      },
      async writeQuery(sql) {
        const part = parts[printed++ % 2] ?? parts[0];
        // Written as binary: DuckDB's CSV writer takes twice the time for the same text.
        const bytes = `SELECT encode(line || chr(10)) FROM (${sql}) AS lines(line)`;
        await store.run(`COPY (${bytes}) TO ${embeddedLiteral(part)} (FORMAT blob)`, { signal });
        await appending;
        appending = append(output, part);
        appending.catch(() => undefined); // Reported by the next write, or below.
      },
    });
    await appending;
    await output.sync();
  } finally {
    await appending.catch(() => undefined);
    await output.close();
    await Promise.all(parts.map((part) => rm(part, { force: true })));
  }
}

async function append(output: FileHandle, part: string): Promise<void> {
  for await (const chunk of createReadStream(part, { highWaterMark: megabyte })) {
    await writeWhole(output, chunk as Buffer);
  }
}

async function writeWhole(output: FileHandle, chunk: Buffer): Promise<void> {
  for (let from = 0; from < chunk.length;) from += (await output.write(chunk, from)).bytesWritten;
}
