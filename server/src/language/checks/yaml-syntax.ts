import type { Check } from './check.ts';
import type { Problem } from '../../model/problem.ts';
import type { YamlText } from '../../model/yaml-text.ts';

/**
 * The text is no YAML. Of each part that cannot be read only the first mistake is told: what comes after it is mostly its consequence, and is told next
 * when it is not.
 */
export const yamlSyntax: Check<{
  readonly parsed: { readonly problems: readonly Problem[]; readonly yaml: YamlText };
}> = {
  codes: ['yaml-syntax'],
  check({ parsed }) {
    const problems = parsed.problems.toSorted((left, right) => left.range.start - right.range.start);
    const parts = parsed.yaml.broken;
    if (!parts) return problems.slice(0, 1);
    const first = parts.map(({ start, end }) =>
      problems.find(({ range }) => range.start >= start && range.start <= end),
    );
    const inNone = problems.filter(
      ({ range }) => !parts.some(({ start, end }) => range.start >= start && range.start <= end),
    );
    return [...first.filter((problem) => problem !== undefined), ...inNone];
  },
};
