import type { Pull } from '../connectors/connector.ts';
import { isSourceDown } from '../connectors/source-down.ts';
import type { SourceError } from '../connectors/source-error.ts';
import type { ImportSources } from './import-source.ts';
import { QueryFailure } from './query-failure.ts';

/** A data source went down while it was read, in an import that may use kept rows instead. */
export class SourceLost extends Error {
  constructor(
    readonly dataSource: string,
    readonly reason: SourceError,
  ) {
    super(reason.message, { cause: reason });
    this.name = 'SourceLost';
  }
}

/** A pull that rejects with `SourceLost` once its data source is down: some are not contacted before. */
export function watchedPull(pull: Pull, dataSource: string): Pull {
  const lost = (error: unknown): never => {
    throw isSourceDown(error) ? new SourceLost(dataSource, error) : error;
  };
  const { fingerprint } = pull;
  return {
    ...pull,
    columnsOf: (query, options) => pull.columnsOf(query, options).catch(lost),
    ...(fingerprint && {
      fingerprint: (query, options) => fingerprint.call(pull, query, options).catch(lost),
    }),
    load: (query, table, options) => pull.load(query, table, options).catch(lost),
  };
}

/** The sources of an import that starts anew without one that is down; undefined if the error has another reason. */
export function withoutLost(sources: ImportSources, error: unknown): ImportSources | undefined {
  const lost = error instanceof QueryFailure ? error.reason : error;
  if (!(lost instanceof SourceLost)) return undefined;
  const [first, ...others] = sources.map((source) =>
    source.name === lost.dataSource ? { ...source, down: lost.reason } : source,
  );
  return first && [first, ...others];
}
