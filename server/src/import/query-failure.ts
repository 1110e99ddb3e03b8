import type { CompiledQuery } from '../query/compiled-query.ts';

/** A source refused a query of the plan: the reason, with what is needed to place it in the entity graph. */
export class QueryFailure extends Error {
  constructor(
    readonly reason: unknown,
    readonly query: CompiledQuery,
    /** The activity or relationship that the query is for. */
    readonly subject: string,
  ) {
    super(reason instanceof Error ? reason.message : String(reason), { cause: reason });
    this.name = 'QueryFailure';
  }
}
