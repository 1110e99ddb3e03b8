import type { ProcessRule } from '../model/process-rule.ts';
import type { JudgedAmong } from '../rule-kinds/judged-tables.ts';
import { type EntityFilter, entityCondition, eventCondition } from './filter-entities.ts';

/**
 * What each rule judges under a filter: the entities that it leaves, and the events that belong to them. Undefined
 * where a rule judges all: without conditions, and entities of another type than that of the filter.
 * @param shownAs the filter over the tables of the graph alone, for SQL that people run
 */
export function judgedAmong(
  filter: EntityFilter,
  shownAs: EntityFilter,
): (rule: ProcessRule) => JudgedAmong | undefined {
  const { entityType, ...conditions } = filter;
  if (entityCondition(conditions, 'id') === undefined) return () => undefined;
  const among = { ...amongIds(filter), shownAs: amongIds(shownAs) };
  return ({ each }) => {
    const judged = each?.activity ? undefined : each?.entityType?.value;
    return judged === undefined || entityType === undefined || judged === entityType ? among : undefined;
  };
}

function amongIds(filter: EntityFilter): JudgedAmong {
  return { entity: entityCondition(filter, 'id') ?? 'true', event: eventCondition(filter, 'id') ?? 'true' };
}
