/** The environment of a program whose clock is hours away from that of this machine, or at each reading the next of several away. */
export function clockAt(...hours: readonly number[]): Readonly<Record<string, string>> {
  const preload = new URL('moved-clock.mjs', import.meta.url).href;
  return { NODE_OPTIONS: `--import=${preload}`, ENTITY_GRAPH_CLOCK: hours.join(',') };
}
