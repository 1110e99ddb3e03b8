import type {
  ElementView,
  GraphView,
  ProblemAddress,
  ProblemView,
  RelationshipView,
} from '../../../protocol/graph-view.ts';
import type { RelationshipCounts } from '../../../protocol/import-progress.ts';
import { entryIds } from '../model/edits/entry-ids.ts';
import type { EntityGraph } from '../model/entity-graph.ts';
import type { ParsedEntityGraph } from '../model/parse-model.ts';
import { createLineIndex } from '../model/line-index.ts';
import type { Problem } from '../model/problem.ts';
import type { SourceRange } from '../model/source-range.ts';
import { inCanvasWords } from './canvas-words.ts';
import type { LensCounts } from './code-lens.ts';

/** Facts about a graph besides its text. */
export interface GraphKnowledge {
  readonly problems: readonly Problem[];
  /** The last import; absent before the first one. */
  readonly imported?: { readonly isModifiedSince: boolean; readonly counts?: LensCounts | undefined } | undefined;
}

/** Notes that the canvas shows at entries, by the ids of their views. */
export interface GraphNotes {
  readonly imported?: GraphView['imported'] | undefined;
  readonly elements: ReadonlyMap<string, Pick<ElementView, 'problems' | 'imported'>>;
  readonly relationships: ReadonlyMap<string, Pick<RelationshipView, 'problems' | 'imported'>>;
}

/** Problems that the view shows itself, in separate fields. */
const saidByView: ReadonlySet<string> = new Set([
  'element-unconfigured',
  'relationship-draft',
  'incomplete-cross-table',
]);

/** Assigns problems and numbers of the last import to the entries of a view of the same text. */
export function graphNotes(
  view: Pick<GraphView, 'elements' | 'relationships'>,
  { graph, yaml }: ParsedEntityGraph,
  { problems, imported }: GraphKnowledge,
): GraphNotes {
  const lines = createLineIndex(yaml.text);
  const shown = shownProblems(problems);
  const problemsIn = (entry: SourceRange): { readonly problems?: readonly ProblemView[] } => {
    const own = identifiedProblems(shown, entry);
    if (own.length === 0) return {};
    return {
      problems: own.map(({ id, problem: { severity, message, range } }) => ({
        id,
        severity: severity === 'error' ? 'error' : 'warning',
        message: inCanvasWords(message),
        range: lines.range(range),
      })),
    };
  };
  const entries = [...graph.elements, ...graph.entities];
  const events = new Map(imported?.counts?.elements.map((each) => [each.activityName, each]));
  const masterData = new Map(imported?.counts?.entities?.map((each) => [each.name, each]));
  const pairs = new Map(imported?.counts?.relationships.map((each) => [each.name, each]));
  const countedOf = (card: GraphView['elements'][number]): Pick<ElementView, 'imported'> => {
    if (card.isMasterData) {
      const counted = masterData.get(card.name ?? '');
      return counted ? { imported: { entities: counted.entities } } : {};
    }
    const counted = events.get(card.activityName ?? '');
    if (!counted) return {};
    const { events: count, entities, activities } = counted;
    // Those of another column would be no activities of this element.
    const isSame = activities && activities.column === card.values.activityColumn;
    return { imported: { events: count, entities, ...(isSame && { activities }) } };
  };
  return {
    imported: imported && { isModifiedSince: imported.isModifiedSince },
    elements: new Map(
      view.elements.map((card, index) => {
        const entry = entries[index];
        return [
          card.id,
          {
            ...(entry ? problemsIn(entry.range) : {}),
            ...countedOf(card),
          },
        ];
      }),
    ),
    relationships: new Map(
      view.relationships.map(({ id, name }, index) => {
        const counted = pairs.get(name);
        const entry = graph.relationships[index];
        return [
          id,
          {
            ...(entry ? problemsIn(entry.range) : {}),
            ...(counted ? { imported: pairsOf(counted) } : {}),
          },
        ];
      }),
    ),
  };
}

/** A view with notes. Notes of the previous version are shown until there are newer ones. */
export function withNotes(view: GraphView, notes: GraphNotes): GraphView {
  return {
    ...view,
    ...(notes.imported ? { imported: notes.imported } : {}),
    elements: view.elements.map((element) => ({ ...element, ...notes.elements.get(element.id) })),
    relationships: view.relationships.map((relationship) => ({
      ...relationship,
      ...notes.relationships.get(relationship.id),
    })),
  };
}

/** The problem that the canvas shows at this address; undefined if it is no longer there. */
export function problemAt(
  { list, entry: id, problem }: ProblemAddress,
  graph: EntityGraph,
  problems: readonly Problem[],
): Problem | undefined {
  const ids = entryIds(graph);
  const [entries, known] =
    list === 'relationships'
      ? [graph.relationships, ids.relationships]
      : [
          [...graph.elements, ...graph.entities],
          [...ids.elements, ...ids.entities],
        ];
  const entry = entries[known.indexOf(id)];
  return entry && identifiedProblems(shownProblems(problems), entry.range).find((each) => each.id === problem)?.problem;
}

/** The problems that the canvas lists at entries, errors first. */
function shownProblems(problems: readonly Problem[]): readonly Problem[] {
  return problems
    .filter(({ code, severity }) => severity !== 'information' && !saidByView.has(code))
    .toSorted((one, other) => Number(one.severity !== 'error') - Number(other.severity !== 'error'));
}

/** The problems of an entry with ids of their rule and place in it, numbered where several share both. */
function identifiedProblems(
  shown: readonly Problem[],
  { start, end }: SourceRange,
): readonly { readonly id: string; readonly problem: Problem }[] {
  const seen = new Map<string, number>();
  return shown
    .filter(({ range }) => range.start >= start && range.start < end)
    .map((problem) => {
      const place = `${problem.code}@${problem.range.start - start}`;
      const before = seen.get(place) ?? 0;
      seen.set(place, before + 1);
      return { id: `${place}#${before}`, problem };
    });
}

function pairsOf({ pairs, source, target }: RelationshipCounts): NonNullable<RelationshipView['imported']> {
  return { pairs, ...(source && { source }), ...(target && { target }) };
}
