import { activityNamesProblems } from '../../query/activity-names-problems.ts';
import { firstLine } from './element-unconfigured.ts';
import type { GraphCheck } from './check.ts';

/** New names of activities without an activity column. */
export const activityNamesUnused: GraphCheck = {
  codes: ['activity-names-unused'],
  scope: 'entry',
  check: ({ graph, parsed }) =>
    graph.elements
      .flatMap(activityNamesProblems)
      .map((problem) => ({ ...problem, range: firstLine(problem.range, parsed.yaml.text) })),
};
