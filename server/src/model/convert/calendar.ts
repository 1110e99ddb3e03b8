import { type Node, isPair, isScalar } from 'yaml';
import { type Calendar, isUsable, parseDays, parseHours } from '../calendar.ts';
import type { Located } from '../source-range.ts';
import { resolveNode } from '../yaml-text.ts';
import { type YamlObject, placedAt, present, readObject, readText, textOf, textsOf, valueOf } from './read-node.ts';

/** The entries of `calendars`, in the order of the file. */
export function readCalendars(root: YamlObject): readonly Calendar[] {
  const object = readObject(valueOf(root, 'calendars'), root.yaml);
  if (!object) return [];
  return object.map.items.flatMap((pair): readonly Calendar[] => {
    const name = isPair(pair) && isScalar(pair.key) ? readText(pair.key, root.yaml) : undefined;
    if (!name || !isPair(pair)) return [];
    const entry = readObject(pair.value, root.yaml);
    if (entry) return [readCalendar(name, entry)];
    // The schema reports other values.
    const isEmpty = pair.value === null || (isScalar(pair.value) && pair.value.value === null);
    return isEmpty ? [placedAt(pair.key as Node, { name, holidays: [], isEmpty })] : [];
  });
}

/**
 * The calendar whose working time the times of a rule or a measure are, if it can be used.
 * @param isNeeded whether a time is in business days or hours; then the only calendar of a file needs no name
 */
export function usedCalendar(
  name: string | undefined,
  isNeeded: boolean,
  calendars: readonly Calendar[],
): Calendar | undefined {
  const [only, ...others] = calendars;
  const found =
    calendars.find((calendar) => calendar.name.value === name) ??
    (isNeeded && name === undefined && others.length === 0 ? only : undefined);
  return found && isUsable(found) ? found : undefined;
}

function readCalendar(name: Located<string>, object: YamlObject): Calendar {
  return placedAt(object.node, {
    name,
    holidays: textsOf(object, 'holidays'),
    ...present({
      timeZone: textOf(object, 'timeZone'),
      days: readDays(object),
      hours: readParsed(object, 'hours', parseHours),
    }),
  });
}

/** `Mon-Fri`, or a list of days. */
function readDays(object: YamlObject): Calendar['days'] {
  const text = readParsed(object, 'days', parseDays);
  if (text) return text;
  const node = valueOf(object, 'days');
  // The schema reports other words in a list.
  const listed = textsOf(object, 'days').flatMap(({ value }) => (parseDays(value) ? [value] : []));
  return node && listed.length > 0 ? placedAt(node, { value: parseDays(listed.join(',')) }) : undefined;
}

/** The value of a text, also of an empty one. */
function readParsed<T>(object: YamlObject, key: string, parse: (text: string) => T): Located<T> | undefined {
  const text = textOf(object, key);
  if (text) return { value: parse(text.value), range: text.range };
  const node = valueOf(object, key);
  const resolved = resolveNode(node, object.yaml);
  return node && isScalar(resolved) && typeof resolved.value === 'string'
    ? placedAt(node, { value: parse(resolved.value) })
    : undefined;
}
