import { chosenColumns, entityColumns, layouts, leastWidth, rooms } from './columns.ts';
import { type MoreColumn, columns } from './entities-state.ts';

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
.heading:first-child, .rows .row .name { position: sticky; left: 0; background: var(--eg-background); }
/* Above the bars of progress. */
.rows .row :is(.name, .actions) { z-index: 1; }
.heading button { display: flex; flex: 1; align-items: center; justify-content: space-between; gap: 4px; min-width: 0; padding: 0 8px 0 12px; border: 0;
  background: none; color: inherit; font: inherit; text-align: start; cursor: pointer; }
.heading button:hover { background: var(--eg-toolbar-hover); }
.cell { display: flex; align-items: center; min-width: 0; padding: 0 8px 0 12px; line-height: 22px; }
.cell.clip { display: block; }
.name { gap: 6px; }
.name .codicon { color: var(--eg-warning); }
.name .clip { flex: 0 1 auto; }
.name .path { flex: 0 0.2 auto; min-width: 24px; }
.time, .number { font-variant-numeric: tabular-nums; }
.number { text-align: end; }
.heading .choose-columns { flex: none; min-width: 22px; height: 20px; margin-left: auto; padding: 0 2px; justify-content: center; }
.rows .row .actions { gap: 2px; padding: 0 8px; background: var(--eg-background); }
.rows .row .actions .codicon { color: var(--eg-muted); }
.rows .row .action:hover .codicon, .rows .row .action:focus-visible .codicon, .rows .row[aria-selected='true'] .actions .codicon { color: inherit; }
/* Sticky, and opaque over the columns that scroll below it: the colours of the row are laid over the page's. */
.rows .row.odd .name { background: linear-gradient(0deg, var(--vscode-tree-tableOddRowsBackground, transparent), var(--vscode-tree-tableOddRowsBackground, transparent)), var(--eg-background); }
.rows .row:hover :is(.name, .actions) { background: linear-gradient(0deg, var(--vscode-list-hoverBackground, transparent), var(--vscode-list-hoverBackground, transparent)), var(--eg-background); }
.rows .row[aria-selected='true'] :is(.name, .actions) { background: linear-gradient(0deg, var(--vscode-list-inactiveSelectionBackground, transparent), var(--vscode-list-inactiveSelectionBackground, transparent)), var(--eg-background); }
.rows .action { min-width: 22px; height: 20px; padding: 0 2px; }
.rows .action[aria-disabled='true'] { opacity: 0.35; cursor: default; }

.status { --tone: var(--vscode-charts-blue); display: inline-flex; align-items: center; gap: 5px; min-width: 0; max-width: 100%; height: 18px; padding: 0 8px 0 5px; border: 1px solid color-mix(in srgb, var(--tone), transparent 35%);
  border-radius: 9px; background: color-mix(in srgb, var(--tone), transparent 82%); line-height: 16px; }
.status .codicon { color: var(--tone); font-size: 13px; }
/* A normal state: red as an outline only. */
.status.not-imported { --tone: var(--vscode-charts-red, var(--eg-error)); background: none; }
.status.modified { border-style: dashed; }
.reason-place { display: flex; flex: 1; min-width: 0; }
.reason { display: flex; flex: 1; align-items: center; gap: 6px; min-width: 0; max-width: 100%; height: 20px; padding: 0 4px; margin-left: -4px; border: 0; border-radius: 3px; background: none; color: inherit; font: inherit; text-align: start; cursor: pointer; }
.reason .codicon { color: var(--eg-error); }
.reason:hover .clip, .reason:focus-visible .clip { text-decoration: underline; }
.progress { position: relative; flex: 1; min-width: 0; height: 18px; line-height: 18px; padding: 0 6px; border-radius: 3px; overflow: hidden;
  border: 1px solid var(--vscode-contrastBorder, transparent); background: color-mix(in srgb, var(--vscode-progressBar-background), transparent 85%); }
.progress .bar { position: absolute; inset: 0 auto 0 0; background: color-mix(in srgb, var(--vscode-progressBar-background), transparent 60%); }
.progress span { position: relative; display: block; }

.running { flex: 1; padding: 12px; overflow: hidden; }

