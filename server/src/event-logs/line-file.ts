import { appendFile, rm, writeFile } from 'node:fs/promises';
import { duckdb } from '../dialects/duckdb.ts';

/** A temporary file of JSON lines. */
export interface LineFile {
  write(line: string | Buffer): Promise<void>;
  /** Writes many lines, which is faster than one at a time. */
  writeAll(lines: readonly string[]): Promise<void>;
  close(): Promise<void>;
  /** SQL of a table function that reads it with columns, a DuckDB struct of names and types. */
  readSql(columns: string): string;
  /** SQL of a table function that reads its objects unparsed, in a column `json`. */
  readObjectsSql(): string;
  remove(): Promise<void>;
}

const bufferBytes = 1 << 20;
const smallestObjectSize = 16 << 20;

export async function createLineFile(path: string): Promise<LineFile> {
  await writeFile(path, '');
  let parts: Buffer[] = [];
  let bytes = 0;
  let longest = 0;
  const flush = async (): Promise<void> => {
    // Opened for each write only, so that an aborted check leaves no open file.
    if (bytes > 0) await appendFile(path, Buffer.concat(parts));
    parts = [];
    bytes = 0;
  };
  const options = (): string => {
    const size = Math.max(smallestObjectSize, longest + 1024);
    return `${duckdb.literals.quote(path)}, format = 'newline_delimited', maximum_object_size = ${size}`;
  };
  const newline = Buffer.from('\n');
  return {
    async write(line) {
      const buffer = typeof line === 'string' ? Buffer.from(line) : line;
      parts.push(buffer, newline);
      bytes += buffer.length + 1;
      longest = Math.max(longest, buffer.length);
      if (bytes >= bufferBytes) await flush();
    },
    async writeAll(lines) {
      if (lines.length === 0) return;
      const buffer = Buffer.from(`${lines.join('\n')}\n`);
      parts.push(buffer);
      bytes += buffer.length;
      // A character takes up to three bytes.
      for (const line of lines) longest = Math.max(longest, line.length * 3);
      if (bytes >= bufferBytes) await flush();
    },
    close: flush,
    readSql: (columns) => `read_json(${options()}, columns = ${columns})`,
    readObjectsSql: () => `read_json_objects(${options()})`,
    remove: () => rm(path, { force: true }),
  };
}
