import type { ElementCounts, RelationshipCounts } from '../../../protocol/import-progress.ts';
import { type ShownMeasure, measureText } from '../../../protocol/measure-outcome.ts';
import type { RuleResult } from '../../../protocol/process-rules.ts';
import { type EntityGraph, type EntitySource, masterDataName, relationshipName } from '../model/entity-graph.ts';
import { countText, entitiesText } from './count-text.ts';
import { type ImportedExpectations, judgedExpectations } from './imported-expectations.ts';
import type { SourceRange } from '../model/source-range.ts';
import type { EntryName } from '../../../protocol/graph-effect.ts';
import type { QueryTarget } from '../../../protocol/query-results.ts';

/** A code lens with a command, or with text only. */
export interface Lens {
  readonly range: SourceRange;
  readonly title: string;
  readonly action?:
    'testQuery' | 'showQuery' | 'import' | 'openCanvasToSide' | 'openEventGraph' | 'showComparison' | 'stopComparing';
  readonly target?: QueryTarget;
  /** The entry whose numbers of a comparison are shown; absent for all. */
  readonly entry?: EntryName;
  /** The number of the rule that is opened, from 1. */
  readonly rule?: number;
}

/** Totals of the last import by the names at that time. */
export interface LensCounts {
  readonly elements: readonly Pick<ElementCounts, 'activityName' | 'events' | 'entities' | 'activities'>[];
  readonly entities: readonly { readonly name: string; readonly entities: number }[];
  readonly relationships: readonly RelationshipCounts[];
  readonly totals: { readonly events: number; readonly entities: number };
  readonly rules?: readonly (Pick<RuleResult, 'name' | 'judged' | 'broken' | 'pending'> & {
    readonly concerned?: number;
  })[];
  readonly measures?: readonly (ShownMeasure & { readonly name: string })[];
}

/** Results of the last import for the expectations of a text. */
interface LensExpectations {
  readonly text: string;
  readonly imported: ImportedExpectations;
}

/** Import and canvas above the file; queries and counts of the last import above every named element, entry of `entities` and relationship; results above the rules and measures. */
export function codeLenses(
  { elements, entities, relationships, rules, measures }: EntityGraph,
  counts?: LensCounts,
  expected?: LensExpectations,
): readonly Lens[] {
  if (elements.length === 0 && entities.length === 0) return [];
  const top = { start: 0, end: 0 };
  const queries = (range: SourceRange, target: QueryTarget, counted: string | undefined): readonly Lens[] => [
    { range, title: 'Test Query', action: 'testQuery', target },
    { range, title: 'Show Query', action: 'showQuery', target },
    ...(counted === undefined ? [] : [{ range, title: counted }]),
  ];
  const brokenOf = expected ? brokenTexts({ elements, entities }, expected) : new Map<EntitySource, string>();
  const ofElement = new Map(counts?.elements.map((each) => [each.activityName, eventsAndEntities(each)]));
  const ofEntities = new Map(counts?.entities.map(({ name, entities: count }) => [name, count]));
  const ofRelationship = new Map(
    counts?.relationships.map(({ name, pairs }) => [name, countText(pairs, 'pair', 'pairs')]),
  );
  const ofMeasure = new Map(counts?.measures?.map((measure) => [measure.name, measureText(measure)]));
  const ofRule = new Map(counts?.rules?.map((rule) => [rule.name, judgedText(rule)]));
  return [
    { range: top, title: 'Import', action: 'import' },
    { range: top, title: 'Open Canvas', action: 'openCanvasToSide' },
    ...(counts ? [{ range: top, title: `Last import: ${eventsAndEntities(counts.totals)}` }] : []),
    ...elements.flatMap((element) => {
      const { activityName, range } = element;
      if (!activityName) return [];
      const name = activityName.value;
      return queries(range, { kind: 'element', name }, joinedText(ofElement.get(name), brokenOf.get(element)));
    }),
    ...entities.flatMap((entry) => {
      const name = masterDataName(entry);
      if (name === undefined) return [];
      const counted = ofEntities.get(name);
      return queries(
        entry.range,
        { kind: 'entities', name },
        joinedText(counted === undefined ? undefined : entitiesText(counted), brokenOf.get(entry)),
      );
    }),
    ...relationships.flatMap((relationship) => {
      if (!relationship.source || !relationship.target) return [];
      const name = relationshipName(relationship);
      return queries(relationship.range, { kind: 'relationship', name }, ofRelationship.get(name));
    }),
    ...rules.flatMap(({ name, range, index }): readonly Lens[] => {
      const title = ofRule.get(name?.value ?? '');
      return title === undefined ? [] : [{ range, title, action: 'openEventGraph', rule: index + 1 }];
    }),
    ...measures.flatMap(({ name, range }): readonly Lens[] => {
      const title = ofMeasure.get(name?.value ?? '');
      return title === undefined ? [] : [{ range, title }];
    }),
  ];
}

/** How many expectations the rows of each entry break. */
function brokenTexts(
  graph: Pick<EntityGraph, 'elements' | 'entities'>,
  { text, imported }: LensExpectations,
): ReadonlyMap<EntitySource, string> {
  const broken = new Map<EntitySource, number>();
  for (const { entry, found } of judgedExpectations(graph, text, imported))
    if (!found.holds) broken.set(entry, (broken.get(entry) ?? 0) + 1);
  return new Map(
    [...broken].map(([entry, count]) => [entry, countText(count, 'expectation broken', 'expectations broken')]),
  );
}

function joinedText(...parts: readonly (string | undefined)[]): string | undefined {
  const there = parts.filter((part) => part !== undefined);
  return there.length === 0 ? undefined : there.join(' · ');
}

function eventsAndEntities({ events, entities }: LensCounts['totals']): string {
  return `${countText(events, 'event', 'events')} · ${entitiesText(entities)}`;
}

function judgedText({ judged, concerned = judged, broken, pending }: NonNullable<LensCounts['rules']>[number]): string {
  if (judged === 0) return 'judges nothing';
  if (concerned === 0) return 'never happened';
  const of = `${broken.toLocaleString('en')} of ${concerned.toLocaleString('en')} broken`;
  return pending === 0 ? of : `${of} · ${pending.toLocaleString('en')} pending`;
}
