import type { EntityElement } from '../model/entity-graph.ts';
import type { Problem } from '../model/problem.ts';

/** New names of activities of an element whose activities are not those of a column. */
export function activityNamesProblems({
  activityNames,
  activityColumn,
}: Partial<Pick<EntityElement, 'activityNames' | 'activityColumn'>>): readonly Problem[] {
  if (!activityNames || activityColumn) return [];
  return [
    {
      code: 'activity-names-unused',
      severity: 'error',
      message:
        'activityNames are names for texts of the activityColumn, which this element does not have. Add activityColumn, or remove activityNames.',
      range: activityNames.range,
    },
  ];
}
