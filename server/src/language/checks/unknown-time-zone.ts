import { isMap } from 'yaml';
import type { Problem } from '../../model/problem.ts';
import { didYouMean, nearestNames } from '../../model/nearest-name.ts';
import { rangeOf, resolveNode } from '../../model/yaml-text.ts';
import type { SourcesCheck } from './check.ts';

/** A data source's time zone that is not in the IANA list. */
export const unknownTimeZone: SourcesCheck = {
  codes: ['unknown-time-zone'],
  check: ({ parsed: { sources, yaml } }) =>
    sources.sources.flatMap(({ name, timeZone }): readonly Problem[] => {
      if (timeZone.includes('${') || isTimeZone(timeZone)) return [];
      const node = resolveNode(yaml.document.getIn(['dataSources', name.value, 'timeZone'], true), yaml);
      const nearest = nearestNames(timeZone, Intl.supportedValuesOf('timeZone'));
      const remedy = didYouMean(nearest) ?? 'Use a name such as Europe/Berlin or UTC.';
      return [
        {
          code: 'unknown-time-zone',
          severity: 'error',
          message: `"${timeZone}" is not a time zone. ${remedy}`,
          range: node && !isMap(node) ? rangeOf(node) : name.range,
          ...(nearest.length > 0 ? { suggestions: nearest } : {}),
        },
      ];
    }),
};

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
