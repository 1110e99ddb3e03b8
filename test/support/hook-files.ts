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
 * Calls `before` at each modifying `node:fs/promises` call of this process during `work`. If it throws, the call throws
 * instead of running.
 */
export async function withHookedFiles<T>(
  before: (call: FileCall) => void | Promise<void>,
  work: () => Promise<T>,
): Promise<T> {
  const originals = Object.fromEntries(changingCalls.map((name) => [name, promises[name]]));
  for (const name of changingCalls) {
    const original = originals[name] as (...args: unknown[]) => Promise<unknown>;
    const hooked = async (...args: unknown[]): Promise<unknown> => {
      // Opening for reading changes nothing.
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

/** An error like those of the file system. */
export function systemError(code: string, syscall: string, path: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: said by a test, ${syscall} '${path}'`), { code, syscall, path });
}
