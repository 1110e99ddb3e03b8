import type { QueryTarget } from '../../../../protocol/query-results.ts';
import { type Invocation, type OptionSpec, UsageError } from '../command.ts';

export const targetOptions: readonly OptionSpec[] = [
  { name: 'element', value: 'NAME', help: 'The activity name of an element' },
  { name: 'relationship', value: 'NAME', help: 'The name of a relationship, or "source -> target"' },
];

/** The query that `--element` or `--relationship` names. Throws `UsageError` unless exactly one is given. */
export function readTarget(invocation: Invocation): QueryTarget {
  const { element, relationship } = invocation.options;
  if (element !== undefined && relationship === undefined) return { kind: 'element', name: element };
  if (relationship !== undefined && element === undefined) return { kind: 'relationship', name: relationship };
  throw new UsageError('Name one of --element and --relationship.');
}
