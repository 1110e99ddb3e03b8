import type { DataObject } from '../../../catalog/catalog.ts';
import type { CompiledQuery } from '../../../query/compiled-query.ts';
import type { ReplacedQuery } from '../../../query/replace-in-query.ts';
import type { OperationOptions, Pull } from '../../connector.ts';
import { SourceError, isSourceError } from '../../source-error.ts';
import { CannotRunError } from '../given-rows.ts';
import type { TableReference } from './table-reference.ts';
import { withGivenTables } from './with-given-tables.ts';

/** How a source kind replaces its tables by given rows. */
export interface GivenTables {
  /** Positions where a query reads tables. Rejects with `CannotRunError` if these are uncertain. */
  referencesIn(query: CompiledQuery, options: OperationOptions): Promise<readonly TableReference[]>;
  /** The SELECT that gives the rows of a data object. Throws a `CannotRunError` for types that cannot be had. */
  bodyOf(object: DataObject, query: CompiledQuery): string;
  /** Rejects with `CannotRunError` if the query with given rows still reads a table. */
  verify?(query: CompiledQuery): Promise<void>;
  /** Rejects with `GivenRowsError` for rows that do not fit the columns. */
  checkRows(object: DataObject, body: string, options: OperationOptions): Promise<void>;
  /** Whether an error of the source may be about a table or function that `referencesIn` has missed. */
  isUnfoundName?(error: SourceError): boolean;
}

/** A pull whose queries read given rows in place of the tables of the source; the rest of the statements is unchanged. */
export function onlinePull(pull: Pull, tables: GivenTables): Pull {
  const replaced = new WeakMap<CompiledQuery, Promise<ReplacedQuery<CompiledQuery>>>();
  const checked = new Map<string, Promise<void>>();
  /** Statements of a connection run one after another. */
  let last: Promise<unknown> = Promise.resolve();

  async function replace(query: CompiledQuery, options: OperationOptions): Promise<ReplacedQuery<CompiledQuery>> {
    if (!/^\s*SELECT\b/i.test(query.sql)) throw new CannotRunError('A query that is no SELECT cannot be given rows.');
    const references = await tables.referencesIn(query, options);
    const bodies = new Map(references.map(({ object }) => [object, tables.bodyOf(object, query)]));
    for (const [object, body] of bodies) {
      const check = checked.get(body) ?? tables.checkRows(object, body, options);
      checked.set(body, check);
      await check;
    }
    const given = withGivenTables(query, references, (object) => bodies.get(object) ?? '');
    await tables.verify?.(given.query);
    return given;
  }

  function run<T>(
    query: CompiledQuery,
    options: OperationOptions,
    work: (query: CompiledQuery) => Promise<T>,
  ): Promise<T> {
    const turn = last.then(async () => {
      const known = replaced.get(query) ?? replace(query, options);
      replaced.set(query, known);
      const { query: given, positionOf } = await known;
      return work(given).catch((error: unknown) => {
        throw ofOriginal(error, positionOf);
      });
    });
    last = turn.catch(() => undefined);
    return turn;
  }

  function ofOriginal(error: unknown, positionOf: (position: number) => number | undefined): unknown {
    if (!isSourceError(error)) return error;
    if (tables.isUnfoundName?.(error)) {
      return new CannotRunError(`Given rows cannot stand in for all that its SQL reads: ${error.message}`);
    }
    const { position, ...details } = error.details;
    if (position === undefined) return error;
    const own = positionOf(position);
    const moved = { ...details, ...(own !== undefined && { position: own }), cause: error };
    return new SourceError(error.code, error.message, moved);
  }

  return {
    columnsOf: (query, options) => run(query, options, (given) => pull.columnsOf(given, options)),
    load: (query, table, options) => run(query, options, (given) => pull.load(given, table, options)),
    async close() {
      await last;
      await pull.close();
    },
  };
}
