import { unconfiguredMessage } from '../../model/configuration-state.ts';
import type { GraphCheck } from './check.ts';

/** An element lacks its activity name, data object or start timestamp: the red exclamation mark of the canvas. */
export const elementUnconfigured: GraphCheck = {
  codes: ['element-unconfigured'],
  scope: 'entry',
  check: ({ graph, parsed }) =>
    graph.elements.flatMap((element) => {
      const message = unconfiguredMessage(element);
      if (message === undefined) return [];
      const range = element.activityName?.range ?? firstLine(element.range, parsed.yaml.text);
      return {
        ...{ code: 'element-unconfigured', severity: 'error', range },
        // What is found in an entry is kept while the entry stays, but its number changes with those above it.
        get message() {
          return unconfiguredMessage(element) ?? message;
        },
      };
    }),
};

/** A whole entry would be underlined over many lines. */
export function firstLine(range: { readonly start: number; readonly end: number }, text: string) {
  const lineEnd = text.indexOf('\n', range.start);
  return lineEnd < 0 || lineEnd >= range.end ? range : { start: range.start, end: Math.max(lineEnd, range.start + 1) };
}
