import { spawn } from 'node:child_process';

const running = new Set();

/**
 * Starts a program in its own process group, so that it can be stopped with its children. Remaining processes are
 * killed when this process exits, also by Ctrl+C.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 */
export function startGroup(program, args, options = {}) {
  const child = spawn(program, args, { ...options, detached: process.platform !== 'win32' });
  const ended = new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: null, signal: null, error }));
    child.once('exit', (code, signal) => resolve({ code, signal, error: undefined }));
  });
  const group = { child, ended, stop: () => stopGroup(child, ended) };
  running.add(child);
  if (running.size === 1) process.on('exit', killAll);
  void ended.then(() => killGroup(child, 'SIGKILL') || running.delete(child));
  return group;
}

/** Makes Ctrl+C and SIGTERM call `process.exit`, which runs the exit handlers. */
export function exitOnSignals() {
  process.once('SIGINT', () => process.exit(130));
  process.once('SIGTERM', () => process.exit(143));
}

/** Waits for the group to end, and stops it after a timeout. */
export async function endWithin(group, seconds) {
  const inTime = await within(seconds, group.ended);
  if (!inTime) await group.stop();
  const { code } = await group.ended;
  return { code, timedOut: !inTime };
}

/**
 * The result of the promise, undefined after a timeout.
 * @template Value
 * @param {number} seconds
 * @param {Promise<Value>} promise
 * @returns {Promise<Value | undefined>}
 */
export async function within(seconds, promise) {
  let timer;
  const limit = new Promise((resolve) => {
    timer = setTimeout(resolve, seconds * 1000);
  });
  try {
    return await Promise.race([promise, limit]);
  } finally {
    clearTimeout(timer);
  }
}

/** Terminates the group, and kills it after two seconds. */
async function stopGroup(child, ended) {
  killGroup(child, 'SIGTERM');
  const timer = setTimeout(() => killGroup(child, 'SIGKILL'), 2_000);
  await ended;
  clearTimeout(timer);
  killGroup(child, 'SIGKILL');
}

/** Terminated first, because children may have their own groups to end. */
function killAll() {
  for (const child of running) killGroup(child, 'SIGTERM');
  if (running.size > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
  for (const child of running) killGroup(child, 'SIGKILL');
}

/** Whether a process was left to kill. */
function killGroup(child, signal) {
  if (child.pid === undefined) return false;
  try {
    if (process.platform === 'win32') return child.kill(signal);
    return process.kill(-child.pid, signal);
  } catch {
    return false;
  }
}
