import { createHash } from 'node:crypto';

/**
 * Chooses functions evenly from all rooms, each room with its share, and a mutant of each: first what is done, then
 * where, so that frequent kinds do not outnumber the others. The same seed chooses the same.
 * @param {ReadonlyMap<string, ReadonlyMap<number, readonly import('./make-mutants.mjs').Mutant[]>>} files mutants by the
 *   line of their function, by file
 * @param {number} count
 * @param {string} seed
 * @returns {readonly { room: string, functionLine: number, mutant: import('./make-mutants.mjs').Mutant }[]}
 */
export function sampleMutants(files, count, seed) {
  const rank = (...parts) =>
    createHash('sha256')
      .update([seed, ...parts].join('\n'))
      .digest('hex');
  const functions = [...files].flatMap(([file, byLine]) =>
    [...byLine].map(([functionLine, mutants]) => ({
      room: roomOf(file),
      functionLine,
      mutants,
      rank: rank(file, functionLine),
    })),
  );
  functions.sort((left, right) => compare(left.room, right.room) || compare(left.rank, right.rank));
  const step = functions.length / Math.min(count, functions.length);
  const chosen = Array.from(
    { length: Math.min(count, functions.length) },
    (_, index) => functions[Math.floor((index + 0.5) * step)],
  );
  return chosen.map(({ room, functionLine, mutants }) => {
    const first = (list, valueOf) =>
      list.map((each) => [rank(valueOf(each)), each]).sort(([left], [right]) => compare(left, right))[0][1];
    const kind = first(
      [...new Set(mutants.map((mutant) => mutant.kind))],
      (each) => `${mutants[0].file} ${functionLine} ${each}`,
    );
    const mutant = first(
      mutants.filter((each) => each.kind === kind),
      ({ file, start, after }) => `${file} ${start} ${after}`,
    );
    return { room, functionLine, mutant };
  });
}

/** The folder below `src`, or the program of files beside such folders. */
export function roomOf(file) {
  const [program, folder, ...rest] = file.split('/');
  if (folder !== 'src') return program;
  return rest.length > 1 ? `${program}/src/${rest[0]}` : `${program}/src`;
}

const compare = (left, right) => (left < right ? -1 : left > right ? 1 : 0);
