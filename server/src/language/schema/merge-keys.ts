import { type ParsedNode, isAlias, isMap, isScalar, isSeq, visit } from 'yaml';
import type { Problem } from '../../model/problem.ts';
import { type YamlText, rangeOf } from '../../model/yaml-text.ts';

/** The merge key of YAML 1.1. In YAML 1.2 it is a key like any other, and nothing is merged. */
export const mergeKey = '<<';

/** A problem for each merge key, also where any key is allowed, such as in the rows of a test. Quoted keys are names. */
export function mergeKeyProblems({ text, document }: YamlText): readonly Problem[] {
  if (!text.includes(mergeKey)) return [];
  const problems: Problem[] = [];
  visit(document, {
    Pair(_, { key, value }) {
      const isMerge = isScalar(key) && key.value === mergeKey && key.type === 'PLAIN';
      if (!isMerge || !(isAlias(value) || isMap(value) || isSeq(value))) return;
      const message = `"<<" merges nothing here: merge keys belong to YAML 1.1, and this file is YAML 1.2. Write the fields out, or use an alias for a whole value, as in "key: *name".`;
      problems.push({ code: 'schema-unknown-property', severity: 'error', message, range: rangeOf(key as ParsedNode) });
    },
  });
  return problems;
}
