import type { EntryChange, GraphView } from '../../../protocol/graph-view.ts';
import type { ComparedCanvas } from '../../../protocol/compared-canvas.ts';

type Entry = GraphView['elements' | 'relationships'][number];

/** Entries with their changes: the same change of the same entry is the same object, which is not measured again. */
const known = new WeakMap<Entry, { readonly change: EntryChange; readonly changed: Entry }>();

/** A graph as it is drawn beside a comparison: with the changes of its entries, and the entries that only the base has. */
export function comparedView(view: GraphView, compared: ComparedCanvas | undefined): GraphView {
  if (!compared) return view;
  const { elements, relationships, goneElements, goneRelationships } = compared;
  return {
    ...view,
    elements: [
      ...view.elements.map((each) => withChange(each, elements[each.id])),
      ...goneElements.map((each) => withChange(each.view, each.change)),
    ],
    relationships: [
      ...view.relationships.map((each) => withChange(each, relationships[each.id])),
      ...goneRelationships.map((each) => withChange(each.view, each.change)),
    ],
  };
}

function withChange<View extends Entry>(view: View, change: EntryChange | undefined): View {
  if (!change) return view;
  const before = known.get(view);
  if (before?.change === change) return before.changed as View;
  const { problems: _, unconfigured: __, ...plain } = view as View & { readonly unconfigured?: unknown };
  const changed = { ...(change.kind === 'gone' ? plain : view), change } as View;
  known.set(view, { change, changed });
  return changed;
}
