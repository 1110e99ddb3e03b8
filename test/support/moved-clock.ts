/** The environment of a program with a shifted clock, or with a cycle of shifts. */
export function clockAt(...hours: readonly number[]): Readonly<Record<string, string>> {
  const preload = new URL('moved-clock.mjs', import.meta.url).href;
  return {
    NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} --import=${preload}`,
    ENTITY_GRAPH_CLOCK: hours.join(','),
  };
}
