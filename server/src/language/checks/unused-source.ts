import type { SourcesCheck } from './check.ts';

/** A data source that no entity graph uses. Not reported without any graph. */
export const unusedSource: SourcesCheck = {
  codes: ['unused-source'],
  check: ({ parsed, usedSources }) =>
    usedSources && usedSources.size > 0
      ? parsed.sources.sources
          .filter(({ name }) => !usedSources.has(name.value))
          .map(({ name }) => ({
            code: 'unused-source',
            severity: 'information',
            message: `No entity graph in this folder or below reads "${name.value}". Remove it, or write a graph that reads it.`,
            range: name.range,
          }))
      : [],
};
