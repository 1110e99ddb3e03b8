import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { isAlive, inspectProcess, type ProcessStart } from './process-start.ts';

/** Part of a temporary file name that identifies the writing process: id, machine and start time. */
export const tagPattern = String.raw`\d+\.[0-9a-f]{8}\.[0-9a-f]{8}`;

/** The tag of this process. */
export async function ownTag(): Promise<string> {
  const { start } = await inspectProcess(process.pid);
  return `${process.pid}.${hash(hostname())}.${startHash(start)}`;
}

export function isOfThisMachine(tag: string): boolean {
  const [, host] = tag.split('.');
  return host === hash(hostname());
}

/** Whether the process of a tag has ended. Processes of other machines are unknown and count as running. */
export async function hasEnded(tag: string): Promise<boolean> {
  const [pid = '', , started] = tag.split('.');
  if (!isOfThisMachine(tag)) return false;
  if (!isAlive(Number(pid))) return true;
  const { start, hasEnded: isDefunct } = await inspectProcess(Number(pid));
  return isDefunct || (start !== undefined && started !== startHash(start));
}

function startHash(start: ProcessStart | undefined): string {
  return hash(start ? `${start.system} ${start.time}` : '');
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}
