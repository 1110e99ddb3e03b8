import { promises } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/** A call that changes files. */
export interface FileCall {
  /** Such as `rename`. */
  readonly name: ChangingCall;
  readonly args: readonly unknown[];
}

const changingCalls = [
  ...(['appendFile', 'chmod', 'copyFile', 'link', 'mkdir', 'mkdtemp', 'open', 'rename', 'rm', 'rmdir'] as const),
  ...(['unlink', 'utimes', 'writeFile'] as const),
];
export type ChangingCall = (typeof changingCalls)[number];

/**
 * Calls `before` with each call of this process that changes files, by `node:fs/promises`, while `work` runs. What it throws is thrown
 * by that call, which then does nothing.
 */
export async function withHookedFiles<T>(
  before: (call: FileCall) => void | Promise<void>,
  work: () => Promise<T>,
): Promise<T> {
  const originals = Object.fromEntries(changingCalls.map((name) => [name, promises[name]]));
  for (const name of changingCalls) {
    const original = originals[name] as (...args: unknown[]) => Promise<unknown>;
    const hooked = async (...args: unknown[]): Promise<unknown> => {
      // Opened to be read, a file is as it was.
      if (name !== 'open' || !['r', undefined].includes(args[1] as string | undefined)) await before({ name, args });
      return original(...args);
    };
    Object.assign(promises, { [name]: hooked });
  }
  syncBuiltinESMExports();
  try {
    return await work();
  } finally {
    Object.assign(promises, originals);
    syncBuiltinESMExports();
  }
}

/** An error as the file system has it. */
export function systemError(code: string, syscall: string, path: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: said by a test, ${syscall} '${path}'`), { code, syscall, path });
}
