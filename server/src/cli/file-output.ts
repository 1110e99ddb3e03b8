import { fstatSync, writeSync } from 'node:fs';
import { fileErrorOf } from '../files/file-error.ts';
import type { OutputStream } from './terminal.ts';

/** Output into a file or a device. */
interface FileOutput extends OutputStream {
  /** Why a text could not be written, such as `disk-full`; nothing is written after it. */
  readonly error: unknown;
}

/**
 * Standard output that is a file or a device, written at once. A disk that takes only a part of a text is asked for the
 * rest, which fails; Node's own stream does not ask. A command is not interrupted, because it may be in the middle of an
 * import: its caller looks at `error` in the end. Undefined for terminals, pipes and sockets.
 */
export function fileOutput({ fd, isTTY }: { readonly fd: number; readonly isTTY?: boolean }): FileOutput | undefined {
  if (isTTY === true) return undefined;
  const stats = fstatSync(fd);
  if (!stats.isFile() && !stats.isCharacterDevice()) return undefined;
  let failed: unknown;
  return {
    get error() {
      return failed;
    },
    write(text) {
      if (failed !== undefined) return;
      try {
        let bytes = Buffer.from(text);
        while (bytes.length > 0) bytes = bytes.subarray(writeSync(fd, bytes));
      } catch (error) {
        failed = fileErrorOf(error, 'the output') ?? error;
      }
    },
  };
}
