import type { EntityGraph } from '../../model/entity-graph.ts';
import type { Located, SourceRange } from '../../model/source-range.ts';
import { type UnknownName, notIn } from './process-names.ts';

/** The calendar of a rule or a measure that the file does not have. */
export function unknownCalendar(
  { calendar }: { readonly calendar?: Located<string> | undefined },
  { calendars }: Pick<EntityGraph, 'calendars'>,
): readonly UnknownName[] {
  const known = new Set(calendars.map(({ name }) => name.value));
  return notIn(known, calendar ? [calendar] : [], (name) => `No calendar of this file is called "${name}".`);
}

/** A limit in business days or hours where it is not said which calendar they are of. @param of such as `rule` */
export function missingCalendar(
  business: { readonly range: SourceRange } | undefined,
  of: 'rule' | 'measure',
  { calendars }: Pick<EntityGraph, 'calendars'>,
): readonly { readonly range: SourceRange; readonly message: string }[] {
  if (!business || calendars.length === 1) return [];
  const message =
    calendars.length > 1
      ? `The file has several calendars. Add calendar to the ${of}.`
      : 'Business days and hours are those of a calendar. Add one to calendars.';
  return [{ range: business.range, message }];
}
