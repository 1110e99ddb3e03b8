import type { JoinSuggestion } from '../../../../protocol/canvas-intents.ts';
import { applyIntent } from '../../model/edits/apply-intent.ts';
import { editText } from '../../model/edits/edit-text.ts';
import { type EntitySource, masterDataName } from '../../model/entity-graph.ts';
import type { GraphContext } from '../graph-context.ts';
import { suggestJoinsOf } from '../completion/suggest-joins.ts';
import { entryAt } from './properties.ts';
import type { OfferedChange, Refactoring } from './refactoring.ts';

/** Limit, so that other actions stay visible. */
const maxOffers = 5;

/** Adds a relationship suggested by foreign keys that does not exist yet. */
export const relateByForeignKey: Refactoring = {
  kind: 'refactor.extract',
  offers(context, offset) {
    const source = entryAt(context, offset);
    const { catalog, parsed } = context;
    const { graph } = parsed;
    if (!catalog || !source?.dataObject || endName(source) === undefined) return [];
    return [...graph.elements, ...graph.entities]
      .filter((target) => target !== source && !areRelated(context, source, target))
      .flatMap((target) => {
        const [first] = suggestJoinsOf(catalog, source, target);
        return first && first.reason !== 'same name' ? offerJoin(context, source, target, first) : [];
      })
      .slice(0, maxOffers);
  },
};

/** The name by which a relationship refers to it. */
function endName(entry: EntitySource): string | undefined {
  return 'isMasterData' in entry ? masterDataName(entry) : entry.activityName?.value;
}

function areRelated({ parsed: { graph } }: GraphContext, one: EntitySource, other: EntitySource): boolean {
  const names = [endName(one), endName(other)].toSorted();
  return graph.relationships.some(({ source, target }) => {
    const ends = [source?.value, target?.value].toSorted();
    return ends[0] === names[0] && ends[1] === names[1];
  });
}

function offerJoin(
  { parsed }: GraphContext,
  source: EntitySource,
  target: EntitySource,
  { mappings, crossTable, reason }: JoinSuggestion,
): readonly OfferedChange[] {
  const [from, to] = [endName(source), endName(target)];
  if (from === undefined || to === undefined) return [];
  const edits: OfferedChange['edits'] = () =>
    editText(parsed.yaml, (graph) => {
      const added = applyIntent(graph, { kind: 'addRelationship', source: from, target: to, mappings });
      if ('refusal' in added || !crossTable) return 'refusal' in added ? added : added.graph;
      const relationship = added.select?.slice('relationship:'.length) ?? '';
      const joined = applyIntent(added.graph, { kind: 'configureRelationship', relationship, values: { crossTable } });
      return 'refusal' in joined ? joined : joined.graph;
    });
  return [{ title: `Relate to "${to}" (${reason})`, edits }];
}
