/** State shared by the threads of the reader: SQLite runs synchronously, so its thread receives no messages meanwhile. */
export interface Backlog {
  /** Memory for the other thread. */
  readonly buffer: SharedArrayBuffer;
  /** A file was written. */
  add(): void;
  /** A file was read and is deleted. */
  remove(): void;
  /** Ends the backlog: no files will be read any more. */
  close(): void;
  /** Blocks until fewer files than `most` wait to be read. Throws after `close`. */
  waitBelow(most: number): void;
}

const [files, isClosed] = [0, 1];

export function createBacklog(buffer = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)): Backlog {
  const shared = new Int32Array(buffer);
  const change = (by: number): void => {
    Atomics.add(shared, files, by);
    Atomics.notify(shared, files);
  };
  return {
    buffer,
    add: () => change(1),
    remove: () => change(-1),
    close() {
      Atomics.store(shared, isClosed, 1);
      change(0);
    },
    waitBelow(most) {
      for (;;) {
        if (Atomics.load(shared, isClosed) === 1) throw new Error('Nobody reads the rows any more.');
        const waiting = Atomics.load(shared, files);
        if (waiting < most) return;
        // A notification that comes before the wait is lost.
        Atomics.wait(shared, files, waiting, 100);
      }
    },
  };
}
