/** Styles of the table of entities. */
export const entitiesStyles = `
.tools { display: flex; flex: none; flex-wrap: wrap; align-items: center; gap: 8px; min-height: 42px; padding: 8px 12px; border-bottom: 1px solid var(--eg-line); }
.tools p { font-variant-numeric: tabular-nums; }
.search { display: flex; flex: 1 1 200px; align-items: center; gap: 6px; max-width: 360px; margin: 0 auto 0 8px; }
.search input { flex: 1; min-width: 0; padding: 0; border: 0; outline: 0; background: none; color: inherit; font: inherit; text-overflow: ellipsis; }
.restricted, .failures { margin: 8px 12px; }
.failures .reasons { flex: 1; min-width: 0; }

@media (max-width: 760px) {
  .tools .quiet .label { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .tools .quiet { padding: 0 8px; }
}
@media (max-width: 560px) {
  .search { order: 1; flex-basis: 100%; max-width: none; margin: 0; }
  .tools p { margin-right: auto; }
}

#table { flex: 1; min-height: 0; overflow: auto; position: relative; contain: strict; container-type: inline-size; }
.header { position: sticky; top: 0; z-index: 2; background: var(--eg-background); border-bottom: 1px solid var(--eg-line); }
.row { display: grid; grid-template-columns: var(--columns); min-width: 100%; }
.rows { position: relative; }
.header .row { height: 26px; }
.rows .row { position: absolute; left: 0; width: 100%; height: 22px; cursor: default; }
.rows .row.odd { background: var(--vscode-tree-tableOddRowsBackground, transparent); }
.rows .row:hover { background: var(--vscode-list-hoverBackground, transparent); }
.rows .row[aria-selected='true'] { background: var(--vscode-list-inactiveSelectionBackground, transparent); color: var(--vscode-list-inactiveSelectionForeground, inherit); }
/* Rings lie above the actions, which an outline of the row would go below. */
.rows .row::after { content: ''; position: absolute; inset: 0; z-index: 1; border: 1px none var(--vscode-contrastActiveBorder, transparent); pointer-events: none; }
.rows .row:hover::after { border-style: dashed; }
.rows .row[aria-selected='true']::after { border-style: dotted; }
.rows .row:focus-visible { outline: none; }
.rows .row:focus-visible::after { border: 1px solid var(--eg-focus); }
.heading { display: flex; min-width: 0; border-right: 1px solid var(--eg-line); font-weight: 600; }
.heading.actions { align-items: center; padding: 0 12px; border-right: 0; background: var(--eg-background); }
.actions { position: sticky; right: 0; }
.heading button { display: flex; flex: 1; align-items: center; justify-content: space-between; gap: 4px; min-width: 0; padding: 0 8px 0 12px; border: 0;
  background: none; color: inherit; font: inherit; text-align: start; cursor: pointer; }
.heading button:hover { background: var(--eg-toolbar-hover); }
.cell { display: flex; align-items: center; min-width: 0; padding: 0 8px 0 12px; line-height: 22px; }
.cell.clip { display: block; }
.name .codicon { margin-right: 5px; color: var(--eg-warning); vertical-align: -3px; }
.time { font-variant-numeric: tabular-nums; }
.rows .row .actions { gap: 2px; padding: 0 8px; opacity: 0; background: var(--eg-background); }
/* Sticky, so that it covers what is scrolled below it: the colours of the row are laid over the page's. */
.rows .row:hover .actions { background: linear-gradient(0deg, var(--vscode-list-hoverBackground, transparent), var(--vscode-list-hoverBackground, transparent)), var(--eg-background); }
.rows .row[aria-selected='true'] .actions { background: linear-gradient(0deg, var(--vscode-list-inactiveSelectionBackground, transparent), var(--vscode-list-inactiveSelectionBackground, transparent)), var(--eg-background); }
.rows .row:hover .actions, .rows .row:focus-within .actions, .rows .row[aria-selected='true'] .actions { opacity: 1; }
.rows .action { min-width: 22px; height: 20px; padding: 0 2px; }
.rows .action[aria-disabled='true'] { opacity: 0.35; cursor: default; }

.header, .rows { --columns: minmax(160px, 3fr) minmax(112px, 1fr) minmax(128px, 268px) minmax(150px, 3fr) repeat(3, minmax(112px, 1fr)) 188px; width: 100%; min-width: 1180px; }
.rows .action.more { display: none; }
/* Where there is no room, what is least needed goes first; name, status, progress and the way to the actions never do. */
@container (max-width: 1179px) {
  .header, .rows { --columns: minmax(160px, 3fr) minmax(112px, 1fr) minmax(128px, 268px) minmax(150px, 3fr) repeat(2, minmax(112px, 1fr)) 188px; min-width: 962px; }
  .created { display: none !important; }
}
@container (max-width: 961px) {
  .header, .rows { --columns: minmax(150px, 3fr) minmax(112px, 1fr) minmax(128px, 268px) minmax(150px, 3fr) minmax(112px, 1fr) 188px; min-width: 840px; }
  .modified-time { display: none !important; }
}
@container (max-width: 839px) {
  .header, .rows { --columns: minmax(130px, 3fr) minmax(112px, 1fr) minmax(128px, 1.6fr) minmax(100px, 3fr) 188px; min-width: 658px; }
  .imported-time { display: none !important; }
}
@container (max-width: 657px) {
  .header, .rows { --columns: minmax(112px, 3fr) minmax(112px, 1fr) minmax(124px, 1fr) minmax(86px, 3fr) 34px; min-width: 468px; }
  .rows .action { display: none; }
  .rows .action.more { display: inline-flex; }
  .heading.actions, .rows .row .actions { padding: 0 6px; }
  .heading.actions span { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
}
@container (max-width: 467px) {
  .header, .rows { --columns: minmax(80px, 2fr) 116px minmax(80px, 1.4fr) 34px; min-width: 310px; }
  .cell, .heading button { padding: 0 4px 0 8px; }
  .source { display: none !important; }
}

.status { display: block; }
.status .dot { display: inline-block; width: 9px; height: 9px; margin-right: 7px; border: 1.5px solid currentColor; border-radius: 50%; vertical-align: -0.5px; }
.status.new .dot { color: var(--eg-error); }
.status.imported .dot { color: var(--vscode-charts-blue); background: currentColor; }
.status.imported.modified .dot { color: var(--vscode-charts-yellow); }
.failed { display: flex; align-items: center; gap: 6px; min-width: 0; }
.failed .codicon { color: var(--eg-error); }
.progress { position: relative; flex: 1; min-width: 0; height: 18px; line-height: 18px; padding: 0 6px; border-radius: 3px; overflow: hidden;
  border: 1px solid var(--vscode-contrastBorder, transparent); background: color-mix(in srgb, var(--vscode-progressBar-background), transparent 85%); }
.progress .bar { position: absolute; inset: 0 auto 0 0; background: color-mix(in srgb, var(--vscode-progressBar-background), transparent 60%); }
.progress span { position: relative; display: block; }

.running { flex: 1; padding: 12px; overflow: hidden; }
`;
