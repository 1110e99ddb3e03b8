/** Styles of the canvas: toolbar, drawing, cards, labels and lines. */
export const canvasStyles = `
.toolbar { display: flex; flex: none; align-items: center; gap: 8px; height: 36px; padding: 0 8px 0 12px; border-bottom: 1px solid var(--eg-line); }
.toolbar h1 { flex: 0 1 auto; min-width: 24px; }
.toolbar p { flex: 0 9999 auto; }
.toolbar .problems { display: flex; flex: none; align-items: center; gap: 4px; }
.toolbar .modified { display: flex; flex: none; align-items: center; gap: 4px; color: var(--eg-warning); }
.toolbar .tools { display: flex; flex: none; align-items: center; gap: 2px; margin-left: auto; }
.toolbar .separator { width: 1px; height: 16px; margin: 0 4px; background: var(--eg-line); }
.toolbar .zoom { min-width: 52px; font-variant-numeric: tabular-nums; }
.toolbar .labelled { flex: none; }
/* Banners float, so that the picture stays where it is when one comes or goes. */
.banners { position: relative; z-index: 1; height: 0; }
.banners .banner { width: max-content; max-width: calc(100% - 24px); margin: 8px auto 0; }

#viewport { position: relative; flex: 1; min-height: 0; overflow: clip; cursor: grab; touch-action: none; user-select: none; }
#viewport.dragging { cursor: grabbing; }
#viewport.grid { background-image: linear-gradient(var(--eg-grid-strong) 1px, transparent 1px), linear-gradient(90deg, var(--eg-grid-strong) 1px, transparent 1px),
  linear-gradient(var(--eg-grid) 1px, transparent 1px), linear-gradient(90deg, var(--eg-grid) 1px, transparent 1px); }
#viewport .waiting { padding: 24px; }
#world { position: absolute; top: 0; left: 0; transform-origin: 0 0; animation: appear 120ms ease-out; }
#lines { position: absolute; top: 0; left: 0; overflow: visible; pointer-events: none; }

.card, .relationship, .missing { position: absolute; cursor: default; }
.line { display: flex; flex: none; align-items: center; gap: 4px; height: var(--line-height); line-height: var(--line-height); }
.line .codicon { width: 16px; font-size: 14px; text-align: center; }
.detail { color: var(--eg-muted); }

/* Parts outside of the screen are not laid out: their size is known. No detail of the zoom changes their own boxes, only
   their contents: a change of a thousand boxes takes the browser several frames. */
.card, .relationship { display: flex; flex-direction: column; justify-content: center; content-visibility: auto; }
.card { padding: 8px; border: 1px solid var(--eg-surface-line); border-radius: 4px; background: var(--eg-surface); }
.card:hover { border-color: var(--eg-muted); }
.card .title { font-weight: 600; }
.card .unnamed { font-style: italic; font-weight: 400; }
.card .context { display: flex; flex: none; margin-left: auto; color: var(--eg-muted); }
.card .time { display: flex; flex: 0 1 auto; align-items: center; gap: 4px; margin-right: 4px; }
.card .imported { display: flex; flex: none; align-items: center; gap: 4px; margin-left: auto; }
.card .problem { display: -webkit-box; flex: none; -webkit-box-orient: vertical; overflow: hidden; line-height: var(--line-height); margin: 0 0 auto 20px; }
.card .title::before { content: ''; position: absolute; inset: -1px auto -1px -1px; width: 3px; border-radius: 4px 0 0 4px; background: var(--type, transparent); }
.card.error { border-color: var(--eg-error); }
.card.warning { border-color: var(--eg-warning); }
.warning-mark { display: flex; flex: none; color: var(--eg-warning); }
.problem .more { color: var(--eg-muted); white-space: nowrap; }
.problem.fixable { cursor: pointer; }
.problem.fixable:hover { text-decoration: underline; }
.problem .codicon-lightbulb { display: inline-block; width: 16px; font-size: 14px; line-height: 1; vertical-align: text-bottom; color: var(--vscode-editorLightBulb-foreground, var(--eg-warning)); }
.card.selected { z-index: 1; border-color: var(--eg-selected); box-shadow: 0 0 0 1px var(--eg-selected); }
.card:focus-visible, .relationship:focus-visible, .missing:focus-visible { outline: 2px solid var(--eg-focus); outline-offset: 2px; }
/* Master data has no events: another shape than the activities. */
.card.master-data { border-style: double; border-width: 3px; border-radius: 12px; padding: 6px; }

.relationship .title { justify-content: center; }
.relationship .detail { justify-content: center; }
.relationship.label { padding: 1px 6px; border-radius: 4px; background: var(--eg-background); text-align: center; }
.entity-type { position: absolute; box-sizing: border-box; display: flex; align-items: center; justify-content: center; padding: 0 10px; border: 1px solid var(--type, var(--eg-edge)); border-radius: 13px; background: var(--eg-background); color: var(--eg-foreground); }
.entity-type .title { display: flex; align-items: center; justify-content: center; gap: 6px; min-width: 0; }
.entity-type .codicon { color: var(--type, inherit); }
#world:not(.full) .entity-type .codicon { display: none; }
.relationship.cross { padding: 4px 8px; border: 1px dashed var(--eg-edge); border-radius: 4px; background: var(--eg-background); }
.relationship.cross.draft { border: 1px dotted var(--eg-error); }
.relationship.label.error { box-shadow: inset 0 0 0 1px var(--eg-error); }
.relationship.label.warning { box-shadow: inset 0 0 0 1px var(--eg-warning); }
.relationship:hover { background: var(--eg-surface); }
.relationship.selected { box-shadow: 0 0 0 1px var(--eg-selected); }
.missing { display: flex; align-items: center; justify-content: center; border: 1px dotted var(--eg-error); border-radius: 50%;
  background: var(--eg-background); color: var(--eg-foreground); }

/* Zoomed out: names and states in a readable size; the rest stays for assistive technology only. */
#world:not(.full) :is(.card, .relationship) .line:not(.title), #world:not(.full) .card :is(.problem, .context),
  #world.states .clip, #world.card-names .relationship:not(.cross) .clip, #world:not(.full) .nameless .clip { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
#world:is(.names, .card-names) .title { width: 100%; height: auto; font-size: var(--name-size); line-height: 1.1; }
#world:is(.names, .card-names) .title .clip { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; line-clamp: 3; white-space: normal; overflow-wrap: anywhere; }
/* A cross table without room for its name is a joint of its lines. */
#world:not(.full) .cross.nameless { border: none; background: var(--eg-edge); }
/* Without its name a label hides no part of its line. */
#world:is(.card-names, .states) .relationship.label { background: none; box-shadow: none; }
#world:not(.full) .card .title::before { width: 6px; }
#world:not(.full) .title .codicon, #world:not(.full) .title svg { width: calc(var(--name-size) * 1.1); height: calc(var(--name-size) * 1.1); font-size: var(--name-size); }
#world.states .title { justify-content: center; width: 100%; height: auto; }

.edge { fill: none; stroke: var(--eg-edge); stroke-width: 1.5; }
.edge.path { stroke-dasharray: 7 4; }
.edge.correlation { stroke-width: 1; stroke-dasharray: 2 3; }
/* At least one pixel wide on the screen, as finer dots fade into the background. */
#world:not(.full) .edge.correlation:not(.chosen, .change-new, .change-gone) { stroke: var(--eg-muted); }
#world.names .edge.correlation { stroke-width: 2.5; stroke-dasharray: 5 5; }
#world.card-names .edge.correlation { stroke-width: 4; stroke-dasharray: 8 10; }
#world.states .edge.correlation { stroke-width: 8; stroke-dasharray: 16 20; }
.edge.correlation.chosen { stroke-width: 2; }
#world.names .edge.correlation.chosen { stroke-width: 3; }
.hit { fill: none; stroke: transparent; stroke-width: 12; pointer-events: stroke; cursor: default; }
.correlation-handle { position: absolute; box-sizing: border-box; border: 3px solid var(--eg-background); border-radius: 50%; background: var(--eg-edge); cursor: default; }
.correlation-handle:is(:hover, .selected) { background: var(--eg-selected); }
.correlation-handle:focus-visible { outline: 2px solid var(--eg-focus); outline-offset: 1px; }
#world:is(.card-names, .states) .correlation-handle:not(:focus-visible) { opacity: 0; }
.edge.error { stroke: var(--eg-error); }
.edge.warning { stroke: var(--eg-warning); }
.edge.chosen { stroke: var(--eg-selected); stroke-width: 2; }
.edge.draft { stroke: var(--eg-error); stroke-dasharray: 0.1 5; stroke-linecap: round; stroke-width: 2; }
.edge.draft.chosen { stroke-width: 3; }
.arrow path { fill: var(--eg-edge); stroke: none; }
.arrow.chosen path { fill: var(--eg-selected); }
.arrow.error path { fill: var(--eg-error); }
.arrow.warning path { fill: var(--eg-warning); }
.arrow.draft path { fill: none; stroke: var(--eg-error); stroke-width: 1.5; }
`;
