import type { FieldTable, FieldsOf } from './field.ts';
import { sharedFields } from './shared-fields.ts';

/** The fields of an entry of `elements`, in writing order. */
export const elementFields = {
  activityName: {
    type: 'name',
    label: 'Activity Name',
    needed: true,
    description: 'The name of the activity, verb then subject. Unique in the file: relationships refer to it.',
    examples: ['Open Incident'],
  },
  dataObject: {
    type: 'dataObject',
    label: 'Data Object',
    needed: true,
    description:
      'The data object whose rows are the events: a table of the first configured schema by its bare name, any other as schema.table; a file by its base name without extension; an endpoint by its name.',
    examples: ['incident'],
  },
  key: {
    type: 'key',
    label: 'Key',
    description:
      'One column, or a list of columns, that identifies the entity (not the row). Default: the primary key of the data object. In text files the texts of the cells are compared: 10 and 10.0 are two entities, unless the data source declares the type of the column (types).',
    examples: ['sys_id', ['order_id', 'line_no']],
  },
  entityType: {
    type: 'entityType',
    label: 'Entity Type',
    description:
      'The type of the entity. Elements with the same entity type share their entities. Default: the name of the data object.',
    examples: ['incident'],
  },
  startTimestamp: {
    type: 'time',
    label: 'Start Timestamp',
    needed: true,
    expression: 'startExpression',
    atEndOfDay: 'startAtEndOfDay',
    description:
      'The column with the time of the event, or an SQL expression that computes it: { expression: … }. A date without time of day is the end of its day with { column: …, atEndOfDay: true }. Without it the element is unconfigured and cannot be imported.',
    examples: ['opened_at', { expression: 'order_day + order_time' }],
  },
  changeTimestamp: {
    type: 'time',
    label: 'Change Timestamp',
    placeholder: 'None',
    expression: 'changeExpression',
    atEndOfDay: 'changeAtEndOfDay',
    description:
      'The column with the time of a later change, or an SQL expression that computes it: { expression: … }. A date without time of day is the end of its day with { column: …, atEndOfDay: true }. Where it differs from the start, the row gives a second event.',
    examples: ['sys_updated_on'],
  },
  endTimestamp: {
    type: 'time',
    label: 'End Timestamp',
    placeholder: 'None',
    expression: 'endExpression',
    atEndOfDay: 'endAtEndOfDay',
    description:
      'The column with the time at which the activity ended, or an SQL expression that computes it: { expression: … }. A date without time of day is the end of its day with { column: …, atEndOfDay: true }. The row gives an event for its end, too: the process map counts both once, with the service time between them.',
    examples: ['closed_at'],
  },
  timeZone: sharedFields.timeZone,
  lifecycle: {
    type: 'lifecycle',
    label: 'Starts and Ends in Rows of Their Own',
    description:
      'For logs whose rows are starts and ends of activities: the column that says which, and its values for both. The rows of an entity and an activity are paired in order, first in, first out. Other values are events of their own.',
    examples: [{ column: 'lifecycle:transition', start: ['start'], end: ['complete'] }],
  },
  sequence: {
    type: 'column',
    label: 'Sequence',
    counts: 'value',
    section: 'sql',
    placeholder: 'None: orders events of one time',
    description: 'A column that orders events of equal time: numbers by value, times by time, everything else as text.',
    examples: ['sys_mod_count'],
  },
  activityColumn: {
    type: 'column',
    label: 'Activity Column',
    counts: 'text',
    placeholder: 'None: all are this activity',
    description:
      'A column with the activity of each event, as in event logs. In text files the text of the cell is used. activityName remains the name of the element.',
    examples: ['state'],
  },
  activityNames: {
    type: 'activityNames',
    label: 'Names of Activities',
    description:
      'Other names for texts of the activity column: { "old text": new name }. Several texts may have one name, and texts that are not listed stay as they are. Rules, measures and all that follows know the new names.',
    examples: [{ 'in progress': 'Work on Incident', 'In Progress': 'Work on Incident' }],
  },
  correlatesWith: {
    type: 'rowCorrelations',
    label: 'Entities of Each Row',
    description:
      "Further entities to which the events of a row belong: this row's event is also about these. An entity that nothing else makes is made by it. For relations between entities, use relationships.",
    examples: [[{ entityType: 'incident', key: 'incident_number', qualifier: 'about' }]],
  },
  ownEntity: {
    type: 'flag',
    label: 'Each row is an entity of its own',
    description:
      'false: the events have no entity of their own. The key then only identifies the row, and correlatesWith says to which entities its events belong. Default: true.',
    examples: [false],
  },
  properties: {
    type: 'properties',
    label: 'Properties',
    description:
      'The columns to keep at each event: a list, or all for every column of the data object. A column of a joined table is alias.column. { column: …, name: … } gives a property a name of its own.',
    examples: [['number', 'priority'], 'all'],
  },
  dataSource: sharedFields.dataSource,
  joins: {
    ...sharedFields.joins,
    examples: ['LEFT JOIN sys_user AS caller ON caller.sys_id = incident.caller_id'],
  },
  where: {
    type: 'sql',
    label: 'WHERE filter',
    section: 'sql',
    description: 'A condition in the SQL of the data source that rows must meet. The source evaluates it.',
    examples: ['incident.active = true'],
  },
  expect: sharedFields.expect,
  processContext: sharedFields.processContext,
} as const satisfies FieldTable;

/** The fields with a time. */
export type TimeRole = FieldsOf<typeof elementFields, 'time'>;

/** All of them, in writing order. */
export const timeRoles = Object.entries(elementFields).flatMap(([key, { type }]) =>
  type === 'time' ? [key as TimeRole] : [],
);
