import type { EntryDraft } from '../../../protocol/canvas-intents.ts';
import type { Catalog, DataObject } from '../catalog/catalog.ts';
import { elementValues, masterDataValues } from '../model/entry-values.ts';
import { parseEntityGraph } from '../model/parse-model.ts';
import { draftGraph } from './draft.ts';

/** The fields of a new element or master data entry of a data object, as the catalog alone suggests them. */
export function draftEntry(object: DataObject, catalog: Pick<Catalog, 'dataSource' | 'dialect'>): EntryDraft {
  const { text } = draftGraph({
    name: object.name,
    catalog,
    inputs: [{ object }],
    areNamed: true,
    special: new Map(),
    answers: [],
  });
  const { elements, entities } = parseEntityGraph(text).graph;
  const [element] = elements;
  const [entry] = entities;
  return { element: element && elementValues(element), masterData: entry && masterDataValues(entry) };
}
