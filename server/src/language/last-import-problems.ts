import type { Problem } from '../model/problem.ts';
import type { GraphContext } from './graph-context.ts';
import { brokenExpectations } from './imported-expectations.ts';
import { brokenRules } from './imported-rules.ts';

/** What the data breaks, as the last import found: rules, and expectations of rows. */
export function lastImportProblems({
  parsed: { graph, yaml },
  importedRules,
  importedExpectations,
}: GraphContext): readonly Problem[] {
  return [
    ...(importedExpectations ? brokenExpectations(graph, yaml.text, importedExpectations) : []),
    ...(importedRules ? brokenRules(graph, yaml.text, importedRules) : []),
  ];
}
