import { isMap } from 'yaml';
import type { Problem } from '../../model/problem.ts';
import { timeZoneMistake } from '../../model/time-zones.ts';
import { rangeOf, resolveNode } from '../../model/yaml-text.ts';
import { zoneProblems } from '../../query/zone-problems.ts';
import type { GraphCheck, SourcesCheck } from './check.ts';

/** A time zone of an element, or of an entry of `entities`, that is not in the IANA list. */
export const unknownEntryZone: GraphCheck = {
  codes: ['unknown-time-zone'],
  scope: 'entry',
  check: ({ graph }) => [...graph.elements, ...graph.entities].flatMap(zoneProblems),
};

/** A data source's time zone that is not in the IANA list. */
export const unknownTimeZone: SourcesCheck = {
  codes: ['unknown-time-zone'],
  check: ({ parsed: { sources, yaml } }) =>
    sources.sources.flatMap(({ name, timeZone }): readonly Problem[] => {
      const mistake = timeZoneMistake(timeZone, { isOfSources: true });
      if (!mistake) return [];
      const { said, remedy, suggestions } = mistake;
      const node = resolveNode(yaml.document.getIn(['dataSources', name.value, 'timeZone'], true), yaml);
      return [
        {
          code: 'unknown-time-zone',
          severity: 'error',
          message: `${said} ${remedy}`,
          range: node && !isMap(node) ? rangeOf(node) : name.range,
          ...(suggestions.length > 0 ? { suggestions } : {}),
        },
      ];
    }),
};
