import { spawnSync } from 'node:child_process';
import { stat, symlink } from 'node:fs/promises';

/** Devices by their numbers on Linux: one that never ends, and one that has no room. */
const numbers = { zero: 5, full: 7 } as const;

/**
 * Makes a device at `path`, such that nothing of the machine is lost should what is tested replace it or delete it: a node of its own in
 * that folder. Who may not make one gets a link to the machine's, which is then one that this user cannot replace.
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

/** Root may replace what lies in /dev; what is mounted there on its own, as in containers, nobody can. */
async function isReplaceable(device: string): Promise<boolean> {
  const [own, folder] = await Promise.all([stat(device), stat('/dev')]);
  return process.getuid?.() === 0 && own.dev === folder.dev;
}
