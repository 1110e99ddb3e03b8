import type { Catalog } from '../catalog/catalog.ts';
import type { MasterData } from '../model/entity-graph.ts';
import type { MasterDataQuery, QueryResult } from './compiled-query.ts';
import { buildRowsQuery } from './element-query.ts';
import { masterDataUnconfigured } from './query-problems.ts';

/** The core SELECT of an entry of `entities`: its key, then its properties. */
export function buildMasterDataQuery(entry: MasterData, catalog: Catalog): QueryResult<MasterDataQuery> {
  const { dataObject } = entry;
  if (!dataObject) return { problems: [masterDataUnconfigured(entry)] };
  const built = buildRowsQuery(entry, dataObject, catalog);
  if ('problems' in built) return built;
  const { key, properties, rowOrder } = built.query.roles;
  return {
    query: {
      ...built.query,
      kind: 'entities',
      roles: { key, properties, ...(rowOrder !== undefined && { rowOrder }) },
    },
  };
}
