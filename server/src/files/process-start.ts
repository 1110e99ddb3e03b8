import { execFile } from 'node:child_process';
import { readFile, readlink } from 'node:fs/promises';
import { promisify } from 'node:util';

/** When a process started, in the words of its system: equal texts are one process. */
export interface ProcessStart {
  /** Equal for processes that can see each other's numbers, from one start of the machine to the next. */
  readonly system: string;
  readonly time: string;
}

export interface ProcessLook {
  /** Undefined where the system does not say. */
  readonly start?: ProcessStart;
  /** It has ended, and only its number is still taken. */
  readonly hasEnded: boolean;
}

/** Looks at a process of this machine. Never rejects. */
export async function lookAtProcess(pid: number): Promise<ProcessLook> {
  const look = looks[process.platform];
  return look ? look(pid).catch(() => nothingKnown) : nothingKnown;
}

/** Whether there is a process of this number on this machine. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process may not be signalled, but it is there.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

const nothingKnown: ProcessLook = { hasEnded: false };

/** Windows tells it by starting PowerShell only, which takes longer than to see whether a lock is renewed. */
const looks: Partial<Record<NodeJS.Platform, (pid: number) => Promise<ProcessLook>>> = {
  linux: lookInProc,
  darwin: lookWithPs,
};

async function lookInProc(pid: number): Promise<ProcessLook> {
  const [stat, boot, namespace] = await Promise.all([
    readFile(`/proc/${pid}/stat`, 'utf8'),
    readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
    readlink('/proc/self/ns/pid'),
  ]);
  // The name of the program, in parentheses, may hold blanks and parentheses itself.
  const [state = '', ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // The 22nd field: ticks since the machine was started, whatever its clock is set to.
  const ticks = fields[18];
  if (ticks === undefined) return nothingKnown;
  return { start: { system: `${boot.trim()} ${namespace}`, time: ticks }, hasEnded: state === 'Z' || state === 'X' };
}

async function lookWithPs(pid: number): Promise<ProcessLook> {
  const args = ['-o', 'stat=,lstart=', '-p', String(pid)];
  const { stdout } = await promisify(execFile)('/bin/ps', args, { env: { LC_ALL: 'C', TZ: 'UTC' } });
  const [, state = '', time] = /^(\S+)\s+(.+?)\s*$/.exec(stdout) ?? [];
  return time === undefined
    ? nothingKnown
    : { start: { system: process.platform, time }, hasEnded: state.startsWith('Z') };
}
