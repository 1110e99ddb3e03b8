import { type SVGTemplateResult, type TemplateResult, html, nothing, svg } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { repeat } from 'lit/directives/repeat.js';
import type { CardView } from '../../../protocol/graph-view.ts';
import { keyOf } from './view-key.ts';
import type { CanvasHandlers } from './canvas-edits.ts';
import { selectBy } from './draw-card.ts';
import { edgePath } from './edge-path.ts';
import type { Picture, PlacedCorrelation, PlacedRelationship } from './picture.ts';

/**
 * Lines of all relationships, the selected ones on top. Their labels describe them in words. Selecting moves no line but
 * these: with a thousand lines, sorting them and moving their nodes took most of the time of a click.
 */
export function drawLines(
  { cards, relationships, correlations, bounds }: Picture,
  selected: ReadonlySet<string>,
  hands: CanvasHandlers,
): TemplateResult {
  const isSelected = ({ relationship }: PlacedRelationship): boolean =>
    selected.has(keyOf.relationship(relationship.id)) ||
    isEnd(relationship.source, selected) ||
    isEnd(relationship.target, selected);
  const chosen = selected.size === 0 ? new Set<PlacedRelationship>() : new Set(relationships.filter(isSelected));
  // The line of a row correlation is as new, or as gone, as the element whose rows it is of.
  const changeOf = new Map(cards.map(({ element }) => [element.id, wholeChange(element)]));
  return html`<svg id="lines" width=${bounds.x + bounds.width} height=${bounds.y + bounds.height} aria-hidden="true">
    <defs>${['solid', 'draft', 'chosen', 'error', 'warning', 'new', 'changed', 'gone'].map(drawArrowhead)}</defs>
    ${repeat(
      correlations,
      ({ link }) => link.id,
      (placed) => {
        const { id, source, target } = placed.link;
        const isChosen = selected.has(keyOf.correlation(id)) || isEnd(source, selected) || isEnd(target, selected);
        const change = changeOf.get(source);
        return guard([placed, isChosen, change], () => drawCorrelation(placed, { isChosen, change }, hands));
      },
    )}
    ${repeat(relationships, idOf, (placed) =>
      guard([placed, chosen.has(placed)], () => (chosen.has(placed) ? nothing : drawLine(placed, false))),
    )}
    ${repeat(chosen, idOf, (placed) => guard([placed], () => drawLine(placed, true)))}
  </svg>`;
}

function wholeChange({ change }: CardView): 'new' | 'gone' | undefined {
  return change?.kind === 'new' || change?.kind === 'gone' ? change.kind : undefined;
}

function idOf({ relationship }: PlacedRelationship): string {
  return relationship.id;
}

function isEnd(element: string | undefined, selected: ReadonlySet<string>): boolean {
  return element !== undefined && selected.has(keyOf.element(element));
}

/** Older VS Code versions lack `context-stroke`, so each line style has its own arrowhead. */
function drawArrowhead(kind: string): SVGTemplateResult {
  return svg`<marker id=${`arrow-${kind}`} class=${`arrow ${kind}`} viewBox="0 0 10 10" refX="9" refY="5"
      markerWidth="10" markerHeight="10" markerUnits="userSpaceOnUse" orient="auto">
    <path d="M 1 1 L 9 5 L 1 9 ${kind === 'draft' ? '' : 'z'}" />
  </marker>`;
}

/** One node for each relationship: drawing a large graph takes as long as it has nodes. */
function drawLine({ relationship, lines }: PlacedRelationship, selected: boolean): SVGTemplateResult {
  const draft = relationship.draft !== undefined;
  const severity = relationship.problems?.[0]?.severity;
  const change = relationship.change?.kind;
  const kind = draft ? 'draft' : selected ? 'chosen' : (change ?? severity ?? 'solid');
  const path = lines.map((points) => edgePath(points)).join(' ');
  return svg`<path class=${`edge ${draft ? 'draft' : 'solid'} ${severity ?? ''} ${change === undefined ? '' : `change-${change}`} ${relationship.steps ? 'path' : ''} ${selected ? 'chosen' : ''}`} data-relationship=${relationship.id} d=${path} marker-end=${`url(#arrow-${kind})`} />`;
}

/** It has no label: the line itself is clicked, within some pixels. */
function drawCorrelation(
  { link, points }: PlacedCorrelation,
  { isChosen, change }: { readonly isChosen: boolean; readonly change: 'new' | 'gone' | undefined },
  hands: CanvasHandlers,
): SVGTemplateResult {
  const key = keyOf.correlation(link.id);
  const path = edgePath(points);
  const arrow = `url(#arrow-${isChosen ? 'chosen' : (change ?? 'solid')})`;
  return svg`<path class=${`edge correlation ${change === undefined ? '' : `change-${change}`} ${isChosen ? 'chosen' : ''}`} data-correlation=${link.id} d=${path} marker-end=${arrow} /><path class="hit" data-line=${key} d=${path} @click=${selectBy(key, hands)} @dblclick=${() => hands.edits.configure(key)} />`;
}
