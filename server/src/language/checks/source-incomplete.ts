import type { SourcesCheck } from './check.ts';

/** Maximum number of texts in a message. */
const maxListed = 5;

/** Warnings of the last catalog read of a data source, which are shown nowhere else in the editor. */
export const sourceIncomplete: SourcesCheck = {
  codes: ['source-incomplete'],
  check: ({ parsed, catalogs }) =>
    parsed.sources.sources.flatMap(({ name }) => {
      const { warnings = [], complete = true } = catalogs?.get(name.value) ?? {};
      if (warnings.length === 0) return [];
      const more = warnings.length - maxListed;
      const rest = more > 0 ? [`${more} more: run Diagnose Data Source to see all of them.`] : [];
      return [
        {
          code: 'source-incomplete',
          severity: complete ? 'information' : 'warning',
          message: [...warnings.slice(0, maxListed), ...rest].join('\n'),
          range: name.range,
        },
      ];
    }),
};
