/** Processes items concurrently, for work that mostly waits. Rejects with the first failure, after all have ended. */
export async function atATime<T>(count: number, items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const lanes = Array.from({ length: count }, async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  });
  const failed = (await Promise.allSettled(lanes)).find((lane) => lane.status === 'rejected');
  if (failed) throw failed.reason;
}
