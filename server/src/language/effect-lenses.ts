import type { EffectDelta, EntryName, GraphEffect } from '../../../protocol/graph-effect.ts';
import type { ChangePart } from '../../../protocol/graph-changes.ts';
import { type EntityGraph, masterDataName, relationshipName } from '../model/entity-graph.ts';
import type { SourceRange } from '../model/source-range.ts';
import type { Lens } from './code-lens.ts';

/**
 * Lenses of a comparison with another text: above the file, and above each entry that an edit has changed.
 * @param isCurrent the text is the one that was compared; of another one it is only said that it was compared before.
 */
export function effectLenses(graph: EntityGraph, effect: GraphEffect, isCurrent: boolean): readonly Lens[] {
  const top = { start: 0, end: 0 };
  const { base } = effect;
  const name = base.kind === 'last' ? 'the last import' : base.name;
  const title = `Compared with ${name}${isCurrent ? outcomeText(effect) : ', before the latest edits'}`;
  const entries = isCurrent ? editedEntries(effect) : [];
  return [
    { range: top, title, action: 'showComparison' },
    { range: top, title: 'Stop Comparing', action: 'stopComparing' },
    ...entries.flatMap((entry) => {
      const range = rangeOf(graph, entry);
      const { section, name: named, title: said } = entry;
      return range ? [{ range, title: said, action: 'showComparison' as const, entry: { section, name: named } }] : [];
    }),
  ];
}

function outcomeText({ state, changes, schema = [] }: GraphEffect): string {
  if (state !== 'compared') return `: ${stateTexts[state]}`;
  return changes?.changed === true || schema.length > 0 ? '' : ': no effect';
}

/** An entry that edits have changed, and what they do. */
export interface EditedEntry extends EntryName {
  /** Such as `where: −91 events, 3 rules`. */
  readonly title: string;
}

/** The entries of both texts that edits have changed, with the changed fields. */
export function editedEntries({ attribution }: GraphEffect): readonly EditedEntry[] {
  return (attribution?.parts ?? []).flatMap(({ edits, deltas, schema }) => {
    const entries = new Map<string, Omit<EditedEntry, 'title'> & { readonly fields: readonly string[] }>();
    for (const { section, entry: name, field } of edits) {
      if (section === undefined || name === undefined) continue;
      const key = `${section}\n${name}`;
      const fields = [...(entries.get(key)?.fields ?? []), ...(field === undefined ? [] : [field])];
      entries.set(key, { section, name, fields });
    }
    const effect = deltasText(deltas, schema.length);
    return [...entries.values()].map(({ section, name, fields }) => ({
      section,
      name,
      title: `${fields.length === 0 ? 'Effect' : fields.join(', ')}: ${effect}`,
    }));
  });
}

const stateTexts = { 'same text': 'the same text', new: 'a new graph', 'broken base': 'it cannot be built' } as const;

/** The entry by its name, as entries may have moved since; undefined for one that is gone. */
function rangeOf(graph: EntityGraph, { section, name: entry }: EditedEntry): SourceRange | undefined {
  switch (section) {
    case 'elements':
      return graph.elements.find(({ activityName }) => activityName?.value === entry)?.range;
    case 'entities':
      return graph.entities.find((each) => masterDataName(each) === entry)?.range;
    case 'relationships':
      return graph.relationships.find((each) => relationshipName(each) === entry)?.range;
    case 'rules':
    case 'measures':
      return graph[section].find(({ name }) => name?.value === entry)?.range;
    default:
      return undefined;
  }
}

/** The parts that a lens has room for, with the noun of one and of several. */
const shown: readonly (readonly [ChangePart, string, string])[] = [
  ['events', 'event', 'events'],
  ['entities', 'entity', 'entities'],
  ['values', 'value', 'values'],
  ['entries', 'row', 'rows'],
  ['versions', 'version', 'versions'],
  ['correlations', 'correlation', 'correlations'],
  ['relations', 'relation', 'relations'],
  ['rules', 'rule', 'rules'],
];

/** Such as `−1,204 events, 12 events moved, 3 rules`. */
export function deltasText(deltas: readonly EffectDelta[], columns: number): string {
  const texts = shown.flatMap(([part, one, several]) => {
    const count = (kind: EffectDelta['kind']): number =>
      deltas.filter((each) => each.part === part && each.kind === kind).reduce((sum, each) => sum + each.count, 0);
    const noun = (number: number): string =>
      `${Math.abs(number).toLocaleString('en')} ${Math.abs(number) === 1 ? one : several}`;
    if (part === 'rules') {
      const rules = new Set(deltas.filter((each) => each.part === 'rules').map(({ name }) => name)).size;
      return rules === 0 ? [] : [noun(rules)];
    }
    const [added, gone, moved, changed] = [count('new'), count('gone'), count('moved'), count('changed')];
    return [
      ...(gone === 0 ? [] : [`${gone > 0 ? '−' : '+'}${noun(gone)}`]),
      ...(added === 0 ? [] : [`${added > 0 ? '+' : '−'}${noun(added)}`]),
      ...(moved === 0 ? [] : [`${noun(moved)} moved`]),
      ...(changed === 0 ? [] : [`${noun(changed)} changed`]),
    ];
  });
  const properties = columns === 0 ? [] : [`${columns} ${columns === 1 ? 'property' : 'properties'}`];
  const all = [...texts, ...properties];
  if (all.length > 0) return all.join(', ');
  return deltas.length > 0 ? 'other cases and paths' : 'none';
}
