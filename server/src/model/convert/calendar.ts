import { isPair, isScalar } from 'yaml';
import { type Calendar, parseDays, parseHours } from '../calendar.ts';
import type { Located } from '../source-range.ts';
import { type YamlObject, placedAt, present, readObject, readText, textOf, textsOf, valueOf } from './read-node.ts';

/** The entries of `calendars`, in the order of the file. */
export function readCalendars(root: YamlObject): readonly Calendar[] {
  const object = readObject(valueOf(root, 'calendars'), root.yaml);
  if (!object) return [];
  return object.map.items.flatMap((pair): readonly Calendar[] => {
    const name = isPair(pair) && isScalar(pair.key) ? readText(pair.key, root.yaml) : undefined;
    const entry = isPair(pair) ? readObject(pair.value, root.yaml) : undefined;
    return name && entry ? [readCalendar(name, entry)] : [];
  });
}

function readCalendar(name: Located<string>, object: YamlObject): Calendar {
  return placedAt(object.node, {
    name,
    holidays: textsOf(object, 'holidays'),
    ...present({
      timeZone: textOf(object, 'timeZone'),
      days: readDays(object),
      hours: parsed(textOf(object, 'hours'), parseHours),
    }),
  });
}

/** `Mon-Fri`, or a list of days. */
function readDays(object: YamlObject): Calendar['days'] {
  const text = textOf(object, 'days');
  if (text) return parsed(text, parseDays);
  const node = valueOf(object, 'days');
  // The schema reports other words in a list.
  const listed = textsOf(object, 'days').flatMap(({ value }) => (parseDays(value) ? [value] : []));
  return node && listed.length > 0 ? placedAt(node, { value: parseDays(listed.join(',')) }) : undefined;
}

function parsed<T>(text: Located<string> | undefined, parse: (text: string) => T): Located<T> | undefined {
  return text && { value: parse(text.value), range: text.range };
}
