/** Styles of the explorer: request and response side by side, stacked when narrow. */
export const explorerStyles = `
#root { overflow: auto; }
.explorer { display: grid; grid-template-columns: minmax(320px, 2fr) minmax(320px, 3fr); gap: 24px; padding: 0 16px 16px; min-height: 0; flex: 1; }
@media (max-width: 760px) { .explorer { grid-template-columns: minmax(0, 1fr); } }
.tools { display: flex; align-items: baseline; gap: 12px; padding: 12px 16px; }
.tools h1 { font-size: 1.25em; white-space: nowrap; }
.request, .answer { display: flex; flex-direction: column; gap: 10px; min-width: 0; }
.line, .heading-line { display: flex; align-items: center; gap: 8px; min-width: 0; }
.line #path { flex: 1; min-width: 0; font-family: var(--eg-mono); }
.heading-line h2, .heading-line #status { flex: 1; }
.parameters { border: 0; margin: 0; padding: 0; display: flex; flex-direction: column; gap: 6px; align-items: flex-start; }
.parameters legend { padding: 0 0 4px; font-weight: 600; }
.parameter { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr) auto; gap: 6px; width: 100%; align-items: center; }
.explorer textarea.input { height: auto; padding: 6px; resize: vertical; font-family: var(--eg-mono); }
.explorer pre { margin: 0; padding: 8px 12px; border: 1px solid var(--eg-line); border-radius: 4px; overflow: auto; font-family: var(--eg-mono);
  background: var(--vscode-textCodeBlock-background, transparent); }
#request-text { white-space: pre-wrap; overflow-wrap: anywhere; min-height: 3.5em; max-height: 40vh; }
.answer #answer-part { flex: 1; min-height: 0; overflow: auto; }
.tabs { display: flex; gap: 4px; border-bottom: 1px solid var(--eg-line); }
.tabs [aria-selected='true'] { font-weight: 600; border-bottom: 2px solid var(--eg-focus); border-radius: 4px 4px 0 0; }
.answer table { border-collapse: collapse; width: 100%; }
.answer th, .answer td { text-align: start; padding: 4px 12px 4px 0; border-bottom: 1px solid var(--eg-line); vertical-align: top; overflow-wrap: anywhere; }
.warnings { margin: 0 16px 12px; }
.warnings summary { cursor: pointer; }
.warnings ul { margin: 4px 0 0; padding-inline-start: 20px; max-height: 30vh; overflow: auto; }
.endpoint p { margin: 4px 0 0; overflow-wrap: anywhere; }
.answered { overflow-wrap: anywhere; }
.bad, .wrong-request { color: var(--eg-error); }
.codicon-loading { animation: turn 1s linear infinite; display: inline-block; }
@keyframes turn { to { transform: rotate(360deg); } }
`;
