/** Styles of the first step, the palette, the metadata panel and floating elements. */
export const panelStyles = `
.build { display: flex; flex: 1; min-height: 0; }
.stage { position: relative; display: flex; flex: 1; flex-direction: column; min-width: 0; min-height: 0; }
.filter { flex: none; width: 100%; }

#palette { display: flex; flex: none; flex-direction: column; gap: 4px; width: fit-content; min-width: 200px; max-width: 216px; padding: 8px; border-right: 1px solid var(--eg-line); overflow: hidden; }
/* Only the names determine the width of the palette. */
#palette > :not(ul) { width: 0; min-width: 100%; }
#palette header { display: flex; align-items: center; gap: 2px; height: 24px; }
#palette h2 { flex: 1; font-size: 11px; text-transform: uppercase; color: var(--vscode-sideBarSectionHeader-foreground, var(--eg-muted)); }
#palette ul { flex: 1; overflow: auto; }
#palette-toggle { align-self: flex-start; margin: 8px 0 0 8px; }
#palette li { display: flex; align-items: center; }
/* The palette has its width before the font of the icons is there. */
#palette li .codicon { width: 16px; }
#palette .palette-width { height: 0; overflow: hidden; visibility: hidden; }
.palette-object { display: flex; flex: 1; align-items: center; gap: 6px; min-width: 0; height: 26px; padding: 0 6px; border: 0; border-radius: 3px;
  background: none; color: inherit; font: inherit; text-align: start; cursor: grab; }
.palette-object:hover { background: var(--vscode-list-hoverBackground); color: var(--vscode-list-hoverForeground, inherit); }
.palette-object:disabled { cursor: default; opacity: 0.6; }
.palette-source { height: 22px; padding: 0 6px; color: var(--eg-muted); font-size: 11px; }

#choose { display: flex; flex: 1; flex-direction: column; min-height: 0; }
#choose .lists { display: flex; flex: 1; gap: 12px; min-height: 0; padding: 12px; }
#choose .object-list { display: flex; flex: 1; flex-direction: column; gap: 8px; min-width: 0; padding: 8px; border: 1px solid var(--eg-line); border-radius: 4px; }
#choose .between { display: flex; flex-direction: column; justify-content: center; gap: 8px; }
/* Beside the text: one list below the other, with the shared actions in a row between them. */
@media (max-width: 720px) {
  #choose .lists { flex-direction: column; overflow: auto; }
  #choose .object-list { flex: 1 0 150px; }
  #choose .between { flex: none; flex-direction: row; }
  #choose .between .codicon { rotate: 90deg; }
  #choose #metadata { flex: 1 0 200px; width: auto; }
}
#choose footer { display: flex; flex: none; align-items: center; justify-content: flex-end; gap: 12px; padding: 8px 12px; border-top: 1px solid var(--eg-line); }
#choose footer p { flex: 1; }
.object { display: flex; align-items: center; gap: 8px; height: 40px; padding: 0 4px; border-radius: 3px; }
.object:hover { background: var(--vscode-list-hoverBackground); }
.object .names { display: flex; flex: 1; flex-direction: column; min-width: 0; line-height: 1.3; }
.object.source { cursor: pointer; }
.tree-row .object:not(.source) { padding-left: 24px; }
.tree-row:focus-visible { outline: 2px solid var(--eg-focus); outline-offset: -2px; border-radius: 3px; }
.object.note .codicon-warning { color: var(--eg-warning); }
.empty { padding: 12px 4px; }
eg-virtual-list, eg-virtual-tree { display: block; flex: 1; min-height: 0; overflow: auto; }
.virtual-space { position: relative; overflow: clip; }
.virtual-rows { position: absolute; inset: 0 0 auto; }

#metadata { display: flex; flex: none; flex-direction: column; gap: 8px; width: 300px; padding: 8px 12px; border: 1px solid var(--eg-line); border-radius: 4px; min-height: 0; }
#metadata header { display: flex; align-items: center; justify-content: space-between; }
h3 { display: flex; align-items: center; gap: 6px; margin: 0; font-size: inherit; font-weight: 600; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px 12px; margin: 0; }
dt { color: var(--eg-muted); }
dd { margin: 0; overflow-wrap: anywhere; }
.column-row { display: flex; align-items: center; gap: 6px; height: 24px; }
.column-row .muted { flex: 1; text-align: end; }

#find { position: absolute; top: 8px; right: 12px; display: flex; align-items: center; gap: 4px; padding: 4px; border: 1px solid var(--eg-surface-line); border-radius: 4px;
  background: var(--vscode-editorWidget-background); box-shadow: 0 2px 8px var(--eg-shadow, transparent); animation: appear 120ms ease-out; }
#find .muted { min-width: 64px; }
#legend { display: flex; flex: none; gap: 14px; box-sizing: border-box; height: 22px; margin: 0; padding: 0 12px; overflow: hidden; border-top: 1px solid var(--eg-line); color: var(--eg-muted); list-style: none; line-height: 21px; white-space: nowrap; }
#legend li { display: flex; align-items: center; gap: 5px; }
.legend-type { display: flex; align-items: center; gap: 5px; padding: 0 2px; border: none; background: none; color: inherit; font: inherit; cursor: pointer; }
.legend-type:hover { color: var(--eg-foreground); }
#legend .swatch { width: 10px; height: 10px; border-radius: 2px; background: var(--type); forced-color-adjust: none; }
#minimap { position: absolute; box-sizing: border-box; border: 1px solid var(--eg-surface-line); border-radius: 4px; background: var(--eg-background); cursor: pointer; }
#minimap.bottom { bottom: 12px; }
#legend ~ #minimap.bottom { bottom: 34px; }
#minimap.top { top: 12px; }
/* Find stands in that corner. */
#find ~ #minimap.top.right, :has(> #find) > #minimap.top.right { top: 56px; }
#minimap.right { right: 12px; }
#minimap.left { left: 12px; }
#minimap .mini { fill: var(--eg-edge); }
#minimap .wrong { fill: var(--eg-error); }
#minimap .seen { fill: none; stroke: var(--eg-selected); stroke-width: 1.5; }
#pencil { position: absolute; top: 0; left: 0; overflow: visible; pointer-events: none; }
#pencil .draft { stroke: var(--eg-error); stroke-width: 2; stroke-dasharray: 0.1 5; stroke-linecap: round; }
#pencil .marquee { fill: color-mix(in srgb, var(--eg-selected), transparent 85%); stroke: var(--eg-selected); }
#viewport.drawing, #viewport.drawing .card { cursor: crosshair; }
#viewport.drawing .card:hover { border-color: var(--eg-selected); box-shadow: 0 0 0 1px var(--eg-selected); }
#viewport.moving .card { cursor: move; }
#viewport.nothing { cursor: default; }
`;
