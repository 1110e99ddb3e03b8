/** Builds queries from the model; used by rules, Show Query, Test Query and imports. */
export { buildElementQuery } from './element-query.ts';
export { buildMasterDataQuery } from './master-data-query.ts';
export { buildRelationshipQuery } from './relationship-query.ts';
