import { isAlias, visit } from 'yaml';
import type { Problem } from '../../model/problem.ts';
import { type YamlText, rangeOf } from '../../model/yaml-text.ts';
import { plainData } from '../schema/plain-data.ts';
import type { Check } from './check.ts';

/** An alias leads nowhere, or aliases multiply beyond what can be read: nothing of the file could be checked. */
export const unknownAnchor: Check<{ readonly parsed: { readonly yaml: YamlText } }> = {
  codes: ['yaml-syntax'],
  check({ parsed: { yaml } }) {
    // A text that could be read in parts has no anchors.
    if (yaml.broken || plainData(yaml) !== undefined) return [];
    const problems: Problem[] = [];
    visit(yaml.document, {
      Alias(_key, alias) {
        if (alias.resolve(yaml.document) !== undefined) return;
        const message = `"*${alias.source}" refers to no anchor above it. Put the value in quotes when it starts with "*".`;
        problems.push({ code: 'yaml-syntax', severity: 'error', message, range: rangeOf(alias) });
      },
    });
    return problems.length > 0 ? problems : [tooManyAliases(yaml)];
  },
};

function tooManyAliases(yaml: YamlText): Problem {
  const ranges: Problem['range'][] = [];
  visit(yaml.document, {
    Node(_key, node) {
      if (isAlias(node)) ranges.push(rangeOf(node));
    },
  });
  const message = 'The aliases of this file multiply beyond what can be read. Write some of them out.';
  return { code: 'yaml-syntax', severity: 'error', message, range: ranges[0] ?? { start: 0, end: 0 } };
}
