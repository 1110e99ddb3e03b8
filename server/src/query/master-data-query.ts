import { type GraphCatalog, catalogOf } from '../catalog/graph-catalog.ts';
import type { MasterData } from '../model/entity-graph.ts';
import type { MasterDataQuery, QueryResult } from './compiled-query.ts';
import { buildRowsQuery } from './element-query.ts';
import { masterDataUnconfigured } from './query-problems.ts';

/** The core SELECT of an entry of `entities`: its key, the time of its values, columns of expectations, then its properties. */
export function buildMasterDataQuery(entry: MasterData, catalog: GraphCatalog): QueryResult<MasterDataQuery> {
  const { dataObject, validFrom } = entry;
  if (!dataObject) return { problems: [masterDataUnconfigured(entry)] };
  const own = catalogOf(catalog, entry);
  // An unconfigured data source is reported by another rule.
  if (!own) return { problems: [] };
  const { validFromAtEndOfDay } = entry;
  const times = validFrom && {
    startTimestamp: validFrom,
    ...(validFromAtEndOfDay && { startAtEndOfDay: validFromAtEndOfDay }),
  };
  const built = buildRowsQuery({ ...entry, ...times }, dataObject, own);
  if ('problems' in built) return built;
  const { key, startTimestamp, endsOfDays, expect, properties, rowOrder } = built.query.roles;
  return {
    query: {
      ...built.query,
      kind: 'entities',
      roles: {
        key,
        validFrom: validFrom && startTimestamp,
        ...(endsOfDays && { isValidFromEndOfDay: true }),
        expect,
        properties,
        rowOrder,
      },
    },
  };
}
