import type { GraphFilter } from '../../../protocol/event-graph.ts';
import { filterConditions } from '../../../protocol/filter-conditions.ts';
import { englishMapWords } from '../../../protocol/map-words.ts';
import { type StatementOptions, type StoreReader, isDuckDbError } from '../store/duckdb-store.ts';
import { countSubjects } from './answer-measures.ts';
import { readTypeFilter } from './read-filter.ts';

/**
 * The condition of a filter, in words, that cannot be found for the entities of the graph, such as a comparison of a
 * number with a text. Undefined if all can be found.
 */
export async function failingCondition(
  store: StoreReader,
  filter: GraphFilter,
  options: StatementOptions,
): Promise<string | undefined> {
  const { entityType = '', where = [], values = [] } = filter;
  const single: readonly GraphFilter[] = [
    ...where.map((sql) => ({ where: [sql] })),
    ...values.map((value) => ({ values: [value] })),
  ];
  for (const condition of single) {
    try {
      await countSubjects(store, await readTypeFilter(store, { ...condition, entityType }, options), options);
    } catch (error) {
      if (isDuckDbError(error)) return filterConditions(condition, englishMapWords)[0]?.text;
      throw error;
    }
  }
  return undefined;
}
