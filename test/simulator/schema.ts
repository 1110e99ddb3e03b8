/** A column as described by `sys_dictionary`. */
export interface SimulatedColumn {
  readonly element: string;
  readonly type: string;
  readonly label: string;
  /** Target table of a reference. */
  readonly reference?: string;
}

export interface SimulatedTable {
  readonly name: string;
  readonly label: string;
  readonly superClass?: string;
  /** Own columns only; inherited ones belong to the ancestor. */
  readonly columns: readonly SimulatedColumn[];
}

const system =
  'sys_id:GUID sys_created_on:glide_date_time sys_created_by:string sys_updated_on:glide_date_time sys_updated_by:string sys_mod_count:integer';

/** One line per table: name, label, ancestor, own columns as `element:type` or `element:reference>table`. */
const definitions: readonly (readonly [name: string, label: string, superClass: string, columns: string])[] = [
  [
    'task',
    'Task',
    '',
    `${system} number:string sys_class_name:sys_class_name short_description:string description:string state:integer priority:integer impact:integer urgency:integer active:boolean opened_at:glide_date_time closed_at:glide_date_time opened_by:reference>sys_user assigned_to:reference>sys_user assignment_group:reference>sys_user_group cmdb_ci:reference>cmdb_ci parent:reference>task made_sla:boolean reassignment_count:integer due_date:due_date calendar_duration:glide_duration work_notes:journal_input watch_list:glide_list`,
  ],
  [
    'incident',
    'Incident',
    'task',
    'caller_id:reference>sys_user category:string incident_state:integer severity:integer close_code:string resolved_at:glide_date_time resolved_by:reference>sys_user reopen_count:integer problem_id:reference>problem caused_by:reference>change_request business_stc:integer',
  ],
  [
    'problem',
    'Problem',
    'task',
    'problem_state:integer known_error:boolean first_reported_by_task:reference>task related_incidents:integer confirmed_at:glide_date_time',
  ],
  [
    'change_request',
    'Change Request',
    'task',
    'type:string risk:integer start_date:glide_date_time end_date:glide_date_time requested_by:reference>sys_user on_hold:boolean',
  ],
  [
    'task_ci',
    'CIs Affected',
    '',
    `${system} task:reference>task ci_item:reference>cmdb_ci applied:boolean applied_date:glide_date_time`,
  ],
  ['cmdb_ci', 'Configuration Item', '', `${system} name:string install_date:glide_date cost:decimal`],
  [
    'sys_user',
    'User',
    '',
    `${system} user_name:string name:string first_name:string last_name:string email:email active:boolean manager:reference>sys_user preferred_language:string user_password:password2`,
  ],
  ['sys_user_group', 'Group', '', `${system} name:string manager:reference>sys_user active:boolean`],
  [
    'sys_audit',
    'Sys Audit',
    '',
    'sys_id:GUID tablename:table_name fieldname:string documentkey:string oldvalue:string newvalue:string user:string record_checkpoint:integer sys_created_on:glide_date_time sys_created_by:string',
  ],
  [
    'sys_audit_delete',
    'Deleted Records',
    '',
    'sys_id:GUID tablename:table_name documentkey:string display_value:string sys_created_on:glide_date_time sys_created_by:string',
  ],
  [
    'sys_db_object',
    'Tables',
    '',
    `${system} name:string label:string super_class:reference>sys_db_object is_extendable:boolean`,
  ],
  [
    'sys_dictionary',
    'Dictionary Entry',
    '',
    `${system} name:table_name element:string column_label:string internal_type:reference>sys_glide_object reference:reference>sys_db_object max_length:integer mandatory:boolean active:boolean choice:integer`,
  ],
  [
    'sys_choice',
    'Choice',
    '',
    `${system} name:table_name element:string value:string label:string language:string sequence:integer inactive:boolean`,
  ],
  ['sys_properties', 'System Property', '', `${system} name:string value:string`],
  [
    'sys_documentation',
    'Field Label',
    '',
    `${system} name:table_name element:string label:string plural:string language:string`,
  ],
  [
    'sys_attachment',
    'Attachment',
    '',
    `${system} file_name:string content_type:string size_bytes:integer table_name:table_name table_sys_id:string download_link:string encryption_context:string`,
  ],
  ['metric_definition', 'Metric Definition', '', `${system} name:string table:table_name field:field_name`],
  [
    'metric_instance',
    'Metric',
    '',
    `${system} definition:reference>metric_definition id:document_id table:table_name field:field_name value:string start:glide_date_time end:glide_date_time duration:glide_duration`,
  ],
  ['sys_db_view', 'Database View', '', `${system} name:string label:string`],
  [
    'sys_db_view_table',
    'View Table',
    '',
    `${system} view:reference>sys_db_view table:table_name variable_prefix:string where_clause:string left_join:boolean order:integer active:boolean`,
  ],
  ['sys_db_view_table_field', 'View Field', '', `${system} view_table:reference>sys_db_view_table field:field_name`],
  [
    'u_order',
    'Order',
    '',
    `${system} number:string u_amount:currency u_price:price u_fee:currency2 u_fee_currency:string`,
  ],
  ['imp_incident', 'Incident staging', '', `${system} u_number:string u_short_description:string u_priority:string`],
];

