/** Styles of the dialogs. */
export const dialogStyles = `
.dialog { display: flex; flex-direction: column; width: 720px; max-width: calc(100vw - 32px); max-height: calc(100vh - 32px); padding: 0; border-radius: 4px;
  border: 1px solid var(--eg-surface-line); background: var(--vscode-editorWidget-background); color: var(--eg-foreground);
  box-shadow: 0 4px 16px var(--eg-shadow, transparent); animation: appear 120ms ease-out; font: inherit; }
.dialog .wide { min-width: 0; }
.correlation-choice { grid-column: 1 / -1; }
.correlation-choice vscode-dropdown { width: 100%; min-width: 0; }
.correlation-choice vscode-dropdown::part(selected-value) { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.relationship-dialog { width: 920px; }
.confirm-dialog { width: 440px; }
.confirm-dialog > header { padding-right: 16px; min-height: 38px; }
.taken { max-height: 240px; overflow: auto; }
.taken li { display: flex; align-items: center; gap: 6px; min-width: 0; padding: 2px 0; overflow-wrap: anywhere; }
.dialog::backdrop { background: color-mix(in srgb, var(--vscode-editor-background), transparent 40%); }
.dialog > header { display: flex; flex: none; align-items: center; justify-content: space-between; padding: 8px 8px 8px 16px; border-bottom: 1px solid var(--eg-line); }
.confirm-dialog > .body { display: flex; flex: 1; flex-direction: column; gap: 12px; min-height: 0; padding: 12px 16px; overflow: auto; }
.context-dialog { width: 560px; }
.graph-dialog > .body { display: flex; flex: 1; flex-direction: column; gap: 12px; min-height: 0; padding: 12px 16px; overflow: auto; }
.graph-dialog .parts { display: flex; flex-direction: column; gap: 12px; }
.graph-dialog .parts[inert] { opacity: 0.6; }
.dialog .whole { grid-column: 1 / -1; }
.graph-dialog h3 { margin: 0; font-size: inherit; }
.graph-entry { display: grid; grid-template-columns: minmax(0, 2fr) minmax(0, 3fr) auto auto; gap: 8px; align-items: center; min-height: 24px; }
.graph-entry > button.clip { padding: 0; border: 0; background: none; color: var(--eg-link); font: inherit; cursor: pointer; }
.graph-entry > button.clip:hover { text-decoration: underline; }
.graph-entry > .clip { justify-self: start; max-width: 100%; text-align: start; }
.graph-entry:hover { background: var(--vscode-list-hoverBackground); }
.dialog > footer { display: flex; flex: none; flex-wrap: wrap; align-items: center; gap: 8px; padding: 8px 16px; border-top: 1px solid var(--eg-line); }
.dialog .why { flex: 1 0 100%; order: -1; color: var(--eg-muted); }
.dialog .why:empty { display: none; }
.dialog .space { flex: 1; }
.dialog .columns { display: grid; grid-template-columns: 1fr 1fr; gap: 12px; align-items: start; }
.dialog .columns > * { min-width: 0; }
.dialog .row { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; }
.dialog .stacked { display: flex; flex-direction: column; }
@container (max-width: 440px) { .dialog .columns { grid-template-columns: 1fr; } }
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
.notice.info { border-color: var(--eg-line); }
.notice.info .codicon { color: inherit; }
.notice .button { flex: none; }
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
.choices li > :first-child { flex: 0 0 auto; max-width: 85%; }
.choices li > .muted { flex: 1 1 0; min-width: 0; overflow: hidden; text-align: end; text-overflow: ellipsis; white-space: nowrap; }
.choices li { display: flex; justify-content: space-between; gap: 16px; align-items: center; height: 24px; padding: 0 6px; border-radius: 3px; cursor: pointer; }
.choices li:hover { background: var(--vscode-list-hoverBackground); }
.choices li[aria-selected='true'] { background: var(--vscode-list-activeSelectionBackground); color: var(--vscode-list-activeSelectionForeground); outline: 1px solid var(--vscode-contrastActiveBorder, transparent); outline-offset: -1px; }
.choices li[aria-selected='true'] .muted { color: inherit; }
.choices .doubtful > :first-child { font-style: italic; }
.choices .more { color: var(--eg-muted); cursor: default; }

.properties { display: flex; flex-direction: column; gap: 4px; }
.properties vscode-text-field { width: 180px; }
.properties #property-filter::part(label) { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.properties .count { flex: 1; min-width: 120px; }
.properties eg-virtual-list { flex: none; height: 162px; padding: 2px 4px; border: 1px solid var(--eg-line); border-radius: 3px; resize: vertical; }
.property { display: flex; align-items: center; gap: 8px; height: 26px; }
.property vscode-checkbox { flex: 0 0 auto; min-width: min(200px, 50%); max-width: calc(100% - 60px); margin: 0; }
.property .muted { flex: 1 1 0; }
details summary { cursor: pointer; padding: 2px 0; font-weight: 600; }
details[open] { display: flex; flex-direction: column; gap: 8px; }
details[open] > * + * { margin-top: 8px; }
.fields, .expectations { display: flex; flex-direction: column; gap: 8px; }
/* Fields stand at the top, because one may have a problem below it, and the bin beside the field. */
.expectation { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 8px 12px; align-items: start; }
.expectation.of-values { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr) auto; }
.expectation > .trash { margin-top: 20px; }
@container (max-width: 440px) {
  .expectation.of-values { grid-template-columns: minmax(0, 1fr) auto; }
  .expectation > vscode-text-area { grid-row: 2; }
}

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

.summary { flex: none; min-height: 1.4em; font-size: 1.05em; }
.suggestions { display: flex; flex-wrap: wrap; gap: 8px; }
.chip { display: inline-flex; align-items: center; gap: 4px; height: 24px; padding: 0 8px; border: 1px solid var(--eg-surface-line); border-radius: 4px; background: none; color: inherit; font: inherit; cursor: pointer; }
.chip:hover { background: var(--eg-toolbar-hover); }
.join { display: grid; flex: 1 0 auto; grid-template-columns: minmax(160px, 1fr) minmax(300px, 1.6fr) minmax(160px, 1fr); gap: 12px; align-items: stretch; }
/* Where there is no room for three columns, the mappings stand below the two sides. */
@container (max-width: 800px) {
  .join { flex: none; }
  .join > .side > ul { flex: none; height: auto; min-height: 0; max-height: 120px; contain: none; }
  .join { grid-template-columns: 1fr 1fr; }
  .join > .mappings { grid-row: 2; grid-column: 1 / -1; }
}
.join > section { display: flex; flex-direction: column; gap: 4px; min-width: 0; }
.side { padding: 8px; border: 1px solid var(--eg-line); border-radius: 4px; }
.side h3, .side p { display: flex; gap: 6px; align-items: center; min-width: 0; }
/* The middle decides the height, and the lists fill it. */
.side > ul { flex: 1 1 160px; min-height: 96px; overflow: auto; contain: size; }
.side-property { display: flex; align-items: center; gap: 6px; width: 100%; height: 24px; padding: 0 4px; border: 1px solid transparent; border-radius: 3px; background: none; color: inherit; font: inherit; text-align: start; cursor: grab; }
.side-property:hover { background: var(--vscode-list-hoverBackground); }
.side-property[aria-pressed='true'] { border-color: var(--eg-selected); }
/* The name has its room first; details are cut. */
.side-property > .clip:not(.muted) { flex: 0 0 auto; max-width: calc(100% - 24px); }
.side-property .muted { flex: 1 1 0; text-align: end; }
.side-property .mapped { flex: none; color: var(--eg-selected); }
.side-property.is-mapped > .clip:not(.muted) { max-width: calc(100% - 44px); font-weight: 600; }
.mappings > ul, .cross-table section > ul { display: flex; flex-direction: column; gap: 6px; }
.mapping { display: grid; grid-template-columns: minmax(0, 1fr) auto minmax(0, 1fr) auto; gap: 6px; align-items: center; }
.mapping.expression { grid-template-columns: minmax(0, 1fr) auto; }
.mapping .field-problem { grid-column: 1 / -1; }
.cross-table { display: flex; flex-direction: column; gap: 8px; padding: 8px; border: 1px dashed var(--eg-edge); border-radius: 4px; }
.correlations { display: flex; flex-direction: column; gap: 8px; }
.correlations > ul { display: flex; flex-direction: column; gap: 8px; }
.correlation { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)) 228px auto; gap: 6px; align-items: end; }
.correlation .value-form { display: flex; gap: 4px; }
.correlation .separator { width: 44px; }
@media (max-width: 720px) {
  .correlation { grid-template-columns: repeat(3, minmax(0, 1fr)); }
  .correlation .stacked { grid-column: 1 / 3; }
  .correlation .trash { justify-self: end; }
}
/* Beside a preview, the mappings of both sides stand below one another. */
@container (max-width: 640px) {
  .cross-table > .columns { grid-template-columns: minmax(0, 1fr); }
}
.cross-table section { display: flex; flex-direction: column; gap: 6px; align-items: flex-start; }
.cross-table section > ul { width: 100%; }
.cross-table eg-combobox { flex: 1; }

.preview { display: flex; flex: 1; flex-direction: column; gap: 6px; min-height: 0; }
.preview.running { flex: none; flex-direction: row; flex-wrap: wrap; align-items: center; }
.preview.failed { flex: none; }
.preview.failed > p { display: flex; gap: 6px; align-items: baseline; min-width: 0; overflow-wrap: anywhere; }
.preview.failed > .place { align-items: center; }
.preview.failed .query { max-height: 240px; }
.preview .codicon-error { align-self: center; color: var(--eg-error); }
.preview .codicon-warning { color: var(--eg-warning); font-size: 14px; vertical-align: text-bottom; }
.preview .mark .codicon { font-size: 14px; vertical-align: text-bottom; }
.preview-table { flex: 0 1 auto; min-height: 80px; overflow: auto; border: 1px solid var(--eg-line); border-radius: 3px; }
.preview table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
.preview .side-name { display: block; position: sticky; left: 8px; width: fit-content; max-width: 200px; overflow: hidden; text-overflow: ellipsis; }
.preview .side-name .muted { font-weight: 400; }
.preview :is(th, td).side-edge { border-inline-start: 1px solid var(--eg-line); }
.join-counts { flex: none; align-self: flex-start; max-width: 100%; }
.join-counts th[scope='row'] { max-width: 200px; font-weight: 400; }
.preview .join-counts th { white-space: normal; }
.preview .join-counts :is(td, th[scope='col']:not(:first-child)) { text-align: end; }
.preview td { max-width: 320px; overflow: hidden; text-overflow: ellipsis; unicode-bidi: plaintext; }
.preview th, .preview td { padding: 2px 8px; text-align: start; white-space: nowrap; border-bottom: 1px solid var(--eg-line); }
.preview-table thead { position: sticky; z-index: 1; top: 0; background: var(--vscode-editorWidget-background); }
.preview-table th { font-weight: 600; }
`;
