/** Styles of the dialogs. */
export const dialogStyles = `
.dialog { display: flex; flex-direction: column; width: 720px; max-width: calc(100vw - 32px); max-height: calc(100vh - 32px); padding: 0; border-radius: 4px;
  border: 1px solid var(--eg-surface-line); background: var(--vscode-editorWidget-background); color: var(--eg-foreground);
  box-shadow: 0 4px 16px var(--eg-shadow, transparent); animation: appear 120ms ease-out; font: inherit; }
.relationship-dialog { width: 920px; }
.confirm-dialog { width: 440px; }
.confirm-dialog > header { padding-right: 16px; min-height: 38px; }
.taken { max-height: 240px; overflow: auto; }
.taken li { display: flex; align-items: center; gap: 6px; min-width: 0; padding: 2px 0; overflow-wrap: anywhere; }
.dialog::backdrop { background: color-mix(in srgb, var(--vscode-editor-background), transparent 40%); }
.dialog > header { display: flex; flex: none; align-items: center; justify-content: space-between; padding: 8px 8px 8px 16px; border-bottom: 1px solid var(--eg-line); }
.dialog > .body { display: flex; flex: 1; flex-direction: column; gap: 12px; min-height: 0; padding: 12px 16px; overflow: auto; }
.dialog > footer { display: flex; flex: none; flex-wrap: wrap; align-items: center; gap: 8px; padding: 8px 16px; border-top: 1px solid var(--eg-line); }
.dialog .why { flex: 1 0 100%; order: -1; color: var(--eg-muted); }
.dialog .why:empty { display: none; }
.dialog .space { flex: 1; }
.dialog .columns { display: grid; grid-template-columns: 1fr 1fr; gap: 12px; align-items: start; }
.dialog .columns > * { min-width: 0; }
.dialog .row { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; }
.dialog .stacked { display: flex; flex-direction: column; gap: 2px; }
@media (max-width: 640px) { .dialog .columns { grid-template-columns: 1fr; } }
.dialog vscode-text-field, .dialog vscode-text-area { width: 100%; }
.dialog vscode-dropdown { min-width: 76px; }
.dialog .conflict { padding: 4px; border-radius: 4px; box-shadow: 0 0 0 1px var(--eg-warning); }
.field-label { display: block; margin-bottom: 2px; line-height: normal; }
fieldset { min-width: 0; margin: 0; padding: 0; border: 0; }
legend { padding: 0; }
.field-problem { display: flex; gap: 4px; align-items: baseline; margin: 2px 0 0; overflow-wrap: anywhere; }
.field-problem::before { flex: none; width: 8px; height: 8px; border-radius: 50%; background: var(--eg-error); content: ''; }
.notice, .dialog .problems li { display: flex; gap: 6px; align-items: baseline; }
.notice { padding: 6px 8px; border: 1px solid var(--eg-warning); border-radius: 4px; }
.dialog .problems { display: flex; flex-direction: column; gap: 4px; }
.dialog .problems .codicon-error { color: var(--eg-error); }
.dialog .problems .codicon-warning, .notice .codicon { color: var(--eg-warning); }

eg-combobox { display: block; min-width: 0; }
.combobox { display: flex; align-items: center; width: 100%; }
.combobox input { flex: 1; min-width: 0; height: 100%; padding: 0; border: 0; background: none; color: inherit; font: inherit; }
.combobox input:focus { outline: none; }
.combobox .codicon { cursor: pointer; }
.input.wrong { border-color: var(--eg-error); }
.choices { position: fixed; inset: auto; margin: 0; padding: 2px; max-width: min(480px, 90vw); overflow: auto; border: 1px solid var(--vscode-dropdown-border, var(--eg-surface-line)); border-radius: 4px;
  background: var(--vscode-dropdown-listBackground, var(--vscode-dropdown-background)); color: var(--vscode-dropdown-foreground, inherit); box-shadow: 0 2px 8px var(--eg-shadow, transparent); }
.choices li { display: flex; justify-content: space-between; gap: 16px; align-items: center; height: 24px; padding: 0 6px; border-radius: 3px; cursor: pointer; }
.choices li:hover { background: var(--vscode-list-hoverBackground); }
.choices li[aria-selected='true'] { background: var(--vscode-list-activeSelectionBackground); color: var(--vscode-list-activeSelectionForeground); outline: 1px solid var(--vscode-contrastActiveBorder, transparent); outline-offset: -1px; }
.choices li[aria-selected='true'] .muted { color: inherit; }
.choices .doubtful > :first-child { font-style: italic; }
.choices .more { color: var(--eg-muted); cursor: default; }

.properties { display: flex; flex-direction: column; gap: 4px; }
.properties vscode-text-field { width: 180px; }
.properties vscode-text-field::part(label) { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.properties .count { flex: 1; min-width: 120px; }
.properties eg-virtual-list { flex: none; height: 160px; padding: 2px 4px; border: 1px solid var(--eg-line); border-radius: 3px; resize: vertical; }
.property { display: flex; align-items: center; gap: 8px; height: 26px; }
.property vscode-checkbox { margin: 0; min-width: 200px; }
.property .muted { flex: 1; }
details summary { cursor: pointer; padding: 2px 0; font-weight: 600; }
details[open] { display: flex; flex-direction: column; gap: 8px; }
details[open] > * + * { margin-top: 8px; }
.context-fields { display: flex; flex-direction: column; gap: 8px; }

.sql { position: relative; height: auto; padding: 0; overflow: hidden; }
.sql pre, .sql textarea { margin: 0; padding: 4px 6px; border: 0; font: var(--vscode-editor-font-size, 12px)/18px var(--eg-mono); white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 2; }
.sql pre { position: absolute; inset: 0; pointer-events: none; }
.sql textarea { position: relative; display: block; width: 100%; min-height: 26px; resize: none; background: none; color: transparent; caret-color: var(--vscode-editorCursor-foreground, var(--eg-foreground)); overflow: hidden; field-sizing: content; }
.sql textarea:focus { outline: none; }
.sql-keyword { color: var(--vscode-symbolIcon-keywordForeground, var(--vscode-textLink-foreground)); font-weight: 600; }
.sql-string { color: var(--vscode-charts-green, inherit); }
.sql-number { color: var(--vscode-charts-blue, inherit); }
.sql-comment { color: var(--eg-muted); font-style: italic; }
.sql-wrong { text-decoration: underline wavy var(--eg-error); }
body.vscode-high-contrast .sql-string, body.vscode-high-contrast .sql-number { color: inherit; }

.summary { font-size: 1.05em; }
.suggestions { display: flex; flex-wrap: wrap; gap: 8px; }
.chip { display: inline-flex; align-items: center; gap: 4px; height: 24px; padding: 0 8px; border: 1px solid var(--eg-surface-line); border-radius: 4px; background: none; color: inherit; font: inherit; cursor: pointer; }
.chip:hover { background: var(--eg-toolbar-hover); }
.join { display: grid; grid-template-columns: minmax(160px, 1fr) minmax(300px, 2fr) minmax(160px, 1fr); gap: 12px; }
/* Where there is no room for three columns, the mappings stand below the two sides. */
@media (max-width: 860px) {
  .join { grid-template-columns: 1fr 1fr; }
  .join > .mappings { grid-row: 2; grid-column: 1 / -1; }
}
.join > section { display: flex; flex-direction: column; gap: 4px; min-width: 0; }
.side { padding: 8px; border: 1px solid var(--eg-line); border-radius: 4px; }
.side h3, .side p { display: flex; gap: 6px; align-items: center; min-width: 0; }
.side > ul { max-height: 200px; overflow: auto; }
.side-property { display: flex; align-items: center; gap: 6px; width: 100%; height: 24px; padding: 0 4px; border: 1px solid transparent; border-radius: 3px; background: none; color: inherit; font: inherit; text-align: start; cursor: grab; }
.side-property:hover { background: var(--vscode-list-hoverBackground); }
.side-property[aria-pressed='true'] { border-color: var(--eg-selected); }
.side-property .muted { flex: 1; text-align: end; }
.mappings > ul, .cross-table section > ul { display: flex; flex-direction: column; gap: 6px; }
.mapping { display: grid; grid-template-columns: minmax(0, 1fr) auto minmax(0, 1fr) auto; gap: 6px; align-items: center; }
.mapping.expression { grid-template-columns: minmax(0, 1fr) auto; }
.mapping .field-problem { grid-column: 1 / -1; }
.cross-table { display: flex; flex-direction: column; gap: 8px; padding: 8px; border: 1px dashed var(--eg-edge); border-radius: 4px; }
.cross-table section { display: flex; flex-direction: column; gap: 6px; align-items: flex-start; }
.cross-table section > ul { width: 100%; }
.cross-table eg-combobox { flex: 1; }

.preview { display: flex; flex-direction: column; gap: 6px; }
.preview.running { flex-direction: row; align-items: center; }
/* The whole query stands below what is wrong with it. */
.preview.failed p { flex: 1; min-width: 0; }
.preview.failed details { flex: 1 0 100%; min-width: 0; }
.preview.failed .query { max-height: 160px; }
.preview.failed { flex-flow: row wrap; padding: 6px 8px; border: 1px solid var(--eg-error); border-radius: 4px; }
.preview .codicon-error { color: var(--eg-error); }
.preview .codicon-warning { color: var(--eg-warning); font-size: 14px; vertical-align: text-bottom; }
.preview .mark .codicon { font-size: 14px; vertical-align: text-bottom; }
.preview-table { max-height: 180px; overflow: auto; border: 1px solid var(--eg-line); border-radius: 3px; }
.preview table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
.preview td { max-width: 320px; overflow: hidden; text-overflow: ellipsis; unicode-bidi: plaintext; }
.preview th, .preview td { padding: 2px 8px; text-align: start; white-space: nowrap; border-bottom: 1px solid var(--eg-line); }
.preview th { position: sticky; top: 0; background: var(--vscode-editorWidget-background); font-weight: 600; }
`;
