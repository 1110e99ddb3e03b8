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
  ProcessContextValues,
  PropertyValue,
  RelationshipPatch,
  RowCorrelationValues,
  PreviewShare,
} from '../canvas-intents.ts';
import type { ProblemAddress } from '../graph-view.ts';
import type { SuggestedRule } from '../rule-suggestions.ts';
import {
  type Shape,
  choice,
  either,
  flag,
  list,
  nullable,
  number,
  object,
  optional,
  record,
  tagged,
  text,
} from './shape.ts';

const processContext: Shape<ProcessContextValues> = object<ProcessContextValues>({
  description: optional(text),
  owner: optional(text),
  businessRules: optional(list(text)),
  procedures: optional(list(text)),
  links: optional(list(text)),
});

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

const entitySource = {
  dataObject: optional(nullable(text)),
  key: optional(nullable(list(text))),
  entityType: optional(nullable(text)),
  properties: optional(nullable(properties)),
  joins: optional(nullable(text)),
  where: optional(nullable(text)),
  processContext: optional(nullable(processContext)),
};

/** An entry of `entities` in a patch; null removes a field. */
const masterDataPatch: Shape<MasterDataPatch> = object<MasterDataPatch>({
  ...entitySource,
  name: optional(nullable(text)),
  validFrom: optional(nullable(text)),
  validFromAtEndOfDay: optional(nullable(flag)),
});

/** An element in a patch; null removes a field. */
const elementPatch: Shape<ElementPatch> = object<ElementPatch>({
  ...entitySource,
  activityName: optional(nullable(text)),
  startTimestamp: optional(nullable(text)),
  startExpression: optional(nullable(text)),
  startAtEndOfDay: optional(nullable(flag)),
  changeTimestamp: optional(nullable(text)),
  changeExpression: optional(nullable(text)),
  changeAtEndOfDay: optional(nullable(flag)),
  sequence: optional(nullable(text)),
  activityColumn: optional(nullable(text)),
  correlatesWith: optional(nullable(list(rowCorrelation))),
  ownEntity: optional(nullable(flag)),
});

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
  configureElement: { element: text, values: elementPatch },
  addMasterData: { dataObject: text, dataSource: optional(text) },
  configureMasterData: { entry: text, values: masterDataPatch },
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
