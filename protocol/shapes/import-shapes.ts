import { choice, count, flag, optional, tagged, text } from './shape.ts';

/** A slice of a graph: the first rows of each element, or events since a time (ISO 8601, UTC). */
export const slice = { sample: optional(count), since: optional(text) };

/** What an import does unless it is told otherwise. */
export const buildChoices = {
  /** Ignores the row cache and reads everything. */
  isFull: optional(flag),
  /**
   * Builds from the rows kept for a data source that cannot be reached, instead of failing (`--sources-down keep`);
   * ignored for a slice.
   */
  usesKeptRows: optional(flag),
  /** Publishes also if a guard of severity `error` is broken (`--accept-guards`). */
  acceptsGuards: optional(flag),
  sample: slice.sample,
};

/** A job of the engine. */
export const importRequest = tagged('kind', {
  /** Builds the graph of an entity graph, or a slice of it. */
  build: { ...slice, ...buildChoices },
  /** Copies the graph that the last import built inside its source to this machine. */
  fetch: {},
});

/** What the page *Import* opens outside of the canvas. */
export const importLink = choice({
  'process map': true,
  plan: true,
  settings: true,
  log: true,
});
