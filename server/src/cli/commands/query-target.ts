import type { QueryTarget } from '../../../../protocol/query-results.ts';
import { type Invocation, type OptionSpec, UsageError } from '../command.ts';

export const targetOptions: readonly OptionSpec[] = [
  { name: 'element', value: 'NAME', help: 'The activity name of an element' },
  { name: 'entities', value: 'NAME', help: 'The name of an entry of entities' },
  { name: 'relationship', value: 'NAME', help: 'The name of a relationship, or "source -> target"' },
];

/** The query that `--element`, `--entities` or `--relationship` names. Throws `UsageError` unless exactly one is given. */
export function readTarget({ options }: Invocation): QueryTarget {
  const given = (['element', 'entities', 'relationship'] as const).flatMap((kind): readonly QueryTarget[] => {
    const name = options[kind];
    return name === undefined ? [] : [{ kind, name }];
  });
  const [target, ...others] = given;
  if (target && others.length === 0) return target;
  throw new UsageError('Name one of --element, --entities and --relationship.');
}
