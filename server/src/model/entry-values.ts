import type {
  ElementValues,
  MappingValues,
  MasterDataValues,
  RelationshipValues,
} from '../../../protocol/canvas-intents.ts';
import { elementFields } from '../../../protocol/fields/element.ts';
import type { FieldTable, FieldType } from '../../../protocol/fields/field.ts';
import { masterDataFields } from '../../../protocol/fields/master-data.ts';
import { processContextFields } from '../../../protocol/fields/process-context.ts';
import { crossTableFields, relationshipFields } from '../../../protocol/fields/relationship.ts';
import type {
  ActivityNames,
  CrossMapping,
  CrossTable,
  EntityElement,
  LifecycleColumn,
  Mapping,
  MappingOperator,
  MasterData,
  ProcessContext,
  PropertySelection,
  Relationship,
  RelationshipPath,
  RowCorrelation,
} from './entity-graph.ts';
import type { Located } from './source-range.ts';

/** The values of an element's dialog: what is read of it, without places. Incomplete row correlations are kept. */
export function elementValues(element: EntityElement): ElementValues {
  return valuesOf(element, elementParts);
}

/** The values of the dialog of an entry of `entities`. */
export function masterDataValues(entry: MasterData): MasterDataValues {
  return valuesOf(entry, masterDataParts);
}

/** The values of a relationship's dialog; what is unfinished is kept as it is written. */
export function relationshipValues(relationship: Relationship): RelationshipValues {
  return valuesOf(relationship, relationshipParts) as RelationshipValues;
}

/** The name of a value, and how it follows from what is read. */
type Part = readonly [name: string, value: (read: never) => unknown];

const plain = ({ value }: Located<unknown>): unknown => value;
const plainList = (list: readonly Located<string>[]): readonly string[] => list.map(({ value }) => value);

const valueOfType: Readonly<Record<FieldType, Part[1]>> = {
  text: plain,
  texts: plainList,
  name: plain,
  dataSource: plain,
  dataObject: plain,
  entityType: plain,
  column: plain,
  key: plainList,
  time: plain,
  sql: plain,
  timeZone: plain,
  flag: plain,
  properties: propertyValues,
  rowCorrelations: (entries: readonly RowCorrelation[]) => entries.map(rowCorrelationValues),
  // Shown as it is written.
  expectations: () => undefined,
  lifecycle: ({ column, start, end }: LifecycleColumn) => ({
    ...(column && { column: column.value }),
    start: plainList(start),
    end: plainList(end),
  }),
  activityNames: ({ renames }: ActivityNames) =>
    renames.map(({ text, name }) => ({ text: text.value, name: name.value })),
  processContext: (context: ProcessContext) => valuesOf(context, contextParts),
  end: plain,
  mappings: (mappings: readonly Mapping[]) => mappings.map(mappingValues),
  sourceMappings: crossMappingsValues,
  targetMappings: crossMappingsValues,
  crossTable: (crossTable: CrossTable) => valuesOf(crossTable, crossTableParts),
  path: ({ steps }: RelationshipPath) =>
    steps.map(({ relationship, reverse }) => ({
      relationship: relationship.value,
      ...(reverse === undefined ? {} : { reverse }),
    })),
  // A written one is kept as it is, and the default is no value.
  correlation: () => undefined,
};

const contextParts = partsOf(processContextFields);
const elementParts = partsOf(elementFields);
const masterDataParts = partsOf(masterDataFields);
const relationshipParts = partsOf(relationshipFields);
const crossTableParts = partsOf(crossTableFields);

function partsOf(fields: FieldTable): readonly Part[] {
  return Object.entries(fields).flatMap(([key, { type, expression, atEndOfDay }]): readonly Part[] => [
    [key, valueOfType[type]] as const,
    ...(expression === undefined ? [] : [[expression, plain] as const]),
    ...(atEndOfDay === undefined ? [] : [[atEndOfDay, onlyTrue] as const]),
  ]);
}

function valuesOf(entry: object & Pick<Relationship, 'asWritten'>, parts: readonly Part[]): object {
  const values: Record<string, unknown> = {};
  for (const [name, valueOf] of parts) {
    const read = (entry as Readonly<Record<string, unknown>>)[name];
    const value = entry.asWritten?.[name] ?? (read === undefined ? undefined : valueOf(read as never));
    if (value !== undefined) values[name] = value;
  }
  return values;
}

function onlyTrue({ value }: Located<boolean>): true | undefined {
  return value ? true : undefined;
}

function propertyValues(selection: PropertySelection): ElementValues['properties'] {
  if (selection.kind === 'all') return 'all';
  if (selection.columns.length === 0) return undefined;
  return selection.columns.map(({ value, name }) => (name ? { column: value, name: name.value } : value));
}

function rowCorrelationValues({ entityType, key, qualifier, each, separator }: RowCorrelation) {
  return {
    ...(entityType && { entityType: entityType.value }),
    ...(qualifier && { qualifier: qualifier.value }),
    key: plainList(key),
    ...(each && { each: each.value }),
    ...(separator && { separator: separator.value }),
  };
}

function mappingValues(mapping: Mapping): MappingValues {
  if (mapping.kind === 'expression') return { expression: mapping.expression.value };
  const { source, operator, target } = mapping;
  return { source: source.value, ...otherOperator(operator), target: target.value };
}

function crossMappingsValues(mappings: readonly CrossMapping[]) {
  return mappings.map(({ column, operator, cross }) => ({
    column: column.value,
    ...otherOperator(operator),
    cross: cross.value,
  }));
}

/** The default operator is not written. */
function otherOperator(operator: MappingOperator): { readonly operator?: MappingOperator } {
  return operator === '=' ? {} : { operator };
}
