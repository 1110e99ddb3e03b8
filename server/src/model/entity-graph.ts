import type { elementFields } from '../../../protocol/fields/element.ts';
import type { FieldTable, FieldType, ValuesOf } from '../../../protocol/fields/field.ts';
import type { masterDataFields } from '../../../protocol/fields/master-data.ts';
import type { processContextFields } from '../../../protocol/fields/process-context.ts';
import type { crossTableFields, relationshipFields } from '../../../protocol/fields/relationship.ts';
import { endsText } from '../../../protocol/relationship-name.ts';
import type { AcceptedEntry } from './accepted-entry.ts';
import type { CountRange } from './count-range.ts';
import type { Calendar } from './calendar.ts';
import type { Guard } from './guard.ts';
import type { Measure } from './measure.ts';
import type { ProcessRule, RuleSeverity } from './process-rule.ts';
import type { Located, LocatedSql, SourceRange } from './source-range.ts';

/** The comparison operators of a mapping, in display order. */
export const mappingOperators = ['=', '!=', '<', '<=', '>', '>=', 'like', 'not like'] as const;
export type MappingOperator = (typeof mappingOperators)[number];

export const correlations = ['both', 'source', 'target', 'none'] as const;
/** The ends of a relationship whose events are also correlated with the entity of the other end. */
export type Correlation = (typeof correlations)[number];

/** One entity graph file. Missing and malformed values are absent, never guessed. */
export interface EntityGraph {
  readonly range: SourceRange;
  readonly name?: Located<string>;
  readonly description?: Located<string>;
  readonly dataSource?: Located<string>;
  /** The selected data objects. */
  readonly dataObjects: readonly SelectedObject[];
  readonly elements: readonly EntityElement[];
  /** Objects without events of their own. */
  readonly entities: readonly MasterData[];
  readonly relationships: readonly Relationship[];
  /** Rules of the process, which are judged over the graph. */
  readonly rules: readonly ProcessRule[];
  readonly measures: readonly Measure[];
  readonly calendars: readonly Calendar[];
  readonly guards: readonly Guard[];
  /** Findings in the data that are as they should be. */
  readonly accepted: readonly AcceptedEntry[];
  readonly import: ImportSettings;
}

/** A selected data object. */
export interface SelectedObject extends Located<string> {
  /** Default: the data source of the file. */
  readonly dataSource?: Located<string>;
}

export interface ImportSettings {
  readonly engine: 'embedded' | 'source';
  readonly schema?: Located<string>;
  /** The catalog of the schema, where the source has several. */
  readonly catalog?: Located<string>;
  /** Absent if the file has no `import`. */
  readonly range?: SourceRange;
}

/** An entry of `elements`; its fields are those of `protocol/fields/element.ts`. */
export interface EntityElement extends EntryFields<typeof elementFields> {
  /** 0-based index in the file. */
  readonly index: number;
  readonly range: SourceRange;
  readonly properties: PropertySelection;
}

/** What is read of an entry: text with its range, and SQL with the offsets of its characters, too. */
type EntryFields<Table extends FieldTable> = ValuesOf<Table, ReadValues>;

interface ReadValues extends Readonly<Record<FieldType, unknown>> {
  readonly text: Located<string>;
  readonly texts: readonly Located<string>[];
  readonly name: Located<string>;
  readonly dataSource: Located<string>;
  readonly dataObject: Located<string>;
  readonly entityType: Located<string>;
  readonly column: Located<string>;
  readonly key: readonly Located<string>[];
  readonly time: Located<string>;
  readonly expression: LocatedSql;
  readonly atEndOfDay: Located<boolean>;
  readonly sql: LocatedSql;
  readonly timeZone: Located<string>;
  readonly flag: Located<boolean>;
  readonly properties: PropertySelection;
  readonly rowCorrelations: readonly RowCorrelation[];
  readonly expectations: RowExpectations;
  readonly lifecycle: LifecycleColumn;
  readonly activityNames: ActivityNames;
  readonly processContext: ProcessContext;
  readonly end: Located<string>;
  readonly mappings: readonly Mapping[];
  readonly sourceMappings: readonly CrossMapping[];
  readonly targetMappings: readonly CrossMapping[];
  readonly crossTable: CrossTable;
  readonly path: RelationshipPath;
  readonly correlation: Correlation;
}

/** Fields that are unfinished or have an unknown value, as the dialog shows them. */
type AsWritten = Readonly<Record<string, unknown>>;

/** Expectations of the rows of an element, or of an entry of `entities` (docs/semantics.md#57-expectations-of-rows). */
export interface RowExpectations {
  readonly range: SourceRange;
  /** Each a column, or several whose values together are different in each row. */
  readonly unique: readonly (readonly Located<string>[])[];
  readonly notNull: readonly Located<string>[];
  readonly values: readonly ExpectedValues[];
  readonly rows?: Located<CountRange>;
  /** Severity of broken expectations. Default: `warning`. */
  readonly severity: RuleSeverity;
  /** Whether it has only a severity and no expectation, which is a mistake. */
  readonly isOnlySeverity: boolean;
}

/** The values that a column may have, as canonical texts. */
export interface ExpectedValues {
  readonly column: Located<string>;
  readonly texts: readonly string[];
}

/** Which rows of an element start an activity, and which end it (docs/semantics.md#59-starts-and-ends-in-two-rows). */
export interface LifecycleColumn {
  readonly range: SourceRange;
  readonly column?: Located<string>;
  /** Values of the column, as canonical texts. */
  readonly start: readonly Located<string>[];
  readonly end: readonly Located<string>[];
}

