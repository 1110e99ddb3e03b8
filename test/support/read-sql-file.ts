import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';

/** The text of an SQL script, plain or `.gz`. */
export async function readSqlFile(path: string): Promise<string> {
  const bytes = await readFile(path);
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
}
