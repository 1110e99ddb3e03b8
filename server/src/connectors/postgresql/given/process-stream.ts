import type { ChildProcess } from 'node:child_process';
import { Duplex } from 'node:stream';

/** Replaces the socket of the driver by the standard streams of a process. */
export class ProcessStream extends Duplex {
  readonly #child: ChildProcess;

  constructor(child: ChildProcess) {
    super();
    this.#child = child;
    child.stdout?.on('data', (bytes) => void this.push(bytes));
    child.once('error', (error) => this.destroy(error));
    child.once('exit', () => this.destroy());
    // The exit of the process explains more than a broken pipe.
    child.stdin?.on('error', () => undefined);
  }

  connect(): this {
    process.nextTick(() => this.emit('connect'));
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  override _read(): void {
    // No back pressure is needed, because a test has few rows.
  }

  override _write(bytes: Buffer, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    const { stdin } = this.#child;
    if (stdin) stdin.write(bytes, encoding, done);
    else done(new Error('PGlite has ended.'));
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#child.kill('SIGKILL');
    done(error);
  }
}
