import type { Problem } from '../../model/problem.ts';
import { type YamlText, rangeOf } from '../../model/yaml-text.ts';
import type { Check } from './check.ts';

/** An alias leads nowhere, or aliases multiply beyond what can be read: nothing of the file could be checked. */
export const unknownAnchor: Check<{ readonly parsed: { readonly yaml: YamlText } }> = {
  codes: ['yaml-syntax'],
  check({ parsed: { yaml } }) {
    const { aliases, isTooLarge, target } = yaml.links;
    const unknown = aliases.filter((alias) => target(alias) === undefined);
    const problems = unknown.map((alias): Problem => {
      const message = `"*${alias.source}" refers to no anchor above it. Put the value in quotes when it starts with "*".`;
      return { code: 'yaml-syntax', severity: 'error', message, range: rangeOf(alias) };
    });
    return problems.length > 0 || !isTooLarge ? problems : [tooManyAliases(yaml)];
  },
};

function tooManyAliases(yaml: YamlText): Problem {
  const [first] = yaml.links.aliases;
  const message = 'The aliases of this file multiply beyond what can be read. Write some of them out.';
  return { code: 'yaml-syntax', severity: 'error', message, range: first ? rangeOf(first) : { start: 0, end: 0 } };
}
