import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

/** The file system in memory that Linux has. */
const memory = '/dev/shm';
const bytesNeeded = 6 * 1024 ** 3;

/**
 * Puts the temporary files of this process and its children into memory, where the system has room: syncing small files to
 * a disk takes most of the time of a small import.
 */
export function keepTemporaryFilesInMemory() {
  try {
    const { bavail, bsize } = statfsSync(memory);
    if (bavail * bsize < bytesNeeded) return;
    const folder = mkdtempSync(join(memory, 'entity-graph-tests-'));
    // As root, database servers run as another user, whose folders are inside.
    chmodSync(folder, 0o711);
    process.env.TMPDIR = folder;
    process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  } catch {
    // Other systems have no such folder.
  }
}
