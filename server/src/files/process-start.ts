import { execFile } from 'node:child_process';
import { readFile, readlink } from 'node:fs/promises';
import { promisify } from 'node:util';

/** Start time of a process in the format of its system; equal texts mean the same process. */
export interface ProcessStart {
  /** Equal for processes that share process ids, between two boots of the machine. */
  readonly system: string;
  readonly time: string;
}

interface ProcessInfo {
  /** Undefined if the system does not provide it. */
  readonly start?: ProcessStart;
  /** It has ended, but its id is not released yet (zombie). */
  readonly hasEnded: boolean;
}

/** Inspects a process of this machine. Never rejects. */
export async function inspectProcess(pid: number): Promise<ProcessInfo> {
  const look = looks[process.platform];
  return look ? look(pid).catch(() => nothingKnown) : nothingKnown;
}

/** Whether a process with this id exists on this machine. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // No permission to signal it: it exists and belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

const nothingKnown: ProcessInfo = { hasEnded: false };

/** On Windows this needs PowerShell, which is slower than watching the lock. */
const looks: Partial<Record<NodeJS.Platform, (pid: number) => Promise<ProcessInfo>>> = {
  linux: lookInProc,
  darwin: lookWithPs,
};

async function lookInProc(pid: number): Promise<ProcessInfo> {
  const [stat, boot, namespace] = await Promise.all([
    readFile(`/proc/${pid}/stat`, 'utf8'),
    readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
    readlink('/proc/self/ns/pid'),
  ]);
  // The program name in parentheses may contain blanks and parentheses.
  const [state = '', ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // Field 22: clock ticks since boot, independent of the wall clock.
  const ticks = fields[18];
  if (ticks === undefined) return nothingKnown;
  return { start: { system: `${boot.trim()} ${namespace}`, time: ticks }, hasEnded: state === 'Z' || state === 'X' };
}

async function lookWithPs(pid: number): Promise<ProcessInfo> {
  const args = ['-o', 'stat=,lstart=', '-p', String(pid)];
  const { stdout } = await promisify(execFile)('/bin/ps', args, { env: { LC_ALL: 'C', TZ: 'UTC' } });
  const [, state = '', time] = /^(\S+)\s+(.+?)\s*$/.exec(stdout) ?? [];
  return time === undefined
    ? nothingKnown
    : { start: { system: process.platform, time }, hasEnded: state.startsWith('Z') };
}
