import type { ElementPatch, MasterDataPatch } from '../canvas-intents.ts';
import { elementFields } from '../fields/element.ts';
import type { FieldTable, FieldType } from '../fields/field.ts';
import { masterDataFields } from '../fields/master-data.ts';
import { processContextFields } from '../fields/process-context.ts';
import {
  dataObjectName,
  mapping,
  property,
  relationshipPatch,
  rowCorrelation,
  suggestedRule,
} from './canvas-value-shapes.ts';
import {
  type Checked,
  type Shape,
  anything,
  choice,
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

const processContext = object(
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
  lifecycle: anything,
  processContext,
};

/** An entry in a patch; null removes a field. */
function patchOf<Patch>(fields: FieldTable): Shape<Patch> {
  const values = Object.entries(fields).flatMap(([key, { type, expression, atEndOfDay, dialog }]) => [
    ...(dialog === false ? [] : [[key, valueOf[type]] as const]),
    ...(expression === undefined ? [] : [[expression, text] as const]),
    ...(atEndOfDay === undefined ? [] : [[atEndOfDay, flag] as const]),
  ]);
  return object(Object.fromEntries(values.map(([key, shape]) => [key, optional(nullable(shape))]))) as Shape<Patch>;
}

/** A change requested on the canvas; the server converts it to text edits. Ids are those of the graph view. */
export const canvasIntent = tagged('kind', {
  /** The complete new list of selected data objects, in order. */
  selectDataObjects: { dataObjects: list(dataObjectName) },
  /** Adds a provisional element, and selects its data object. */
  addElement: { dataObject: text, dataSource: optional(text) },
  configureElement: { element: text, values: patchOf<ElementPatch>(elementFields) },
  /** Adds an entry of `entities`, and selects its data object. */
  addMasterData: { dataObject: text, dataSource: optional(text) },
  configureMasterData: { entry: text, values: patchOf<MasterDataPatch>(masterDataFields) },
  /** An element, or an entry of `entities`. */
  duplicateElement: { element: text },
  /** Adds a draft, unless it has mappings. */
  addRelationship: { source: text, target: text, mappings: optional(list(mapping)) },
  configureRelationship: { relationship: text, values: relationshipPatch },
  /** Appends rules of the process. */
  addRules: { rules: list(suggestedRule) },
  /** Also removes relationships of removed elements. Entries of `entities` are among the elements. */
  remove: { elements: list(text), relationships: list(text) },
});
export type CanvasIntent = Checked<typeof canvasIntent>;
