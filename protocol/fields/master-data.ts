import type { FieldTable } from './field.ts';
import { sharedFields } from './shared-fields.ts';

/** The fields of an entry of `entities`, in writing order. */
export const masterDataFields = {
  name: {
    type: 'name',
    label: 'Name',
    notEmpty: true,
    description:
      'The name by which relationships refer to it. Unique in the file, among activity names too. Default: the entity type.',
    examples: ['Customers'],
  },
  entityType: {
    type: 'entityType',
    label: 'Entity Type',
    description:
      'The type of the entities; elements and entries with one entity type share their entities. Default: the name of the data object.',
    examples: ['customer'],
  },
  dataObject: {
    type: 'dataObject',
    label: 'Data Object',
    needed: true,
    notEmpty: true,
    description: 'The data object whose rows are the entities, named as in the catalog.',
    examples: ['customers'],
  },
  key: {
    type: 'key',
    label: 'Key',
    description:
      'One column, or a list of columns, that identifies the entity. Default: the primary key of the data object. Of several rows with one key the last one counts, unless validFrom makes them versions.',
    examples: ['customer_id'],
  },
  validFrom: {
    type: 'time',
    label: 'Valid From',
    placeholder: 'One row for each entity',
    atEndOfDay: 'validFromAtEndOfDay',
    description:
      'The column that says since when the values of a row hold. The rows of one key are then versions of the entity: its timeline and exports show each value with its time. Where it is empty, the values hold from the start.',
    examples: ['valid_from'],
  },
  timeZone: sharedFields.timeZone,
  properties: {
    type: 'properties',
    label: 'Properties',
    description:
      'The columns to keep of each entity: a list, or all for every column of the data object. A column of a joined table is alias.column. { column: …, name: … } gives a property a name of its own.',
    examples: [['company_name', 'country'], 'all'],
  },
  dataSource: sharedFields.dataSource,
  joins: {
    ...sharedFields.joins,
    examples: ['LEFT JOIN regions AS region ON region.id = customers.region_id'],
  },
  where: {
    type: 'sql',
    label: 'WHERE filter',
    section: 'sql',
    description: 'A condition in the SQL of the data source that rows must meet; it is applied at the source.',
    examples: ['customers.active'],
  },
  expect: sharedFields.expect,
  processContext: sharedFields.processContext,
} as const satisfies FieldTable;
