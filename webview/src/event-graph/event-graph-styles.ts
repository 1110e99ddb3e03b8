/** Styles of the event graph view. */
export const eventGraphStyles = `
.tools { display: flex; flex: none; flex-wrap: wrap; align-items: center; gap: 4px; min-height: 36px; padding: 0 8px; border-bottom: 1px solid var(--eg-line); }
.tools h1 { max-width: 240px; padding: 0 8px 0 4px; }
.space { flex: 1; }
[role='tab'] { height: 35px; padding: 0 10px; border: 0; border-bottom: 2px solid transparent; background: none; color: var(--eg-muted); font: inherit; cursor: pointer; }
[role='tab'][aria-selected='true'] { color: var(--eg-foreground); border-bottom-color: var(--eg-focus); }
[role='tab']:hover { color: var(--eg-foreground); }
.action.labelled { gap: 6px; padding: 0 8px; white-space: nowrap; }
.filter-bar { display: flex; flex: none; flex-wrap: wrap; align-items: center; gap: 8px 12px; padding: 6px 12px; border-bottom: 1px solid var(--eg-line); }
#matching { font-weight: 600; font-variant-numeric: tabular-nums; }
.field { display: flex; align-items: center; gap: 6px; }
.chip { display: inline-flex; align-items: center; gap: 6px; max-width: 320px; height: 24px; padding: 0 8px; border: 1px solid var(--eg-surface-line); border-radius: 12px;
  background: var(--eg-surface); color: inherit; font: inherit; cursor: pointer; }
.chip:hover { background: var(--eg-surface-hover); }
.link { padding: 0; border: 0; background: none; color: var(--eg-link); font: inherit; text-align: start; cursor: pointer; }
.link:hover { text-decoration: underline; }
#panel { display: flex; flex: 1; min-height: 0; overflow: hidden; }
/* Loaded content is laid out as if it had no container. */
.loaded { display: contents; }
#panel > .stale { display: flex; flex: 1; min-width: 0; }
.stale { opacity: 0.6; transition: opacity 120ms ease-out 150ms; }
.waiting { flex: 1; padding: 16px; }
.waiting p { display: flex; gap: 8px; align-items: center; margin: 0 0 12px; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px 16px; margin: 0; }
dt { color: var(--eg-muted); }
dd { margin: 0; font-variant-numeric: tabular-nums; }
h3 { margin: 12px 0 4px; font-size: inherit; font-weight: 600; }

.map { display: flex; flex: 1; min-width: 0; }
.drawn { display: flex; flex: 1; flex-direction: column; min-width: 0; min-height: 0; }
#picture { flex: 1; min-width: 0; overflow: auto; user-select: none; cursor: grab; }
#picture.panning, #picture.panning * { cursor: grabbing !important; }
#drawing { display: block; margin-inline: auto; overflow: visible; }
#drawing [data-node], #drawing [data-edge], #drawing [data-label] { cursor: pointer; }
#drawing [data-node]:hover rect:first-of-type { stroke: var(--eg-focus); }
#drawing [data-edge]:hover path:not([data-reach]) { stroke: var(--eg-focus); }
#drawing [data-edge]:hover [data-arrow] { fill: var(--eg-focus); }
#drawing [data-label]:hover text { text-decoration: underline; }
#drawing .chosen rect:first-of-type { stroke: var(--eg-focus); stroke-width: 2; }
#drawing .chosen path:not([data-reach]) { stroke: var(--eg-focus); }
#drawing .chosen [data-arrow] { fill: var(--eg-focus); }
#drawing :focus { outline: none; }
.side { display: flex; flex: none; flex-direction: column; gap: 10px; width: 260px; padding: 8px 12px; border-left: 1px solid var(--eg-line); overflow: auto; }
.controls { display: flex; flex-direction: column; gap: 6px; }
.slider { display: flex; flex-direction: column; gap: 2px; }
.slider-label { display: flex; justify-content: space-between; }
.slider input { --slider: var(--eg-button); width: 100%; height: 16px; margin: 0; background: none; appearance: none; cursor: pointer; }
/* Drawn here: in dark themes, the browser gives an unfilled track the white of its light theme. */
.slider input::-webkit-slider-runnable-track { height: 4px; border-radius: 2px;
  background: linear-gradient(to right, var(--slider) var(--share), color-mix(in srgb, var(--eg-foreground), transparent 75%) var(--share)); }
.slider input::-webkit-slider-thumb { width: 14px; height: 14px; margin-top: -5px; border-radius: 50%; background: var(--slider); appearance: none; }
.path-measures { display: flex; flex-direction: column; gap: 3px; }
.path-measures .choices { display: flex; flex-wrap: wrap; gap: 4px; }
.path-measures .choices .button { padding: 0 7px; }
.measure { display: flex; align-items: center; justify-content: space-between; gap: 8px; }
.check { display: flex; align-items: center; gap: 6px; }
.check input { margin: 0; accent-color: var(--eg-button); }
/* Buttons of dark high contrast have the colour of the page. */
.vscode-high-contrast .check input { accent-color: var(--eg-focus); }
.vscode-high-contrast .slider input { --slider: var(--eg-focus); }
.some-paths { display: flex; flex-wrap: wrap; gap: 6px; }
.zoom { display: flex; align-items: center; gap: 2px; font-variant-numeric: tabular-nums; }
.facts { display: flex; flex-direction: column; gap: 6px; min-width: 0; }
.path { display: flex; justify-content: space-between; gap: 8px; font-variant-numeric: tabular-nums; }

.timeline { display: flex; flex: 1; min-width: 0; }
.entities { display: flex; flex: none; flex-direction: column; gap: 8px; width: 240px; padding: 12px; border-right: 1px solid var(--eg-line); overflow: auto; }
.search { display: flex; flex: none; align-items: center; gap: 6px; }
.search input { flex: 1; min-width: 0; padding: 0; border: 0; outline: 0; background: none; color: inherit; font: inherit; }
.hit { display: flex; flex-direction: column; width: 100%; padding: 4px 8px; border: 1px solid transparent; border-radius: 0 3px 3px 0; background: none; color: inherit; font: inherit; text-align: start; cursor: pointer; }
.hit:hover { background: var(--vscode-list-hoverBackground, transparent); }
.hit[aria-current='true'] { background: var(--vscode-list-inactiveSelectionBackground, transparent); border-color: var(--vscode-contrastActiveBorder, transparent); }
.events { flex: 1; min-width: 0; padding: 12px 16px; overflow: auto; }
.entity { display: flex; align-items: baseline; gap: 12px; }
.entity h2 { font-size: 1.15em; }
.related { display: flex; flex-wrap: wrap; gap: 6px; margin: 8px 0; }
.line { margin: 8px 0; padding: 0; list-style: none; }
.line > li { display: grid; position: relative; grid-template-columns: 84px 68px 16px minmax(0, 1fr); gap: 8px; align-items: baseline; min-height: 24px; padding: 2px 0; border-radius: 3px; }
.line > li:hover { background: var(--vscode-list-hoverBackground, transparent); }
.when { text-align: end; color: var(--eg-muted); font-variant-numeric: tabular-nums; }
.point { position: relative; justify-self: center; align-self: start; width: 9px; height: 9px; margin-top: 7px; border: 1.5px solid var(--type); border-radius: 50%; background: var(--eg-background); }
.own .point { background: var(--type); }
.line > li:not(:last-child)::after { position: absolute; top: 19px; bottom: -7px; left: 175.5px; width: 1px; background: var(--eg-edge); content: ''; }
/* Values between events have no point, so the line passes them. */
.line > .values:not(:last-child)::after { top: 7px; }
.type-dot { flex: none; width: 9px; height: 9px; border-radius: 50%; background: var(--type); }
.entity .type-dot { align-self: center; }
.hit { border-left: 3px solid var(--type); }
.changes { display: flex; flex-wrap: wrap; gap: 2px 16px; margin: 2px 0 4px; }
.change { display: flex; flex-wrap: wrap; gap: 0 6px; min-width: 0; overflow-wrap: anywhere; }
.change .before { color: var(--eg-muted); text-decoration: line-through; }
.initial { display: flex; flex-wrap: wrap; gap: 2px 16px; align-items: baseline; }
.more-related summary { width: fit-content; cursor: pointer; }
.property-choice { margin: 8px 0; }
.property-choice summary { width: fit-content; padding: 2px 4px; border-radius: 3px; font-weight: 600; cursor: pointer; }
.property-choice summary .muted { font-weight: 400; }
.property-choice .buttons { display: flex; gap: 8px; margin: 6px 0; }
.property-choice > ul { display: grid; grid-template-columns: repeat(auto-fill, minmax(230px, 1fr)); gap: 2px 24px; max-height: 220px; overflow: auto; }
.property-choice li { display: flex; align-items: center; justify-content: space-between; gap: 8px; min-width: 0; min-height: 22px; }
.property-choice .check { min-width: 0; }
.property-choice li > .muted { flex: none; }
#action-failure { flex: none; margin: 8px 12px 0; }
#action-failure .codicon-error { color: var(--eg-error); }
.other .what strong { font-weight: 400; }

.distributions, .quality { display: flex; flex: 1; flex-wrap: wrap; align-content: flex-start; gap: 24px; padding: 16px; overflow: auto; }
.distributions section, .quality section { flex: 1 1 340px; min-width: 0; display: flex; flex-direction: column; gap: 8px; }
.bar { display: grid; grid-template-columns: minmax(80px, 2fr) minmax(80px, 3fr); gap: 8px; align-items: center; width: 100%; min-height: 22px; padding: 0; border: 0; background: none; color: inherit; font: inherit; text-align: start; }
button.bar { cursor: pointer; }
button.bar:hover { background: var(--vscode-list-hoverBackground, transparent); }
.bar-track { height: 10px; border-radius: 2px; background: color-mix(in srgb, var(--vscode-charts-blue), transparent 88%); }
.bar-fill { display: block; height: 100%; border-radius: 2px; background: var(--vscode-charts-blue); }
.counted { display: flex; align-items: center; gap: 8px; }
.counted .bar { flex: 1; min-width: 0; }
.bar-count { flex: none; width: 72px; text-align: end; font-variant-numeric: tabular-nums; }
.number { padding: 0; border: 0; background: none; color: inherit; font: inherit; font-variant-numeric: tabular-nums; text-decoration: underline dotted var(--eg-muted); text-underline-offset: 3px; cursor: pointer; }
.number:hover { color: var(--eg-link); text-decoration-style: solid; }
button.column { border: 0; padding: 0; background: none; cursor: pointer; }
#drawing [data-legend] { display: none; }
.legend { display: flex; flex-wrap: wrap; gap: 2px 8px; padding: 6px 12px; font-size: 12px; }
.legend ul { display: flex; flex-wrap: wrap; gap: 4px 12px; margin: 0; padding: 0; list-style: none; }
.legend li { display: flex; align-items: center; gap: 6px; min-width: 0; }
.scale { display: inline-flex; align-items: center; gap: 6px; }
.scale i { width: 110px; height: 8px; border-radius: 2px; }
.swatch { flex: none; width: 18px; height: 4px; border-radius: 2px; }
.columns { display: flex; align-items: flex-end; gap: 1px; height: 140px; border-bottom: 1px solid var(--eg-line); }
.column { display: flex; flex: 1 1 0; align-items: flex-end; min-width: 1px; height: 100%; }
.column i { flex: 1; background: var(--vscode-charts-blue); }
.column:hover i { background: var(--eg-focus); }
.ends { display: flex; justify-content: space-between; }
.slice { display: flex; flex: none; gap: 8px; align-items: center; padding: 4px 12px; border-bottom: 1px solid var(--eg-line); }
.slice p { margin: 0; min-width: 0; }
.note { display: flex; gap: 6px; align-items: baseline; padding: 2px 0; }
.note .codicon { color: var(--eg-warning); transform: translateY(3px); }
.throughput { display: flex; flex: 1; flex-direction: column; gap: 20px; padding: 12px 16px; overflow: auto; }
.throughput section { display: flex; flex-direction: column; gap: 8px; max-width: 1100px; }
.throughput h2 { display: flex; align-items: center; gap: 12px; }
.throughput .ends, .brush-choice { margin: 0; }
.quantiles { display: flex; flex-wrap: wrap; gap: 8px 28px; }
.quantiles dd { font-size: 1.35em; }
.bins { position: relative; height: 160px; cursor: crosshair; touch-action: none; }
.bins .quantile { position: absolute; top: 0; bottom: 0; width: 0; border-left: 2px dashed var(--eg-foreground); }
.column.brushed { background: color-mix(in srgb, var(--eg-focus), transparent 75%); }
.column.brushed i { background: var(--eg-focus); }
.vscode-high-contrast .column.brushed { outline: 1px solid var(--eg-focus); }
.brush-choice { display: flex; align-items: center; gap: 10px; }
.groups { width: 100%; }
.groups .track-head { text-align: start; }
.track-cell { width: 40%; }
.track-cell .bar-track { display: block; position: relative; }
.track-cell .bar-fill { position: absolute; top: 0; }
.bar-fill.soft { opacity: 0.4; }
.cases { display: flex; flex: 1; flex-direction: column; min-width: 0; min-height: 0; }
.cases > .stale { display: flex; flex: 1; flex-direction: column; min-height: 0; }
.case-table { flex: 1; min-height: 0; overflow: auto; }
.case-table th, .case-table td { padding: 3px 12px; max-width: 260px; text-align: start; white-space: nowrap; }
.case-table thead th { position: sticky; top: 0; background: var(--eg-background); }
.case-table .number-cell { text-align: end; }
.case-table td .clip { display: block; }
.case-table tbody tr:hover { background: var(--vscode-list-hoverBackground, transparent); }
.case-table tbody tr:focus { outline: 1px solid var(--eg-focus); outline-offset: -1px; background: var(--vscode-list-inactiveSelectionBackground, transparent); }
.head { display: inline-flex; align-items: center; gap: 4px; padding: 0; border: 0; background: none; color: inherit; font: inherit; font-weight: 600; cursor: pointer; }
.case-count { display: flex; flex: none; align-items: center; gap: 12px; margin: 0; padding: 6px 12px; border-top: 1px solid var(--eg-line); }
.rules { display: flex; flex: 1; min-width: 0; }
.rules > .stale { display: flex; flex: 1; min-width: 0; }
.rule-list { flex: none; width: 320px; padding: 8px; border-right: 1px solid var(--eg-line); overflow: auto; }
.rule-list ul { margin: 0; padding: 0; list-style: none; }
.rule { display: flex; flex-direction: column; gap: 4px; width: 100%; padding: 8px; border: 1px solid transparent; border-radius: 3px; background: none; color: inherit; font: inherit; text-align: start; cursor: pointer; }
.rule:hover { background: var(--vscode-list-hoverBackground, transparent); }
.rule[aria-current='true'] { background: var(--vscode-list-inactiveSelectionBackground, transparent); border-color: var(--vscode-contrastActiveBorder, transparent); }
.rule-name { display: flex; gap: 6px; align-items: baseline; font-weight: 600; }
.rule-share { display: flex; gap: 8px; align-items: center; }
.rule-percent { flex: none; min-width: 48px; text-align: end; font-variant-numeric: tabular-nums; }
.share-bar { display: flex; position: relative; flex: 1; height: 10px; border-radius: 2px; background: color-mix(in srgb, var(--eg-muted), transparent 80%); }
.share-bar i { min-width: 1px; height: 100%; }
.share-bar i:first-child { border-radius: 2px 0 0 2px; }
.share-bar i.kept { background: var(--vscode-charts-green); }
.share-bar i.pending { background: color-mix(in srgb, var(--vscode-charts-green), transparent 60%); }
.share-bar i.undecided { background: none; }
.share-bar i.broken, .trend i.broken, .bar-fill.broken { background: var(--vscode-charts-red); }
.share-bar b { position: absolute; top: -3px; bottom: -3px; width: 2px; background: var(--eg-foreground); }
.outcome.kept { color: var(--vscode-charts-green); }
.outcome.unsure { color: var(--eg-muted); }
.outcome.broken-error { color: var(--eg-error); }
.outcome.broken-warning { color: var(--eg-warning); }
.outcome.broken-info { color: var(--eg-link); }
.rule-details { display: flex; flex: 1; flex-direction: column; gap: 16px; min-width: 0; padding: 12px 16px; overflow: auto; }
.rule-details > .stale { display: flex; flex-direction: column; gap: 16px; }
.rule-details h2 { display: flex; gap: 6px; align-items: baseline; font-size: 1.15em; }
.rule-details h3 { display: flex; gap: 8px; align-items: center; margin-top: 0; }
.rule-details .buttons { display: flex; gap: 8px; }
.expectations { margin: 4px 0 8px; padding-inline-start: 18px; }
.trend { height: 90px; }
.trend .column { max-width: 56px; }
.trend .stack { display: flex; flex: 1; align-items: flex-end; min-height: 1px; background: color-mix(in srgb, var(--vscode-charts-green), transparent 35%); }
.trend .column i { flex: 1; }
.bar-count.wide { width: 110px; }
.violations { margin: 0; padding: 0; list-style: none; }
.violations li { padding: 2px 0; overflow-wrap: anywhere; }
.example { padding: 8px 12px; border: 1px solid var(--eg-line); border-radius: 3px; text-align: start; }
@media (max-width: 720px) {
  .rules { flex-direction: column; }
  .rule-list { width: auto; max-height: 40%; border-right: 0; border-bottom: 1px solid var(--eg-line); }
}
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 2px 12px 2px 0; text-align: end; border-bottom: 1px solid var(--eg-line); font-weight: 400; }
th:first-child, .keys { text-align: start; }
thead th { font-weight: 600; }
.keys { overflow-wrap: anywhere; }

/* After the rules that they change. */
/* Tabs and buttons stay in one row beside an open side bar. */
@media (max-width: 1100px) {
  .tools .tool-name { display: none; }
}
@media (max-width: 720px) {
  [role='tab'] { padding: 0 7px; }
  .map { flex-direction: column; }
  .side { width: auto; max-height: 34%; border-left: 0; border-top: 1px solid var(--eg-line); }
  .entities { width: 168px; padding: 12px 8px; }
  .events { padding: 12px 8px; }
  .line > li { grid-template-columns: 78px 60px 12px minmax(0, 1fr); gap: 6px; }
  .line > li:not(:last-child)::after { left: 155.5px; }
  .controls { display: grid; grid-template-columns: 1fr 1fr; gap: 8px 24px; align-items: center; }
}
/* A third of a window: tabs and buttons share their rows, so that the map keeps most of the height. */
@media (max-width: 560px) {
  .tools h1 { display: none; }
  .tools [role='tablist'] { display: contents; }
  .tools { gap: 0 2px; }
  .tools [role='tab'] { height: 25px; padding: 0 5px; }
  .filter-bar { gap: 4px 8px; padding: 4px 8px; }
  .bar { grid-template-columns: minmax(80px, 3fr) minmax(48px, 2fr); }
  .bar-count { width: 56px; }
  .filter-bar .input { height: 24px; }
  .timeline { flex-direction: column; }
  .timeline .entities { width: auto; max-height: 40%; border-right: 0; border-bottom: 1px solid var(--eg-line); }
}
`;
