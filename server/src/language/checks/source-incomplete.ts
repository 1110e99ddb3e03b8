import { type Node, isMap, isNode, isScalar } from 'yaml';
import { sentence } from '../../../../protocol/sentence.ts';
import type { DataSource } from '../../model/data-sources.ts';
import type { Problem } from '../../model/problem.ts';
import type { SourceRange } from '../../model/source-range.ts';
import { type YamlText, rangeOf } from '../../model/yaml-text.ts';
import type { SourcesCheck } from './check.ts';

/** Maximum number of texts in a message. */
const maxListed = 5;

/** Warnings of the last catalog read of a data source, which are shown nowhere else in the editor. */
export const sourceIncomplete: SourcesCheck = {
  codes: ['source-incomplete'],
  check: ({ parsed: { sources, yaml }, catalogs, failures }) =>
    sources.sources.flatMap((source): readonly Problem[] => {
      const { name } = source;
      const failure = failures?.get(name.value);
      if (failure?.code === 'file-missing') {
        const message = [sentence(failure.message), failure.remedy].filter((part) => part !== undefined).join(' ');
        return [{ code: 'source-incomplete', severity: 'warning', message, range: rangeOfFiles(yaml, source) }];
      }
      const {
        warnings: all = [],
        complete = true,
        unusedSettings = [],
        doubtfulSettings = [],
      } = catalogs?.get(name.value) ?? {};
      const placed = [...unusedSettings, ...doubtfulSettings].map(({ path, message }): Problem => {
        const key = keyOf(yaml.document.getIn(['dataSources', ...path.slice(0, -1)], true), path.at(-1));
        return { code: 'source-incomplete', severity: 'warning', message, range: key ? rangeOf(key) : name.range };
      });
      const warnings = all.filter((warning) => !placed.some(({ message }) => message === warning));
      if (warnings.length === 0) return placed;
      const more = warnings.length - maxListed;
      const rest = more > 0 ? [`${more} more: run Diagnose Data Source to see all of them.`] : [];
      return [
        ...placed,
        {
          code: 'source-incomplete',
          severity: complete ? 'information' : 'warning',
          message: [...warnings.slice(0, maxListed), ...rest].join('\n'),
          range: name.range,
        },
      ];
    }),
};

/** Where a data source says which files it reads. */
export function rangeOfFiles({ document }: YamlText, { name }: DataSource): SourceRange {
  const nodes = ['path', 'graph'].map((setting) => document.getIn(['dataSources', name.value, setting], true));
  const node = nodes.find((each) => isNode(each));
  return node ? rangeOf(node) : name.range;
}

/** The key of a setting. */
function keyOf(settings: unknown, name: string | undefined): Node | undefined {
  if (!isMap(settings)) return undefined;
  return settings.items.map(({ key }) => key).find((key) => isScalar(key) && String(key.value) === name) as
    Node | undefined;
}
