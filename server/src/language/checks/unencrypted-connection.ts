import { isMap } from 'yaml';
import { sourceKind } from '../../connectors/source-kinds.ts';
import type { Problem } from '../../model/problem.ts';
import { rangeOf, resolveNode } from '../../model/yaml-text.ts';
import type { SourcesCheck } from './check.ts';

/** A source that sends its password and rows to another machine unencrypted if that machine offers no encryption. */
export const unencryptedConnection: SourcesCheck = {
  codes: ['unencrypted-connection'],
  check: ({ parsed: { sources, yaml } }) =>
    sources.sources.flatMap(({ name, kind, settings }): readonly Problem[] => {
      const found = sourceKind(kind?.value)?.unencryptedSetting?.(settings);
      if (!found) return [];
      const { host, path, value, best, least } = found;
      const node = resolveNode(yaml.document.getIn(['dataSources', name.value, ...path], true), yaml);
      return [
        {
          code: 'unencrypted-connection',
          severity: 'warning',
          message: `With "${value}", password and rows go to ${host} in the clear when it offers no encryption. Use "${best}", or at least "${least}".`,
          range: node && !isMap(node) ? rangeOf(node) : name.range,
          suggestions: [least, best],
        },
      ];
    }),
};
