import { type SVGTemplateResult, type TemplateResult, html, nothing, svg } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { repeat } from 'lit/directives/repeat.js';
import { keyOf } from './view-key.ts';
import { edgePath } from './edge-path.ts';
import type { Picture, PlacedCorrelation, PlacedRelationship } from './picture.ts';

/**
 * Lines of all relationships, the selected ones on top. Their labels describe them in words. Selecting moves no line but
 * these: with a thousand lines, sorting them and moving their nodes took most of the time of a click.
 */
export function drawLines(
  { relationships, correlations, bounds }: Picture,
  selected: ReadonlySet<string>,
): TemplateResult {
  const isSelected = ({ relationship }: PlacedRelationship): boolean =>
    selected.has(keyOf.relationship(relationship.id)) ||
    isEnd(relationship.source, selected) ||
    isEnd(relationship.target, selected);
  const chosen = selected.size === 0 ? new Set<PlacedRelationship>() : new Set(relationships.filter(isSelected));
  return html`<svg id="lines" width=${bounds.x + bounds.width} height=${bounds.y + bounds.height} aria-hidden="true">
    <defs>${['solid', 'draft', 'chosen', 'error', 'warning'].map(drawArrowhead)}</defs>
    ${repeat(
      correlations,
      ({ link }) => link.id,
      (placed) => {
        const isChosen = isEnd(placed.link.source, selected) || isEnd(placed.link.target, selected);
        return guard([placed, isChosen], () => drawCorrelation(placed, isChosen));
      },
    )}
    ${repeat(relationships, idOf, (placed) =>
      guard([placed, chosen.has(placed)], () => (chosen.has(placed) ? nothing : drawLine(placed, false))),
    )}
    ${repeat(chosen, idOf, (placed) => guard([placed], () => drawLine(placed, true)))}
  </svg>`;
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
  const kind = draft ? 'draft' : selected ? 'chosen' : (severity ?? 'solid');
  const path = lines.map((points) => edgePath(points)).join(' ');
  return svg`<path class=${`edge ${draft ? 'draft' : 'solid'} ${severity ?? ''} ${relationship.steps ? 'path' : ''} ${selected ? 'chosen' : ''}`} data-relationship=${relationship.id} d=${path} marker-end=${`url(#arrow-${kind})`} />`;
}

function drawCorrelation({ link, points }: PlacedCorrelation, selected: boolean): SVGTemplateResult {
  const arrow = `url(#arrow-${selected ? 'chosen' : 'solid'})`;
  return svg`<path class=${`edge correlation ${selected ? 'chosen' : ''}`} data-correlation=${link.id} d=${edgePath(points)} marker-end=${arrow} />`;
}
