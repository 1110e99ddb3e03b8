import { spawnSync } from 'node:child_process';
import { ownTag } from '../../server/src/files/name-tag.ts';

/** The id of an ended process. */
export const endedProcess = spawnSync(process.execPath, ['-e', '']).pid;

/** Identifies a process of this machine in the names of its temporary files. */
export async function tagOf(pid: number): Promise<string> {
  return (await ownTag()).replace(/^\d+/, String(pid));
}
