import type { Pull } from '../connectors/connector.ts';
import { isSourceDown } from '../connectors/source-down.ts';
import { type SourceError, isSourceError } from '../connectors/source-error.ts';
import type { ImportSources } from './import-source.ts';
import { QueryFailure } from './query-failure.ts';

/** A data source of an import failed. */
export class DataSourceFailure extends Error {
  constructor(
    readonly dataSource: string,
    readonly reason: SourceError,
    readonly details: DataSourceFailureDetails,
  ) {
    super(reason.message, { cause: reason });
    this.name = 'DataSourceFailure';
  }
}

interface DataSourceFailureDetails {
  /** Whether the import reads others, too, so that the failure names this one. */
  readonly isOneOfSeveral: boolean;
  /** The data source is down, and the row cache lacks its rows. */
  readonly lacksKeptRows?: true;
}

/** The failure of a data source behind an error of an import. */
export function dataSourceFailure(error: unknown): DataSourceFailure | undefined {
  const reason = error instanceof QueryFailure ? error.reason : error;
  return reason instanceof DataSourceFailure ? reason : undefined;
}

/** Wraps an error of a data source in a failure with its name; returns other errors unchanged. */
export function ofDataSource(error: unknown, dataSource: string, isOneOfSeveral: boolean): unknown {
  return isSourceError(error) ? new DataSourceFailure(dataSource, error, { isOneOfSeveral }) : error;
}

/** A pull whose errors name its data source; some data sources are first contacted by the pull. */
export function namedPull(pull: Pull, dataSource: string, isOneOfSeveral: boolean): Pull {
  const failed = (error: unknown): never => {
    throw ofDataSource(error, dataSource, isOneOfSeveral);
  };
  const { fingerprint } = pull;
  return {
    ...pull,
    columnsOf: (query, options) => pull.columnsOf(query, options).catch(failed),
    ...(fingerprint && {
      fingerprint: (query, options) => fingerprint.call(pull, query, options).catch(failed),
    }),
    load: (query, table, options) => pull.load(query, table, options).catch(failed),
  };
}

/**
 * The sources for a second attempt, with the failed one marked as down. Undefined unless the error says that a source
 * is down.
 */
export function withoutFailedSource(sources: ImportSources, error: unknown): ImportSources | undefined {
  const failed = dataSourceFailure(error);
  if (!failed || failed.details.lacksKeptRows || !isSourceDown(failed.reason)) return undefined;
  const [first, ...others] = sources.map((source) =>
    source.name === failed.dataSource ? { ...source, down: failed.reason } : source,
  );
  return first && [first, ...others];
}
