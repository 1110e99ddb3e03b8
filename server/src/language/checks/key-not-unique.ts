import { dataObjectOf } from '../../catalog/graph-catalog.ts';
import { hasOwnEntity } from '../../model/entity-graph.ts';
import type { GraphCheck } from './check.ts';

/** Tolerance of statistical estimates. */
const nearlyUnique = 0.8;

/**
 * A single-column key that many rows share according to statistics, although the rows have a primary key. It may be
 * intended (several rows per entity), so it is informational. Event logs are exempt.
 */
export const keyNotUnique: GraphCheck = {
  codes: ['key-not-unique'],
  scope: 'entry',
  check: ({ graph, catalog }) =>
    graph.elements.flatMap((element) => {
      const [key, ...others] = element.key ?? [];
      const object = catalog && dataObjectOf(element, catalog);
      if (!key || others.length > 0 || !object || element.activityColumn || element.joins || !hasOwnEntity(element))
        return [];
      const column = object.columns.find(({ name }) => name === key.value);
      const { rowEstimate = 0 } = object.statistics;
      if (!column || object.primaryKey.length === 0 || object.primaryKey.includes(column.name)) return [];
      const { distinctEstimate = rowEstimate } = column;
      if (rowEstimate === 0 || distinctEstimate >= rowEstimate * nearlyUnique) return [];
      const message = `About ${distinctEstimate} values of "${column.name}" for ${rowEstimate} rows: rows with one value become events of one entity. If each row is an entity of its own, use the primary key (${object.primaryKey.join(', ')}).`;
      return { code: 'key-not-unique', severity: 'information', message, range: key.range };
    }),
};
