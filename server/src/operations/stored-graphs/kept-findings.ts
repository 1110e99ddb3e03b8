import { lstat, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Finding } from '../../../../protocol/findings.ts';
import { finding } from '../../../../protocol/shapes/finding-shapes.ts';
import { type Checked, list, object, text } from '../../../../protocol/shapes/shape.ts';
import { version } from '../../../../package.json';
import { writeFileAtomic } from '../../files/write-atomic.ts';
import { findFindings } from '../../findings/find-findings.ts';
import type { StatementOptions, StoreReader } from '../../store/duckdb-store.ts';

/** Ten examples of a few hundred findings. */
const maxBytes = 4 * 1024 * 1024;

const keptFindings = object({
  /** The name of the store, which each import chooses anew. */
  store: text,
  /** Of the product: others may have other thresholds. */
  version: text,
  findings: list(finding),
});
type KeptFindings = Checked<typeof keptFindings>;

/**
 * What is odd in the data of a store, as a file beside it says, or found and written there: a search takes seconds, and
 * the editor, the event graph and the command line ask for the same. Rejects as the store does.
 * @param path of the store
 */
export async function storedFindings(
  store: StoreReader,
  path: string,
  options: StatementOptions,
): Promise<readonly Finding[]> {
  const file = join(dirname(path), 'findings.kept');
  const own = { store: basename(path), version };
  const kept = await readKept(file);
  if (kept?.store === own.store && kept.version === version) return kept.findings;
  const findings = await findFindings(store, options);
  try {
    // A graph that was deleted meanwhile must not get its folder back.
    await lstat(path);
    await writeFileAtomic(file, `${JSON.stringify({ ...own, findings } satisfies KeptFindings)}\n`);
  } catch {
    // The folder may be read-only; then they are searched again.
  }
  return findings;
}

/** Of a manipulated file nothing is shown that has another form. */
async function readKept(path: string): Promise<KeptFindings | undefined> {
  try {
    const file = await lstat(path);
    if (!file.isFile() || file.size > maxBytes) return undefined;
    const kept: unknown = JSON.parse(await readFile(path, 'utf8'));
    return keptFindings(kept, '') === undefined ? (kept as KeptFindings) : undefined;
  } catch {
    return undefined;
  }
}
