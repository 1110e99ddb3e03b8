import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Resident memory of a process in bytes, from the operating system. */
export async function residentMemory(pid: number): Promise<number> {
  if (process.platform === 'win32') {
    const { stdout } = await run('powershell', ['-NoProfile', '-Command', `(Get-Process -Id ${pid}).WorkingSet64`]);
    return Number(stdout);
  }
  const { stdout } = await run('ps', ['-o', 'rss=', '-p', String(pid)]);
  return Number(stdout) * 1024;
}
