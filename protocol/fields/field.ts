/** What a field holds. Reader, JSON Schema, dialog values and checks of messages follow from it. */
export type FieldType =
  /** A text for readers, and a list of them. */
  | 'text'
  | 'texts'
  /** The name of the entry, which relationships use. */
  | 'name'
  | 'dataSource'
  | 'dataObject'
  | 'entityType'
  /** A column, and one column or a list of them. */
  | 'column'
  | 'key'
  /** Texts of the activity column, and the activities that they are. */
  | 'activityNames'
  /** A column with a time, or `{ column, expression, atEndOfDay }`. */
  | 'time'
  | 'sql'
  /** A name of the IANA time zone database. */
  | 'timeZone'
  | 'flag'
  | 'properties'
  | 'rowCorrelations'
  | 'expectations'
  /** `{ column, start, end }`: which rows start an activity, and which end it. */
  | 'lifecycle'
  | 'processContext'
  /** The name of an element or of an entry of `entities`. */
  | 'end'
  /** Conditions that join two sides; those of a cross table join it to one side. */
  | 'mappings'
  | 'sourceMappings'
  | 'targetMappings'
  | 'crossTable'
  /** Names of relationships, with their directions. */
  | 'path'
  | 'correlation';

/** One field of an entry: everything that all programs know of it. */
export interface Field {
  readonly type: FieldType;
  /** Its name in forms, on cards and in messages there. */
  readonly label?: string;
  /** An import requires it. */
  readonly needed?: true;
  /** An empty text is a mistake; said for types that do not imply it. */
  readonly notEmpty?: true;
  /** Of a time: the values for its SQL and for the end of the day, in model and dialog. */
  readonly expression?: string;
  readonly atEndOfDay?: string;
  /** Of a column: whether queries need its value or its text, in files where these differ. */
  readonly counts?: 'value' | 'text';
  /** The closed part of the dialog that has it. */
  readonly section?: 'sql';
  /** What its control shows while it is empty. */
  readonly placeholder?: string;
  /** A text of several lines. */
  readonly isLong?: true;
  /** For hover, completion and the JSON Schema. */
  readonly description?: string;
  readonly examples?: readonly unknown[];
}

/** The fields of an entry, in writing order. */
export type FieldTable = Readonly<Record<string, Field>>;

/** The values of the fields of a type; those of a time are its column, its SQL, and whether it is the end of the day. */
export type ValuesOf<
  Table extends FieldTable,
  Of extends Readonly<Record<FieldType | 'expression' | 'atEndOfDay', unknown>>,
> = {
  readonly [Key in keyof Table]?: Of[Table[Key]['type']];
} & {
  readonly [Key in keyof Table as NameOf<Table[Key], 'expression'>]?: Of['expression'];
} & {
  readonly [Key in keyof Table as NameOf<Table[Key], 'atEndOfDay'>]?: Of['atEndOfDay'];
};

/** The names of the fields of a type. */
export type FieldsOf<Table extends FieldTable, Type extends FieldType> = {
  [Key in keyof Table]: Table[Key]['type'] extends Type ? Key : never;
}[keyof Table];

type NameOf<Row extends Field, Part extends 'expression' | 'atEndOfDay'> =
  Row extends Readonly<Record<Part, infer Name extends string>> ? Name : never;
