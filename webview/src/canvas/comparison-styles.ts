/** Styles of a comparison: its legend, and the marks of cards, labels and lines. */
export const comparisonStyles = `
:root {
  --eg-added: var(--vscode-charts-green);
  --eg-changed: var(--vscode-charts-yellow);
  --eg-removed: var(--vscode-charts-red);
}
#comparison { display: flex; flex: none; flex-wrap: wrap; align-items: center; gap: 4px 16px; padding: 4px 12px; border-bottom: 1px solid var(--eg-line); }
#comparison p { display: flex; align-items: center; gap: 6px; min-width: 0; margin: 0; }
#comparison .sides { flex: 0 1 auto; font-weight: 600; }
#comparison .marks { display: flex; flex: none; gap: 12px; margin: 0; padding: 0; list-style: none; }
#comparison .marks li { display: flex; align-items: center; gap: 4px; }
#comparison .total { flex: 1 1 100px; color: var(--eg-muted); }
#comparison .before-edits .codicon { color: var(--eg-warning); }
#comparison .buttons { display: flex; flex: none; gap: 8px; margin-left: auto; }

.change-new { --change: var(--eg-added); }
.change-changed { --change: var(--eg-changed); }
.change-gone { --change: var(--eg-removed); }
#comparison .marks .codicon, .change .codicon { color: var(--change); }
.card:is(.change-new, .change-changed, .change-gone) { border: 2px solid var(--change); padding: 7px; }
.card.change-new { box-shadow: inset 0 0 0 1px var(--change); }
.card.change-gone { border-style: dashed; background: var(--eg-background); }
.card.change-gone .title, .relationship.change-gone .title { text-decoration: line-through; font-weight: 400; }
.relationship .change { justify-content: center; }
.relationship.cross:is(.change-new, .change-changed, .change-gone) { border-color: var(--change); }
.change .clip { color: var(--eg-foreground); }
/* Zoomed out, a card has room for its name and its number; where it has not, the name comes first. */
#world:is(.names, .card-names) :is(.card, .cross) .line.change { position: static; width: 100%; height: auto; clip-path: none; font-size: var(--name-size); line-height: 1.1; }
#world:is(.names, .card-names) :is(.card, .cross) .line.change .codicon { width: calc(var(--name-size) * 1.1); font-size: var(--name-size); }
#world:not(.full) :is(.card, .cross):is(.change-new, .change-changed, .change-gone) { justify-content: safe center; overflow: hidden; }
/* The numbers are not those of the text any more. */
#comparison.outdated ~ .build .change .clip { color: var(--eg-muted); font-style: italic; }

.edge.change-new:not(.chosen) { stroke: var(--eg-added); stroke-width: 2; }
.edge.change-changed:not(.chosen) { stroke: var(--eg-changed); stroke-width: 2; }
.edge.change-gone:not(.chosen) { stroke: var(--eg-removed); stroke-dasharray: 6 5; }
.arrow.new path { fill: var(--eg-added); }
.arrow.changed path { fill: var(--eg-changed); }
.arrow.gone path { fill: var(--eg-removed); }
`;
