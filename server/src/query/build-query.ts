/** Queries from the model: the one place from which checks, Show Query, Test Query and the import take them. */
export { buildElementQuery } from './element-query.ts';
export { buildMasterDataQuery } from './master-data-query.ts';
export { buildRelationshipQuery } from './relationship-query.ts';
