import { cardName } from '../../../protocol/card-name.ts';
import { type ComparedCanvas, type GoneEntry, goneId } from '../../../protocol/compared-canvas.ts';
import {
  type EffectDelta,
  type EntryName,
  type GraphEffect,
  deltasOf,
  sectionsOfPart,
} from '../../../protocol/graph-effect.ts';
import type { CardView, EntryChange, GraphView, RelationshipView } from '../../../protocol/graph-view.ts';
import type { ParsedEntityGraph } from '../model/parse-model.ts';
import { deltasText, editedEntries } from './effect-lenses.ts';
import { toGraphView } from './to-graph-view.ts';

/**
 * What the canvas of a text shows of its comparison with a base: the numbers of each entry, and the entries that only
 * the base has.
 * @param compared ISO 8601, UTC.
 */
export function comparedCanvas(
  effect: GraphEffect,
  now: ParsedEntityGraph,
  base: ParsedEntityGraph | undefined,
  compared: string,
): ComparedCanvas {
  const { changes, schema = [] } = effect;
  const deltas = changes ? deltasOf(changes) : [];
  const [after, before] = [viewOf(now), base && viewOf(base)];
  const titles = editTitles(effect);
  const changeOf = createChangeOf(deltas, schema, titles);
  const isCompared = effect.state === 'compared' || effect.state === 'new';
  const [old, current] = [namesOf(before), namesOf(after)];
  const found = <View extends { readonly id: string }>(
    views: readonly View[],
    keyOf: (view: View) => string | undefined,
  ): Readonly<Record<string, EntryChange>> => {
    const entries = views.flatMap((view) => {
      const key = keyOf(view);
      const change = key === undefined ? undefined : changeOf(key, old.has(key) ? 'changed' : 'new');
      return change ? [[view.id, change] as const] : [];
    });
    return Object.fromEntries(isCompared ? entries : []);
  };
  const goneCards = (before?.elements ?? []).filter((card) => isOnlyIn(cardKey(card), current));
  const ends = endsOf(before, after, new Set(goneCards.map(({ id }) => id)));
  return {
    base: effect.base,
    state: effect.state,
    compared,
    elements: found(after.elements, cardKey),
    relationships: found(after.relationships, relationshipKey),
    goneElements: goneCards.map((card) => gone({ ...card, id: goneId(card.id) }, cardKey(card), changeOf)),
    goneRelationships: (before?.relationships ?? [])
      .filter((each) => isOnlyIn(relationshipKey(each), current))
      .map((each) => gone({ ...each, ...ends(each), id: goneId(each.id) }, relationshipKey(each), changeOf)),
    total: changes ? deltasText(deltas, schema.length) : '',
  };
}

function viewOf(parsed: ParsedEntityGraph): GraphView {
  return toGraphView(parsed, { uri: '', version: 0 });
}

/** An entry by its section and name, as edits name it; undefined for one without a name. */
function cardKey(card: CardView): string | undefined {
  const name = cardName(card);
  return name === undefined ? undefined : keyIn(card.isMasterData ? 'entities' : 'elements', name);
}

function relationshipKey({ name }: RelationshipView): string {
  return keyIn('relationships', name);
}

function keyIn(section: string, name: string): string {
  return `${section}\n${name}`;
}

function entryOf(key: string): EntryName {
  const [section = '', ...name] = key.split('\n');
  return { section, name: name.join('\n') };
}

function namesOf(view: GraphView | undefined): ReadonlySet<string | undefined> {
  return new Set([...(view?.elements ?? []).map(cardKey), ...(view?.relationships ?? []).map(relationshipKey)]);
}

function isOnlyIn(key: string | undefined, others: ReadonlySet<string | undefined>): boolean {
  return key !== undefined && !others.has(key);
}

/** What the edits of each entry do, by its key. */
function editTitles(effect: GraphEffect): ReadonlyMap<string, readonly string[]> {
  const titles = new Map<string, readonly string[]>();
  const add = (key: string, title: string): void => void titles.set(key, [...(titles.get(key) ?? []), title]);
  for (const { section, name, title } of editedEntries(effect)) add(keyIn(section, name), title);
  for (const { section, entry, field } of effect.attribution?.withoutEffect ?? []) {
    if (section !== undefined && entry !== undefined) add(keyIn(section, entry), `${field ?? 'Effect'}: none`);
  }
  return titles;
}

/** The change of an entry; undefined for one that is equal. */
type ChangeOf = (key: string, kind: EntryChange['kind']) => EntryChange | undefined;

function createChangeOf(
  deltas: readonly EffectDelta[],
  schema: NonNullable<GraphEffect['schema']>,
  titles: ReadonlyMap<string, readonly string[]>,
): ChangeOf {
  const numbers = new Map<string, readonly EffectDelta[]>();
  for (const delta of deltas) {
    const section = sectionsOfPart[delta.part];
    if (section === undefined) continue;
    const key = keyIn(section, delta.name);
    numbers.set(key, [...(numbers.get(key) ?? []), delta]);
  }
  return (key, kind) => {
    const own = numbers.get(key) ?? [];
    const properties = schema.filter(({ element }) => key === keyIn('elements', element)).length;
    const edits = titles.get(key) ?? [];
    if (kind === 'changed' && own.length === 0 && properties === 0 && edits.length === 0) return undefined;
    const counted = own.length === 0 && properties === 0 ? undefined : deltasText(own, properties);
    const text = counted ?? edits[0] ?? (kind === 'new' ? 'New' : 'Gone');
    return { kind, entry: entryOf(key), text, edits };
  };
}

function gone<View extends CardView | RelationshipView>(
  view: View,
  key: string | undefined,
  changeOf: ChangeOf,
): GoneEntry<View> {
  const nothing = { kind: 'gone', entry: entryOf(key ?? ''), text: 'Gone', edits: [] } as const;
  return { view, change: changeOf(key ?? '', 'gone') ?? nothing };
}

/** Ends of the base as ids of the drawing: of a card that is still there, its id now. */
function endsOf(
  before: GraphView | undefined,
  after: GraphView,
  goneIds: ReadonlySet<string>,
): (relationship: RelationshipView) => Pick<RelationshipView, 'source' | 'target'> {
  const now = new Map(after.elements.map((card) => [cardKey(card), card.id]));
  const ids = new Map(
    (before?.elements ?? []).map((card) => [
      card.id,
      goneIds.has(card.id) ? goneId(card.id) : (now.get(cardKey(card)) ?? card.id),
    ]),
  );
  const end = (id: string | undefined): string | undefined => (id === undefined ? undefined : ids.get(id));
  return ({ source, target }) => {
    const [from, to] = [end(source), end(target)];
    return { ...(from !== undefined && { source: from }), ...(to !== undefined && { target: to }) };
  };
}
