import { Transform } from 'node:stream';

/** A text of an entity graph has up to 16 MB, and twice as much in JSON. */
export const mostLineBytes = 64 * 2 ** 20;

/**
 * Passes whole lines on, so that a reader that joins what it has with each chunk takes no time that grows with the square
 * of a long line. Fails for a line that is too long.
 */
export function wholeLines(most = mostLineBytes): Transform {
  let parts: Buffer[] = [];
  let size = 0;
  return new Transform({
    transform(chunk: Buffer, _, done) {
      parts.push(chunk);
      size += chunk.length;
      if (chunk.includes(10)) {
        const whole = Buffer.concat(parts);
        [parts, size] = [[], 0];
        done(null, whole);
      } else done(size > most ? new Error(`A message has more than ${most / 2 ** 20} MB.`) : null);
    },
    flush: (done) => done(null, Buffer.concat(parts)),
  });
}
