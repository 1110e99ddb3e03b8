/** Styles of the results panel. */
export const resultsStyles = `
.summary { display: flex; flex: none; align-items: center; gap: 8px; height: 35px; padding: 0 12px; border-bottom: 1px solid var(--eg-line); }
.summary h1 { flex: 0 1 auto; }
.summary p { flex: 0 1 auto; font-variant-numeric: tabular-nums; }
.summary .tools { display: flex; flex: none; align-items: center; gap: 2px; margin-left: auto; }
.warnings { flex: none; max-height: 30%; padding: 4px 12px; border-bottom: 1px solid var(--eg-line); overflow: auto; }
.warnings li { display: flex; align-items: flex-start; gap: 8px; padding: 2px 0; }
.warnings .codicon { color: var(--eg-warning); }

#grid { flex: 1; min-height: 0; overflow: auto; position: relative; contain: strict; }
.header { position: sticky; top: 0; z-index: 2; width: max-content; min-width: 100%; background: var(--eg-background); border-bottom: 1px solid var(--eg-line); }
.row { display: grid; grid-template-columns: var(--columns); width: max-content; min-width: 100%; }
.rows { position: relative; width: max-content; min-width: 100%; }
.rows .row { position: absolute; left: 0; height: 22px; }
.rows .row.odd { background: var(--vscode-tree-tableOddRowsBackground, transparent); }
.rows .row:hover { background: var(--vscode-list-hoverBackground, transparent); }
.corner { position: sticky; left: 0; z-index: 1; padding: 0 8px; line-height: 22px; text-align: right; color: var(--eg-muted);
  background: var(--eg-background); border-right: 1px solid var(--eg-line); font-variant-numeric: tabular-nums; user-select: none; }
.heading { position: relative; min-width: 0; padding: 4px 8px; border-right: 1px solid var(--eg-line); cursor: pointer; user-select: none; }
.heading:hover { background: var(--eg-toolbar-hover); }
.heading .name { display: flex; align-items: center; gap: 4px; font-weight: 600; }
.heading.number .name { justify-content: flex-end; }
.heading .codicon { font-size: 12px; }
.heading .edge { position: absolute; inset: 0 -4px 0 auto; z-index: 1; width: 8px; cursor: col-resize; touch-action: none; }
.heading .edge:hover { background: linear-gradient(to right, transparent 3px, var(--eg-focus) 3px 5px, transparent 5px); }
.heading .detail { font-size: 0.92em; }
/* A text from right to left is laid out as such, whatever stands beside it. */
.cell { padding: 0 8px; line-height: 22px; cursor: default; border-right: 1px solid transparent; unicode-bidi: plaintext; }
.marked .value { min-width: 0; overflow: hidden; text-overflow: ellipsis; }
.cell .character::before { content: attr(data-mark); font-size: var(--vscode-font-size); color: var(--eg-muted); }
.number { text-align: right; font-variant-numeric: tabular-nums; }
.null { font-style: italic; color: var(--eg-muted); }
/* The icon comes first, where the eye looks for it and where a long value does not push it out of the cell. */
.marked { display: flex; align-items: center; gap: 4px; }
.marked.number { justify-content: flex-end; }
.marked .mark { order: -1; flex: none; display: inline-flex; }
.marked.error .mark { color: var(--eg-error); }
.marked.warning .mark { color: var(--eg-warning); }
.marked .mark .codicon { font-size: 14px; }
.rows .corner { cursor: pointer; }
.cell[aria-selected='true'] { outline: 1px solid var(--vscode-contrastActiveBorder, var(--vscode-list-inactiveFocusOutline, var(--eg-line))); outline-offset: -1px; }
.cell:focus { outline: 1px solid var(--eg-focus); outline-offset: -1px; }
.cell:focus { color: var(--eg-foreground); }
body:not(.vscode-high-contrast) .cell[aria-selected='true'] { background: var(--vscode-editor-inactiveSelectionBackground, transparent); }

.running { flex: 1; padding: 12px; overflow: hidden; }
.running p { display: flex; gap: 8px; margin-bottom: 12px; }
.button[disabled] { opacity: 0.6; cursor: default; }

.instead { margin: 0; padding: 16px 24px; }
.failure .message { align-self: stretch; padding: 8px 12px; border-left: 2px solid var(--eg-error); background: var(--vscode-textCodeBlock-background, transparent);
  white-space: pre-wrap; overflow-wrap: anywhere; user-select: text; }
.failure { max-width: 960px; overflow: auto; }
.failure .reason { display: flex; flex-direction: column; gap: 12px; align-self: stretch; }
.failure h3 { margin: 4px 0 -4px; font-size: 1em; font-weight: 600; }
.failure .remedy { display: flex; gap: 8px; }
`;
