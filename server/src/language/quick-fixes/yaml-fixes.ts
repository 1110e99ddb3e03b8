import type { Problem } from '../../model/problem.ts';
import type { YamlText } from '../../model/yaml-text.ts';
import { convertedValues } from './convert-value.ts';
import { suggestedFixes } from './did-you-mean.ts';
import type { Fix } from './quick-fix.ts';
import { requiredKeyFixes } from './required-keys.ts';
import { syntaxFixes } from './yaml-syntax.ts';

/** The fixes that need no more than the text and its problem, the most likely first: of all our languages. */
export function fixesOfYaml(problem: Problem, yaml: YamlText): readonly Fix[] {
  if (problem.code === 'yaml-syntax') return syntaxFixes(problem, yaml);
  return [
    ...suggestedFixes(problem, yaml),
    ...(problem.code === 'schema-missing-property' || problem.code === 'schema-type'
      ? [...requiredKeyFixes(problem, yaml), ...convertedValues(problem, yaml)]
      : []),
  ];
}
