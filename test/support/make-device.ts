import { spawnSync } from 'node:child_process';
import { stat, symlink } from 'node:fs/promises';

/** Device numbers on Linux: an endless one, and a full one. */
const numbers = { zero: 5, full: 7 } as const;

/**
 * Creates a device at `path` that may safely be replaced or deleted: a separate node in that folder. Without
 * permission, a link to the machine's device, which this user cannot replace.
 */
export async function makeDevice(path: string, kind: keyof typeof numbers): Promise<void> {
  if (process.platform === 'linux') {
    const { status } = spawnSync('mknod', ['-m', '666', path, 'c', '1', String(numbers[kind])]);
    if (status === 0) return;
  }
  const device = `/dev/${kind}`;
  if (await isReplaceable(device)) throw new Error(`${device} is not put at stake: mknod is needed for this test.`);
  await symlink(device, path);
}

/** Root may replace files in /dev, but not mounts, as in containers. */
async function isReplaceable(device: string): Promise<boolean> {
  const [own, folder] = await Promise.all([stat(device), stat('/dev')]);
  return process.getuid?.() === 0 && own.dev === folder.dev;
}
