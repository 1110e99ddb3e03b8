import type { ElementPatch, MasterDataPatch, RelationshipPatch } from '../canvas-intents.ts';
import { elementFields } from '../fields/element.ts';
import type { FieldTable, FieldType } from '../fields/field.ts';
import { masterDataFields } from '../fields/master-data.ts';
import { processContextFields } from '../fields/process-context.ts';
import { crossTableFields, relationshipFields } from '../fields/relationship.ts';
import {
  activityNames,
  crossMapping,
  dataObjectName,
  expectations,
  graphListName,
  graphTextName,
  lifecycle,
  mapping,
  pathStep,
  property,
  rowCorrelation,
  suggestedRule,
} from './canvas-value-shapes.ts';
import {
  type Checked,
  type Shape,
  choice,
  count,
  either,
  flag,
  list,
  nullable,
  object,
  optional,
  tagged,
  text,
} from './shape.ts';

const properties = either(list(property), choice({ all: true }));

/** Fields in a field; lists of a cross table are always there. */
function fieldsIn(fields: FieldTable): Shape<unknown> {
  return object(
    Object.fromEntries(
      Object.entries(fields).map(([key, { type }]) => [
        key,
        type in sides
          ? sides[type as keyof typeof sides]
          : optional(plain[type as keyof typeof plain] as Shape<unknown>),
      ]),
    ),
  );
}

const sides = { sourceMappings: list(crossMapping), targetMappings: list(crossMapping) };

const plain = {
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
  timeZone: text,
  flag,
  properties,
  rowCorrelations: list(rowCorrelation),
  end: text,
  mappings: list(mapping),
  path: list(pathStep),
  correlation: text,
};

const valueOf: Readonly<Record<FieldType, Shape<unknown>>> = {
  ...plain,
  ...sides,
  expectations,
  lifecycle,
  activityNames,
  processContext: fieldsIn(processContextFields),
  crossTable: fieldsIn(crossTableFields),
};

/** An entry in a patch; null removes a field. */
function patchOf<Patch>(fields: FieldTable): Shape<Patch> {
  const values = Object.entries(fields).flatMap(([key, { type, expression, atEndOfDay }]) => [
    [key, valueOf[type]] as const,
    ...(expression === undefined ? [] : [[expression, text] as const]),
    ...(atEndOfDay === undefined ? [] : [[atEndOfDay, flag] as const]),
  ]);
  return object(Object.fromEntries(values.map(([key, shape]) => [key, optional(nullable(shape))]))) as Shape<Patch>;
}

/** New values of fields of several elements. */
export const fixedElements = list(object({ element: text, values: patchOf<ElementPatch>(elementFields) }));

/** A change requested on the canvas; the server converts it to text edits. Ids are those of the graph view. */
export const canvasIntent = tagged('kind', {
  /** The complete new list of selected data objects, in order. */
  selectDataObjects: { dataObjects: list(dataObjectName) },
  /** Adds a provisional element, and selects its data object. */
  addElement: { dataObject: text, dataSource: optional(text) },
  configureElement: { element: text, values: patchOf<ElementPatch>(elementFields) },
  /** Changes several elements in one step. */
  configureElements: { elements: fixedElements },
  /** Adds an entry of `entities`, and selects its data object; `inPlaceOf` an element, which is removed. */
  addMasterData: { dataObject: text, dataSource: optional(text), inPlaceOf: optional(text) },
  configureMasterData: { entry: text, values: patchOf<MasterDataPatch>(masterDataFields) },
  /** An element, or an entry of `entities`. */
  duplicateElement: { element: text },
  /** Adds a draft, unless it has mappings. */
  addRelationship: { source: text, target: text, mappings: optional(list(mapping)) },
  configureRelationship: { relationship: text, values: patchOf<RelationshipPatch>(relationshipFields) },
  /** Changes a text of the graph; an empty one is removed. */
  setGraphText: { field: graphTextName, text },
  /** Appends an entry that can then be changed in the text. */
  addGraphEntry: { list: graphListName },
  /** Removes an entry, by its place among those that the graph parts have. */
  removeGraphEntry: { list: graphListName, index: count },
  /** Appends rules of the process. */
  addRules: { rules: list(suggestedRule) },
  /** Appends a finding that is as it should be. */
  acceptFinding: { finding: text, element: optional(text), column: optional(text), reason: optional(text) },
  /**
   * Also removes relationships of removed elements. Entries of `entities` are among the elements; correlations are
   * places in `correlatesWith` of an element.
   */
  remove: {
    elements: list(text),
    relationships: list(text),
    correlations: optional(list(object({ element: text, index: count }))),
  },
});
export type CanvasIntent = Checked<typeof canvasIntent>;
