import { hostname } from 'node:os';
import { type ProcessStart, isAlive, inspectProcess } from './process-start.ts';

/** Identifies a process uniquely, across reused process ids and machines. */
export interface ProcessMark {
  readonly pid: number;
  readonly host: string;
  /** Absent if the system does not provide it. */
  readonly started?: ProcessStart | undefined;
}

/** Status of a process: `unsure` on another machine, or when its id may have been reused. */
type ProcessState = 'lives' | 'gone' | 'unsure';

/** The mark of this process. */
export async function ownMark(): Promise<ProcessMark> {
  const { start } = await inspectProcess(process.pid);
  return { pid: process.pid, host: hostname(), started: start };
}

/** Checks the status of a process. It does not depend on a clock, which may have been changed. */
export async function processStateOf({ pid, host, started }: ProcessMark): Promise<ProcessState> {
  if (host !== hostname()) return 'unsure';
  const { start: own } = await inspectProcess(process.pid);
  // Another container, or another machine with this name: process ids are not comparable.
  if (started && own && started.system !== own.system) return 'unsure';
  if (!isAlive(pid)) return 'gone';
  const { start, hasEnded } = await inspectProcess(pid);
  if (hasEnded) return 'gone';
  if (!started || !start) return 'unsure';
  return start.time === started.time ? 'lives' : 'gone';
}

/** Parses a stored mark; undefined when invalid. */
export function readMark(value: unknown): ProcessMark | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { pid, host, started } = value as Partial<Record<keyof ProcessMark, unknown>>;
  if (typeof pid !== 'number' || !Number.isInteger(pid) || pid < 0 || typeof host !== 'string') return undefined;
  return { pid, host, started: isStart(started) ? started : undefined };
}

function isStart(value: unknown): value is ProcessStart {
  if (typeof value !== 'object' || value === null) return false;
  const { system, time } = value as Partial<Record<keyof ProcessStart, unknown>>;
  return typeof system === 'string' && typeof time === 'string';
}
