import { type EntityElement, hasOwnEntity } from '../model/entity-graph.ts';
import type { Problem } from '../model/problem.ts';

type WithLifecycle = Partial<Pick<EntityElement, 'lifecycle' | 'endTimestamp' | 'endExpression' | 'ownEntity'>>;

/** What keeps starts and ends of an element from being found: two ways to say them, a value that is both, or no entity. */
export function lifecycleProblems(element: WithLifecycle): readonly Problem[] {
  const { lifecycle, endTimestamp, endExpression, ownEntity } = element;
  if (!lifecycle) return [];
  const unclear = (message: string, { range }: Pick<Problem, 'range'>): Problem => ({
    code: 'lifecycle-unclear',
    severity: 'error',
    message,
    range,
  });
  const starts = new Set(lifecycle.start.map(({ value }) => value));
  return [
    ...(endTimestamp || endExpression
      ? [
          unclear(
            'The end of an activity is in its row (endTimestamp) or in a row of its own (lifecycle), not in both. Remove one of them.',
            lifecycle,
          ),
        ]
      : []),
    ...lifecycle.end
      .filter(({ value }) => starts.has(value))
      .map((each) => unclear(`"${each.value}" is a start and an end. Remove it from one of the lists.`, each)),
    ...(ownEntity && !hasOwnEntity({ ownEntity })
      ? [
          {
            code: 'no-own-entity',
            severity: 'error',
            message:
              'Starts and ends are paired by their own entity, which the events of this element lack (ownEntity: false). Remove lifecycle, or give the element a key of its entity.',
            range: lifecycle.range,
          } as const,
        ]
      : []),
  ];
}
