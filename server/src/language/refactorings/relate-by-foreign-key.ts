import type { JoinSuggestion } from '../../../../protocol/canvas-intents.ts';
import { applyIntent } from '../../model/edits/apply-intent.ts';
import { editText } from '../../model/edits/edit-text.ts';
import { type EntityGraph, type EntitySource, masterDataName } from '../../model/entity-graph.ts';
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
    const name = source && endName(source);
    if (!catalog || !source?.dataObject || name === undefined) return [];
    const related = relatedTo(graph, name);
    // Cached, because refactorings are requested at each cursor position, in graphs of thousands of elements.
    const joins = new Map<string, JoinSuggestion | undefined>();
    const offers: OfferedChange[] = [];
    for (const target of [...graph.elements, ...graph.entities]) {
      const targetName = endName(target);
      if (target === source || targetName === undefined || related.has(targetName)) continue;
      const rows = JSON.stringify([target.dataSource?.value, target.dataObject?.value]);
      if (!joins.has(rows)) joins.set(rows, suggestJoinsOf(catalog, source, target)[0]);
      const first = joins.get(rows);
      if (!first || first.reason === 'same name') continue;
      offers.push(offerJoin(context, name, targetName, first));
      if (offers.length === maxOffers) break;
    }
    return offers;
  },
};

/** The name by which a relationship refers to an entry. */
function endName(entry: EntitySource): string | undefined {
  return 'isMasterData' in entry ? masterDataName(entry) : entry.activityName?.value;
}

/** The names of all that an element or an entry of `entities` has a relationship with. */
function relatedTo({ relationships }: EntityGraph, name: string): ReadonlySet<string | undefined> {
  return new Set(
    relationships.flatMap(({ source, target }) => [
      ...(source?.value === name ? [target?.value] : []),
      ...(target?.value === name ? [source?.value] : []),
    ]),
  );
}

function offerJoin(
  { parsed }: GraphContext,
  from: string,
  to: string,
  { mappings, crossTable, reason }: JoinSuggestion,
): OfferedChange {
  const edits: OfferedChange['edits'] = () =>
    editText(parsed.yaml, (graph) => {
      const added = applyIntent(graph, { kind: 'addRelationship', source: from, target: to, mappings });
      if ('refusal' in added || !crossTable) return 'refusal' in added ? added : added.graph;
      const relationship = added.select?.slice('relationship:'.length) ?? '';
      const joined = applyIntent(added.graph, { kind: 'configureRelationship', relationship, values: { crossTable } });
      return 'refusal' in joined ? joined : joined.graph;
    });
  return { title: `Relate to "${to}" (${reason})`, edits };
}
