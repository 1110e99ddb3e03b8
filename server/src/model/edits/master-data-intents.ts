import type { MasterDataPatch } from '../../../../protocol/canvas-intents.ts';
import { masterDataFields } from '../../../../protocol/fields/master-data.ts';
import {
  freeName,
  listOf,
  patched,
  placeOf,
  quoted,
  renamedEnds,
  nameRejection,
  selecting,
} from './element-intents.ts';
import { identifyCards, masterDataNameOf } from './entry-ids.ts';
import type { IntentOutcome } from './intent-outcome.ts';
import type { JsonObject } from './json-value.ts';
import { withRenamedSteps } from './rename-steps.ts';
import { writtenFields } from './written-forms.ts';

/** Adds an entry of `entities` at the end and selects its data object. It is named only if that name is taken. */
export function addMasterData(
  graph: JsonObject,
  added: { readonly dataObject: string; readonly dataSource?: string | undefined },
): IntentOutcome {
  const { dataObject } = added;
  const { dataObjects, dataSource } = selecting(graph, added);
  const names = new Set(identifyCards(graph).map(({ name }) => name));
  const name = nameRejection(dataObject, graph, '') === undefined ? {} : { name: freeName(dataObject, names) };
  const entities = [...listOf(graph, 'entities'), { ...name, ...dataSource, dataObject }];
  const next = { ...graph, dataObjects, entities };
  return { graph: next, ...placeOf(next, 'entities', entities.length - 1) };
}

/** Writes the changed values of a dialog; relationship ends follow the name, which may be that of the entity type. */
export function configureMasterData(graph: JsonObject, id: string, values: MasterDataPatch): IntentOutcome {
  const found = identifyCards(graph).find((card) => card.list === 'entities' && card.id === id);
  if (!found) return { refusal: `The entry ${quoted(id)} of entities is no longer in the file.` };
  const entry = patched(found.entry, writtenFields(masterDataFields, values, found.entry));
  const name = masterDataNameOf(entry);
  const refusal = name === undefined || name === found.name ? undefined : nameRejection(name, graph, id);
  if (refusal !== undefined) return { refusal };
  const entities = listOf(graph, 'entities').with(found.index, entry);
  const isRenamed = found.name === id && name !== undefined && name !== id;
  const named = { ...graph, entities, ...(isRenamed ? renamedEnds(graph, id, name) : {}) };
  const next = withRenamedSteps(graph, named);
  return { graph: next, ...placeOf(next, 'entities', found.index) };
}
