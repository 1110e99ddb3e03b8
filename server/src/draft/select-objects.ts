import type { Reference } from './references.ts';
import { isDescription, type TableReading } from './read-table.ts';

/**
 * Selects the tables without events for a first graph: tables that events refer to, tables that refer to events (such as
 * order lines), and the tables that these refer to. Tables further away describe objects rather than the process.
 */
export function selectObjects(
  readings: readonly TableReading[],
  references: readonly Reference[],
): ReadonlySet<string> {
  const events = new Set(readings.filter(({ log, times }) => log ?? times).map(({ input }) => input.object.name));
  const possible = new Set(
    readings.map(({ input }) => input.object.name).filter((name) => !events.has(name) && !isDescription(name)),
  );
  const near = references.flatMap(({ from, to }) => {
    if (events.has(from) && possible.has(to)) return [to];
    return events.has(to) && possible.has(from) ? [from] : [];
  });
  const kept = new Set(near);
  const further = references.flatMap(({ from, to }) => (kept.has(from) && possible.has(to) ? [to] : []));
  for (const name of further) kept.add(name);
  return kept;
}

/** The two references of a cross table, such as the films of actors. */
export function linkOf(
  { input, profiles, log, times }: TableReading,
  references: readonly Reference[],
): readonly [Reference, Reference] | undefined {
  const own = references.filter(({ from }) => from === input.object.name);
  const [one, two] = own;
  if (log || times || !one || !two || own.length > 2) return undefined;
  const linking = new Set([...one.columns, ...two.columns]);
  const more = profiles.filter(({ name, sense }) => !linking.has(name) && sense !== 'timestamp' && sense !== 'date');
  return more.length === 0 ? [one, two] : undefined;
}
