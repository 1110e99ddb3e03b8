import { isUnique } from './column-profile.ts';
import { suggests } from './name-words.ts';
import type { Reference } from './reference.ts';
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
    readings
      .filter((reading) => !isDescription(reading.input.object.name) && !onlyDescribes(reading, references))
      .filter((reading) => !linkOf(reading, references))
      .map(({ input }) => input.object.name)
      .filter((name) => !events.has(name)),
  );
  const near = references.flatMap(({ from, to }) => {
    if (events.has(from) && possible.has(to)) return [to];
    return events.has(to) && possible.has(from) ? [from] : [];
  });
  const linked = readings.flatMap((reading) => {
    const ends = linkOf(reading, references)?.map(({ to }) => to) ?? [];
    return ends.some((end) => events.has(end)) ? ends.filter((end) => possible.has(end)) : [];
  });
  const kept = new Set([...near, ...linked]);
  const further = references.flatMap(({ from, to }) => (kept.has(from) && possible.has(to) ? [to] : []));
  for (const name of further) kept.add(name);
  return kept;
}

/** Maximum number of rows of a table that only lists the values of a column, if nothing is declared. */
const maxListed = 4;

/**
 * Whether a table without declared keys only describes others: it lists the few values of a column, or has texts for the rows of
 * another table, such as names in several languages.
 */
function onlyDescribes({ input, profiles, key, times, log }: TableReading, references: readonly Reference[]): boolean {
  const { object, sample } = input;
  if (!key || key.isDeclared || !sample || log || times) return false;
  if (sample.isWhole && sample.rows.length <= maxListed && key.columns.length === 1) return true;
  const own = references.filter(({ from }) => from === object.name);
  const [only] = own;
  const rest = profiles.filter(({ name, distinct = 0 }) => !key.columns.includes(name) && distinct > 1);
  return (
    own.length === 1 &&
    only !== undefined &&
    only.columns.length < key.columns.length &&
    only.columns.every((column) => key.columns.includes(column)) &&
    rest.length > 0 &&
    rest.every(({ sense, withDigits, meanLength }) => sense === 'text' && (meanLength > 8 || withDigits < 0.5))
  );
}

/** Maximum number of further columns of a cross table. None may be a measure: an order line is a thing. */
const maxLinkColumns = 2;

/** The two references of a cross table, such as the films of actors. */
export function linkOf(
  { input, profiles, key, log, times }: TableReading,
  references: readonly Reference[],
): readonly [Reference, Reference] | undefined {
  const own = references.filter(({ from }) => from === input.object.name);
  const [one, two] = own;
  if (log || times || !one || !two || own.length > 2) return undefined;
  const linking = new Set([...one.columns, ...two.columns]);
  const more = profiles.filter(({ name, sense }) => !linking.has(name) && sense !== 'timestamp' && sense !== 'date');
  if (more.length === 0) return [one, two];
  const isKey = key?.columns.length === linking.size && key.columns.every((column) => linking.has(column));
  const isLink =
    isKey &&
    !key.isDeclared &&
    more.length <= maxLinkColumns &&
    more.every((column) => column.sense !== 'text' || isUnique(column)) &&
    more.every(({ name }) => !suggests(name, 'measure'));
  return isLink ? [one, two] : undefined;
}
