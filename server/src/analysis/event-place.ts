/** How the activities of events are named. */
export interface Places {
  /** Separates start and change events of an activity. */
  readonly lifecycle: boolean;
}

/** SQL of the activity label of an event. */
export function placeSql(activity: string, lifecycleColumn: string, { lifecycle }: Places): string {
  return lifecycle ? `${activity} || CASE WHEN ${lifecycleColumn} = 'change' THEN ' · change' ELSE '' END` : activity;
}

/** SQL of the place of a row of `event`. */
export function eventPlaceSql(alias: string, view: Places): string {
  return placeSql(`${alias}.activity`, `${alias}.lifecycle`, view);
}

/** Condition that an event is not an end, which is counted with its start (docs/semantics.md#58-end-events). */
export function noEnd(alias: string): string {
  return `${alias}.lifecycle <> 'end'`;
}

/** The same of a column with ids of events. */
export function noEndId(column: string): string {
  return `${column} NOT IN (SELECT ended.id FROM event AS ended WHERE ended.lifecycle = 'end')`;
}
