import assert from 'node:assert/strict';

const mostTimes = 2.3;
const rounds = 5;

/**
 * Asserts that twice as much work takes at most 2.3 times as much processor time, from `size` to twice and four times as much.
 * @param prepare returns the work, whose time counts; what it needs is prepared before.
 */
export function assertGrowsInProportion(
  size: number,
  prepare: (size: number) => Promise<() => unknown>,
): Promise<void> {
  return assertGrows([size, 2 * size, 4 * size], mostTimes, prepare);
}

/**
 * Asserts that the work of each size takes at most `most` times as much processor time as that of the size before.
 * Of several rounds the least times count, since other programs on the machine only add to them.
 */
export async function assertGrows(
  sizes: readonly number[],
  most: number,
  prepare: (size: number) => Promise<() => unknown>,
): Promise<void> {
  const works: (() => unknown)[] = [];
  for (const each of sizes) works.push(await prepare(each));
  // Code is loaded and compiled in the first run.
  await works[0]?.();
  const least = sizes.map(() => Infinity);
  const isInProportion = (): boolean =>
    least.every((time, index) => index === 0 || time <= most * (least[index - 1] ?? 0));
  for (let round = 0; round < rounds && (round === 0 || !isInProportion()); round += 1) {
    for (const [index, work] of works.entries()) {
      const started = process.cpuUsage();
      await work();
      const { user, system } = process.cpuUsage(started);
      least[index] = Math.min(least[index] ?? Infinity, (user + system) / 1000);
    }
  }
  const said = sizes.map((each, index) => `${each}: ${Math.round(least[index] ?? 0)} ms`).join(', ');
  assert.ok(isInProportion(), said);
}
