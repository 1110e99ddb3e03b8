import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openScratch } from '../../server/src/store/duckdb-store.ts';

/** Writes Parquet files, by their path below `folder`: the rows of a query each. */
export async function writeParquet(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  const session = await openScratch();
  try {
    for (const [name, sql] of Object.entries(files)) {
      const path = join(folder, name);
      mkdirSync(dirname(path), { recursive: true });
      await session.run(`COPY (${sql}) TO '${path.replaceAll("'", "''")}' (FORMAT parquet)`);
    }
  } finally {
    await session.close();
  }
}
