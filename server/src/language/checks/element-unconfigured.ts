import { unconfiguredMessage } from '../../model/configuration-state.ts';
import type { GraphCheck } from './check.ts';

/** An element without activity name, data object or start timestamp: the exclamation mark on the canvas. */
export const elementUnconfigured: GraphCheck = {
  codes: ['element-unconfigured'],
  scope: 'entry',
  check: ({ graph, parsed }) =>
    graph.elements.flatMap((element) => {
      const message = unconfiguredMessage(element);
      if (message === undefined) return [];
      const range = element.activityName?.range ?? firstLine(element.range, parsed.yaml.text);
      return {
        code: 'element-unconfigured',
        severity: 'error',
        range,
        // Results are cached with their entry, while its number may change.
        get message() {
          return unconfiguredMessage(element) ?? message;
        },
      };
    }),
};

/** A whole entry would underline many lines. */
export function firstLine(range: { readonly start: number; readonly end: number }, text: string) {
  const lineEnd = text.indexOf('\n', range.start);
  return lineEnd < 0 || lineEnd >= range.end ? range : { start: range.start, end: Math.max(lineEnd, range.start + 1) };
}
