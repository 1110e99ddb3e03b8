import type { CompiledQuery } from '../query/compiled-query.ts';

/** A query of the plan rejected by the source, with the data to map it to the entity graph. */
export class QueryFailure extends Error {
  constructor(
    readonly reason: unknown,
    readonly query: CompiledQuery,
    /** The activity or relationship of the query. */
    readonly subject: string,
  ) {
    super(reason instanceof Error ? reason.message : String(reason), { cause: reason });
    this.name = 'QueryFailure';
  }
}
