import { hostname } from 'node:os';
import { type ProcessStart, isAlive, lookAtProcess } from './process-start.ts';

/** A process, told from one that gets its number later and from those of other machines. */
export interface ProcessMark {
  readonly pid: number;
  readonly host: string;
  /** Absent where the system does not say. */
  readonly started?: ProcessStart;
}

/** What is known of a process: `unsure` when it is another machine's, or may only have the number of the one that is meant. */
export type ProcessFate = 'lives' | 'gone' | 'unsure';

/** The mark of this process. */
export async function ownMark(): Promise<ProcessMark> {
  const { start } = await lookAtProcess(process.pid);
  return { pid: process.pid, host: hostname(), ...(start && { started: start }) };
}

/** What has become of a process. No clock is asked: it may have been set since. */
export async function fateOf({ pid, host, started }: ProcessMark): Promise<ProcessFate> {
  if (host !== hostname()) return 'unsure';
  const { start: own } = await lookAtProcess(process.pid);
  // Another container, or another machine of this name: its numbers mean nothing here.
  if (started && own && started.system !== own.system) return 'unsure';
  if (!isAlive(pid)) return 'gone';
  const { start, hasEnded } = await lookAtProcess(pid);
  if (hasEnded) return 'gone';
  if (!started || !start) return 'unsure';
  return start.time === started.time ? 'lives' : 'gone';
}

/** What another program wrote of itself; undefined when it is no mark. */
export function readMark(value: unknown): ProcessMark | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { pid, host, started } = value as Partial<Record<keyof ProcessMark, unknown>>;
  if (typeof pid !== 'number' || !Number.isInteger(pid) || pid < 0 || typeof host !== 'string') return undefined;
  return { pid, host, ...(isStart(started) && { started }) };
}

function isStart(value: unknown): value is ProcessStart {
  if (typeof value !== 'object' || value === null) return false;
  const { system, time } = value as Partial<Record<keyof ProcessStart, unknown>>;
  return typeof system === 'string' && typeof time === 'string';
}
