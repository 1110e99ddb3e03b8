import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Bytes of memory that a process holds, as its operating system counts them. */
export async function residentMemory(pid: number): Promise<number> {
  if (process.platform === 'win32') {
    const { stdout } = await run('powershell', ['-NoProfile', '-Command', `(Get-Process -Id ${pid}).WorkingSet64`]);
    return Number(stdout);
  }
  const { stdout } = await run('ps', ['-o', 'rss=', '-p', String(pid)]);
  return Number(stdout) * 1024;
}
