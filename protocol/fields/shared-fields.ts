import type { FieldTable } from './field.ts';

/** The fields that elements and entries of `entities` share. */
export const sharedFields = {
  dataSource: {
    type: 'dataSource',
    label: 'Data Source',
    description:
      'The data source of the data object: a name in entity-sources.yaml. Default: the dataSource of the file.',
    examples: ['itsm'],
  },
  timeZone: {
    type: 'timeZone',
    label: 'Time Zone',
    section: 'sql',
    description:
      'The time zone of the times without zone in the rows of this entry, where it is not that of the data source: a name of the IANA list.',
    examples: ['Europe/Berlin'],
  },
  joins: {
    type: 'sql',
    label: 'Custom JOIN clauses',
    section: 'sql',
    description:
      "Custom JOIN clauses in the SQL of the data source. The data object's own, unqualified name is its alias.",
  },
  expect: {
    type: 'expectations',
    label: 'Expectations of Rows',
  },
  processContext: {
    type: 'processContext',
    label: 'Process Context',
  },
} as const satisfies FieldTable;