/** Names of activities that replace texts of the activity column (docs/semantics.md#55-activity-of-an-event). */
export interface ActivityNames {
  readonly range: SourceRange;
  readonly renames: readonly { readonly text: Located<string>; readonly name: Located<string> }[];
}

/** Entities named by a row of an element. */
export interface RowCorrelation {
  readonly range: SourceRange;
  readonly entityType?: Located<string>;
  /** Columns of the element; several make a composite key. */
  readonly key: readonly Located<string>[];
  /** Default: the entity type. */
  readonly qualifier?: Located<string>;
  /** The value is an array of keys, or its JSON text. */
  readonly each?: Located<'list'>;
  /** Separator of several keys in a text value. */
  readonly separator?: Located<string>;
}

/**
 * An entry of `entities`: rows of a data object that are entities without events. Its fields are those of
 * `protocol/fields/master-data.ts`; its name is distinct from activity names, because relationships refer to it.
 */
export interface MasterData extends EntryFields<typeof masterDataFields> {
  readonly isMasterData: true;
  /** 0-based index in the file. */
  readonly index: number;
  readonly range: SourceRange;
  readonly properties: PropertySelection;
}

/** Common fields that define which rows of a data object are entities, and their key. */
export type EntitySource = EntityElement | MasterData;

export type PropertySelection =
  | { readonly kind: 'all'; readonly range: SourceRange }
  | { readonly kind: 'list'; readonly columns: readonly SelectedProperty[] };

/** A column stored with each event; its value is the column name as written. */
export interface SelectedProperty extends Located<string> {
  /** Another name of the property. */
  readonly name?: Located<string>;
}

/** Documentation of an entry; its fields are those of `protocol/fields/process-context.ts`. */
export interface ProcessContext extends EntryFields<typeof processContextFields> {
  readonly range: SourceRange;
}

/** An entry of `relationships`; its fields are those of `protocol/fields/relationship.ts`. */
export interface Relationship extends EntryFields<typeof relationshipFields> {
  /** 0-based index in the file. */
  readonly index: number;
  readonly range: SourceRange;
  readonly mappings: readonly Mapping[];
  /** Default: `both`. */
  readonly correlate: Correlation;
  readonly asWritten?: AsWritten;
}

export type Mapping = ColumnMapping | ExpressionMapping;

interface ColumnMapping {
  readonly kind: 'columns';
  readonly range: SourceRange;
  readonly source: Located<string>;
  readonly operator: MappingOperator;
  readonly target: Located<string>;
}

/** A custom SQL condition over the aliases `source`, `target` and, with a cross table, `cross`. */
interface ExpressionMapping {
  readonly kind: 'expression';
  readonly range: SourceRange;
  readonly expression: LocatedSql;
}

/** The cross table of a many-to-many relationship. */
export interface CrossTable extends EntryFields<typeof crossTableFields> {
  readonly range: SourceRange;
  readonly sourceMappings: readonly CrossMapping[];
  readonly targetMappings: readonly CrossMapping[];
  readonly asWritten?: AsWritten;
}

export interface CrossMapping {
  readonly range: SourceRange;
  /** Column of the source element (in `sourceMappings`) or of the target element (in `targetMappings`). */
  readonly column: Located<string>;
  /** Means `column operator cross` on the source side and `cross operator column` on the target side. */
  readonly operator: MappingOperator;
  readonly cross: Located<string>;
}

/** A chain of relationships: its pairs result from following one after another. */
export interface RelationshipPath {
  readonly range: SourceRange;
  readonly steps: readonly PathStep[];
}

export interface PathStep {
  readonly range: SourceRange;
  /** The effective name of a relationship. */
  readonly relationship: Located<string>;
  /** Whether it is followed from target to source; default: the direction that fits. */
  readonly reverse?: boolean;
}

/** The effective name of a relationship: explicit, or "source → target". */
export function relationshipName(relationship: Relationship): string {
  if (relationship.name) return relationship.name.value;
  return endsText(relationship.source?.value, relationship.target?.value);
}

/** The entity type of an element or an entry of `entities`; default: its data object's name. */
export function elementEntityType(element: Pick<EntitySource, 'entityType' | 'dataObject'>): string | undefined {
  return element.entityType?.value ?? element.dataObject?.value;
}

/** Whether rows of an element are entities. */
export function hasOwnEntity({ ownEntity }: Pick<EntityElement, 'ownEntity'>): boolean {
  return ownEntity?.value !== false;
}

/** The names that the activities of rows of an element get. */
export function namesOfActivities({ activityNames }: Pick<EntityElement, 'activityNames'>): readonly Located<string>[] {
  return (activityNames?.renames ?? []).map(({ name }) => name);
}

/** The types of the entities that rows of an element name. */
export function typesNamedByRows({ correlatesWith = [] }: Pick<EntityElement, 'correlatesWith'>) {
  return correlatesWith.flatMap(({ entityType }) => entityType ?? []);
}

/** The name of an entry of `entities`; default: its entity type. */
export function masterDataName(entry: MasterData): string | undefined {
  return entry.name?.value ?? elementEntityType(entry);
}

/** The qualifier of a row correlation; default: its entity type. */
export function correlationQualifier({ qualifier, entityType }: RowCorrelation): string | undefined {
  return qualifier?.value ?? entityType?.value;
}

/** The columns with expectations, including repeated ones. */
export function expectedColumns({ expect }: Pick<EntitySource, 'expect'>): readonly Located<string>[] {
  if (!expect) return [];
  return [...expect.unique.flat(), ...expect.notNull, ...expect.values.map(({ column }) => column)];
}
