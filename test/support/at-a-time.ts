/** Processes items concurrently, for work that mostly waits. Rejects with the first failure, after all have ended. */
export async function atATime<T>(count: number, items: Iterable<T>, work: (item: T) => Promise<void>): Promise<void> {
  const waiting = items[Symbol.iterator]();
  const lanes = Array.from({ length: count }, async () => {
    for (let next = waiting.next(); !next.done; next = waiting.next()) await work(next.value);
  });
  const failed = (await Promise.allSettled(lanes)).find((lane) => lane.status === 'rejected');
  if (failed) throw failed.reason;
}
