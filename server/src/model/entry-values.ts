import type { ElementValues, MasterDataValues } from '../../../protocol/canvas-intents.ts';
import { elementFields } from '../../../protocol/fields/element.ts';
import type { FieldTable, FieldType } from '../../../protocol/fields/field.ts';
import { masterDataFields } from '../../../protocol/fields/master-data.ts';
import { processContextFields } from '../../../protocol/fields/process-context.ts';
import type { EntityElement, MasterData, ProcessContext, PropertySelection, RowCorrelation } from './entity-graph.ts';
import type { Located } from './source-range.ts';

/** The values of an element's dialog: what is read of it, without places. Incomplete row correlations are kept. */
export function elementValues(element: EntityElement): ElementValues {
  return valuesOf(element, elementParts);
}

/** The values of the dialog of an entry of `entities`. */
export function masterDataValues(entry: MasterData): MasterDataValues {
  return valuesOf(entry, masterDataParts);
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
  flag: plain,
  properties: propertyValues,
  rowCorrelations: (entries: readonly RowCorrelation[]) => entries.map(rowCorrelationValues),
  expectations: () => undefined,
  lifecycle: () => undefined,
  processContext: (context: ProcessContext) => valuesOf(context, contextParts),
};

const contextParts = partsOf(processContextFields);
const elementParts = partsOf(elementFields);
const masterDataParts = partsOf(masterDataFields);

function partsOf(fields: FieldTable): readonly Part[] {
  return Object.entries(fields).flatMap(([key, { type, expression, atEndOfDay, dialog }]): readonly Part[] => [
    ...(dialog === false ? [] : [[key, valueOfType[type]] as const]),
    ...(expression === undefined ? [] : [[expression, plain] as const]),
    ...(atEndOfDay === undefined ? [] : [[atEndOfDay, onlyTrue] as const]),
  ]);
}

function valuesOf(entry: object, parts: readonly Part[]): object {
  const values: Record<string, unknown> = {};
  for (const [name, valueOf] of parts) {
    const read = (entry as Readonly<Record<string, unknown>>)[name];
    const value = read === undefined ? undefined : valueOf(read as never);
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