/** A database view: rows of its tables, joined. */
export interface SimulatedView {
  readonly name: string;
  readonly label: string;
  readonly tables: readonly SimulatedViewTable[];
}

export interface SimulatedViewTable {
  readonly table: string;
  readonly prefix: string;
  /** Two prefixed columns that are equal in a joined row; the first table has none. */
  readonly equal?: readonly [one: string, other: string];
  /** Rows of the previous tables occur also without one of this table. */
  readonly isLeft?: boolean;
  /** Columns in the view; all if absent. */
  readonly fields?: readonly string[];
}

export const simulatedViews: ReadonlyMap<string, SimulatedView> = new Map(
  (
    [
      {
        name: 'incident_metric',
        label: 'Incident Metric',
        tables: [
          { table: 'metric_definition', prefix: 'md' },
          { table: 'metric_instance', prefix: 'mi', equal: ['mi_definition', 'md_sys_id'] },
          { table: 'incident', prefix: 'inc', equal: ['inc_sys_id', 'mi_id'] },
        ],
      },
      {
        name: 'u_incident_problem',
        label: 'Incidents and their problems',
        tables: [
          { table: 'incident', prefix: 'inc' },
          { table: 'problem', prefix: 'prb', equal: ['prb_sys_id', 'inc_problem_id'], isLeft: true },
          { table: 'task_ci', prefix: 'tc', equal: ['tc_task', 'inc_sys_id'], isLeft: true },
        ],
      },
      {
        name: 'u_incident_states',
        label: 'States of incidents',
        tables: [{ table: 'incident', prefix: 'inc', fields: ['state', 'priority', 'opened_at'] }],
      },
    ] satisfies readonly SimulatedView[]
  ).map((view) => [view.name, view]),
);

/** Every table of the simulated instance by its name. */
export const simulatedTables: ReadonlyMap<string, SimulatedTable> = new Map(
  definitions.map(([name, label, superClass, columns]) => [
    name,
    { name, label, ...(superClass && { superClass }), columns: columns.split(' ').map(parseColumn) },
  ]),
);

/** All columns of a table or view, inherited ones included. */
export function columnsOf(tableName: string): readonly SimulatedColumn[] {
  return [...columnsByName(tableName).values()];
}

/** The column of a table or view with this name. */
export function columnOf(tableName: string, name: string): SimulatedColumn | undefined {
  return columnsByName(tableName).get(name);
}

/** Kept, because columns are looked up for each value of each record. */
const columnsByName = remembered((tableName: string): ReadonlyMap<string, SimulatedColumn> => {
  const view = simulatedViews.get(tableName);
  const table = simulatedTables.get(tableName);
  const inherited = table?.superClass ? columnsOf(table.superClass) : [];
  const columns = view ? view.tables.flatMap(viewColumns) : [...inherited, ...(table?.columns ?? [])];
  return new Map(columns.map((column) => [column.element, column]));
});

function viewColumns({ table, prefix, fields }: SimulatedViewTable): readonly SimulatedColumn[] {
  return columnsOf(table)
    .filter(({ element }) => fields?.includes(element) ?? true)
    .map((column) => ({ ...column, element: `${prefix}_${column.element}` }));
}

/** The table itself and all that extend it. */
export const descendants: (tableName: string) => readonly string[] = remembered((tableName) => {
  const children = [...simulatedTables.values()].filter(({ superClass }) => superClass === tableName);
  return [tableName, ...children.flatMap(({ name }) => descendants(name))];
});

/** A function of tables, which never change. */
function remembered<Result>(compute: (tableName: string) => Result): (tableName: string) => Result {
  const known = new Map<string, Result>();
  return (tableName) => {
    const result = known.get(tableName) ?? compute(tableName);
    known.set(tableName, result);
    return result;
  };
}

function parseColumn(text: string): SimulatedColumn {
  const [element = '', rest = 'string'] = text.split(':');
  const [type = 'string', reference] = rest.split('>');
  const label = element.replace(/_/g, ' ').replace(/^./, (letter) => letter.toUpperCase());
  return { element, type, label, ...(reference && { reference }) };
}