.dialog { display: flex; flex-direction: column; width: 720px; max-width: calc(100vw - 32px); max-height: calc(100vh - 32px); padding: 0; border-radius: 4px;
  border: 1px solid var(--eg-surface-line); background: var(--vscode-editorWidget-background); color: var(--eg-foreground);
  box-shadow: 0 4px 16px var(--eg-shadow, transparent); animation: appear 120ms ease-out; font: inherit; }
.dialog::backdrop { background: color-mix(in srgb, var(--vscode-editor-background), transparent 40%); }
.dialog > header { display: flex; flex: none; align-items: center; padding: 8px 16px; border-bottom: 1px solid var(--eg-line); }
.dialog > .body { display: flex; flex: 1; flex-direction: column; gap: 12px; min-height: 0; padding: 12px 16px; overflow: auto; }
.dialog > footer { display: flex; flex: none; flex-wrap: wrap; align-items: center; gap: 8px; padding: 8px 16px; border-top: 1px solid var(--eg-line); }
.dialog .space { flex: 1; }
.whole-reason { overflow-wrap: anywhere; white-space: pre-wrap; user-select: text; }
.dialog .lost, .dialog .restored { --tone: var(--vscode-charts-red, var(--eg-error)); }
.dialog .restored { --tone: var(--vscode-charts-green); }
.dialog p .codicon { color: var(--tone); vertical-align: -3px; }
.dialog p > span { margin-right: 16px; }
.changes { flex: 1; min-height: 60px; overflow: auto; padding: 4px 0; border: 1px solid var(--eg-line); border-radius: 3px; background: var(--eg-background); font-family: var(--eg-mono); }
.line { display: flex; min-height: 18px; width: max-content; min-width: 100%; line-height: 18px; white-space: pre; }
.line i { flex: none; width: 24px; text-align: center; font-style: normal; }
.line.lost, .line.restored { background: color-mix(in srgb, var(--tone), transparent 82%); }
.line.gap { color: var(--eg-muted); }
.drop-target { position: fixed; inset: 0; z-index: 5; display: grid; place-items: center; border: 2px dashed var(--eg-focus); background: color-mix(in srgb, var(--eg-background), transparent 15%); pointer-events: none; }
.drop-target p { display: flex; align-items: center; gap: 8px; font-size: 1.15em; }
`;

/** Styles of the table by the width of the view, of which chosen columns take their part. */
export function roomStyles(chosen: readonly MoreColumn[]): string {
  const widths = chosen.map((column) => chosenColumns[column].width);
  const taken = widths.reduce((sum, width) => sum + leastWidth(width), 0);
  return layouts[chosen.length === 0 ? 'alone' : 'besideChosen']
    .map((layout) => {
      const { upTo } = rooms[layout];
      const styles = layoutStyles(layout, widths);
      return upTo === Infinity ? styles : `@container (max-width: ${upTo + taken}px) {\n${styles}\n}`;
    })
    .join('\n');
}

/** Where there is no room, the menu takes the actions that are used less, and then all of them. */
function layoutStyles(layout: (typeof layouts)[keyof typeof layouts][number], chosen: readonly string[]): string {
  const { actions } = rooms[layout];
  const columnsOf = columns.map((column) => ({
    ...entityColumns[column],
    width: entityColumns[column].widths[layout],
  }));
  const widths = [...columnsOf.flatMap(({ width }) => width ?? []), ...chosen, actions];
  const least = widths.reduce((sum, width) => sum + leastWidth(width), 0);
  const hidden = columnsOf.flatMap(({ width, className }) => (width === undefined ? [`.${className}`] : []));
  return [
    `.header, .rows { --columns: ${widths.join(' ')}; width: 100%; min-width: ${least}px; }`,
    ...(hidden.length === 0 ? [] : [`${hidden.join(', ')} { display: none !important; }`]),
    ...(layout === 0 ? [] : ['.rows .action:not(.frequent, .more) { display: none; }', cellPadding(6, 10)]),
    ...(actions === '34px' ? [noActions] : []),
    ...(layout === 6 ? [cellPadding(2, 6), '.status { gap: 3px; padding: 0 5px 0 2px; }'] : []),
  ].join('\n');
}

function cellPadding(end: number, start: number): string {
  return `.cell, .heading button { padding: 0 ${end}px 0 ${start}px; }`;
}

const noActions = `.rows .action.frequent { display: none; }
.heading.actions, .rows .row .actions { padding: 0 6px; }
.heading.actions span { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }`;
