import type { GraphCheck } from './check.ts';
import { firstLine } from './element-unconfigured.ts';
import { notIn, withSuggestions } from './process-names.ts';

/** Entries of `accepted` of elements that are not in the file. */
export const acceptedFindings: GraphCheck = {
  codes: ['accepted-unknown-name'],
  sections: ['accepted'],
  check({ graph, parsed }) {
    const names = new Set(graph.elements.flatMap(({ activityName }) => activityName?.value ?? []));
    const named = graph.accepted.flatMap(({ element }) => element ?? []);
    const unknown = notIn(names, named, (wrong) => `No element of this file has the activity name "${wrong}".`);
    return withSuggestions(unknown, 'accepted-unknown-name').map((problem) => ({
      ...problem,
      range: firstLine(problem.range, parsed.yaml.text),
    }));
  },
};
