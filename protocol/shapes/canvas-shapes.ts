import type {
  CanvasIntent,
  CanvasLayout,
  ColumnScopeValues,
  CrossMappingValues,
  CrossTableValues,
  DataObjectName,
  ElementPatch,
  MappingValues,
  MasterDataPatch,
  PathStepValues,
  PropertyValue,
  RelationshipPatch,
  RowCorrelationValues,
  PreviewShare,
} from '../canvas-intents.ts';
import { elementFields } from '../fields/element.ts';
import type { FieldTable, FieldType } from '../fields/field.ts';
import { masterDataFields } from '../fields/master-data.ts';
import { processContextFields } from '../fields/process-context.ts';
import type { ProblemAddress } from '../graph-view.ts';
import type { SuggestedRule } from '../rule-suggestions.ts';
import {
  type Shape,
  anything,
  choice,
  either,
  flag,
  list,
  members,
  nullable,
  number,
  object,
  optional,
  record,
  tagged,
  text,
} from './shape.ts';

type RenamedProperty = Exclude<PropertyValue, string>;

const property: Shape<PropertyValue> = either(text, object<RenamedProperty>({ column: text, name: text }));

const properties: Shape<readonly PropertyValue[] | 'all'> = either(list(property), choice<'all'>({ all: true }));

const rowCorrelation: Shape<RowCorrelationValues> = object<RowCorrelationValues>({
  entityType: optional(text),
  key: list(text),
  qualifier: optional(text),
  each: optional(choice<'list'>({ list: true })),
  separator: optional(text),
});

const processContext = members(
  Object.fromEntries(
    Object.entries(processContextFields).map(([key, { type }]) => [
      key,
      optional<unknown>(type === 'texts' ? list(text) : text),
    ]),
  ),
);

const valueOf: Readonly<Record<FieldType, Shape<unknown>>> = {
  text,
  texts: list(text),
  name: text,
  dataSource: text,
  dataObject: text,
  entityType: text,
  column: text,
  key: list(text),
  time: text,
  sql: text,
  flag,
  properties,
  rowCorrelations: list(rowCorrelation),
  expectations: anything,
  processContext,
};

/** An entry in a patch; null removes a field. */
function patchOf<Patch>(fields: FieldTable): Shape<Patch> {
  const values = Object.entries(fields).flatMap(([key, { type, expression, atEndOfDay, dialog }]) => [
    ...(dialog === false ? [] : [[key, valueOf[type]] as const]),
    ...(expression === undefined ? [] : [[expression, text] as const]),
    ...(atEndOfDay === undefined ? [] : [[atEndOfDay, flag] as const]),
  ]);
  return members(Object.fromEntries(values.map(([key, shape]) => [key, optional(nullable(shape))]))) as Shape<Patch>;
}

type JoiningMapping = Exclude<MappingValues, { readonly expression: string }>;
type ExpressionMapping = Extract<MappingValues, { readonly expression: string }>;

const mapping: Shape<MappingValues> = either(
  object<JoiningMapping>({ source: text, operator: optional(text), target: text }),
  object<ExpressionMapping>({ expression: text }),
);

const crossMapping: Shape<CrossMappingValues> = object<CrossMappingValues>({
  column: text,
  operator: optional(text),
  cross: text,
});

const crossTable: Shape<CrossTableValues> = object<CrossTableValues>({
  dataSource: optional(text),
  dataObject: optional(text),
  sourceMappings: list(crossMapping),
  targetMappings: list(crossMapping),
});

const pathStep: Shape<PathStepValues> = object<PathStepValues>({ relationship: text, reverse: optional(flag) });

const relationshipPatch: Shape<RelationshipPatch> = object<RelationshipPatch>({
  name: optional(nullable(text)),
  mappings: optional(nullable(list(mapping))),
  crossTable: optional(nullable(crossTable)),
  path: optional(nullable(list(pathStep))),
  correlate: optional(nullable(text)),
});

const suggestedRule: Shape<SuggestedRule> = object<SuggestedRule>({
  name: text,
  each: object<SuggestedRule['each']>({ entityType: text }),
  expect: list(record(text)),
  atLeast: optional(text),
});

const dataObjectName: Shape<DataObjectName> = object<DataObjectName>({ name: text, dataSource: optional(text) });

export const canvasIntent: Shape<CanvasIntent> = tagged<CanvasIntent, 'kind'>('kind', {
  selectDataObjects: { dataObjects: list(dataObjectName) },
  addElement: { dataObject: text, dataSource: optional(text) },
  configureElement: { element: text, values: patchOf<ElementPatch>(elementFields) },
  addMasterData: { dataObject: text, dataSource: optional(text) },
  configureMasterData: { entry: text, values: patchOf<MasterDataPatch>(masterDataFields) },
  duplicateElement: { element: text },
  addRelationship: { source: text, target: text, mappings: optional(list(mapping)) },
  configureRelationship: { relationship: text, values: relationshipPatch },
  addRules: { rules: list(suggestedRule) },
  remove: { elements: list(text), relationships: list(text) },
});

export const canvasLayout: Shape<CanvasLayout> = object<CanvasLayout>({
  elements: record(object<{ readonly x: number; readonly y: number }>({ x: number, y: number })),
  grid: optional(flag),
});

export const previewShare: Shape<PreviewShare> = object<PreviewShare>({ beside: number, below: number });

/** The fields of a `ProblemAddress`. */
export const problemAddress = {
  list: choice<ProblemAddress['list']>({ elements: true, relationships: true }),
  entry: text,
  problem: text,
};

/** Input that determines the columns an element may use. */
export const columnScope: Shape<ColumnScopeValues> = object<ColumnScopeValues>({
  dataObject: optional(text),
  joins: optional(text),
  dataSource: optional(text),
});
