import { SourceError } from './source-error.ts';

/**
 * The refusal to drop a graph that another import has built.
 * @param started in UTC, to the minute
 */
export function builtByOther(schema: string, entity: string, started: string): SourceError {
  const message = `The schema ${schema} holds the graph of another import: of ${entity}, begun ${started} (UTC).`;
  return new SourceError('source-config', message, {
    remedy:
      'Leave its tables, or drop it yourself. If it was built from another copy of this file, import this one once more: then the graph is its own, and can be dropped.',
  });
}
