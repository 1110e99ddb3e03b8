/** Styles of the event graph view. */
export const eventGraphStyles = `
.tools { display: flex; flex: none; flex-wrap: wrap; align-items: center; gap: 4px; min-height: 36px; padding: 0 8px; border-bottom: 1px solid var(--eg-line); }
.tools h1 { flex: 0 1 auto; min-width: 48px; max-width: 240px; padding: 0 8px 0 4px; }
.space { flex: 1; }
[role='tab'] { height: 35px; padding: 0 10px; border: 0; border-bottom: 2px solid transparent; background: none; color: var(--eg-muted); font: inherit; cursor: pointer; }
[role='tab'][aria-selected='true'] { color: var(--eg-foreground); border-bottom-color: var(--eg-focus); }
[role='tab']:hover { color: var(--eg-foreground); }
.action.labelled { gap: 6px; padding: 0 8px; white-space: nowrap; }
.filter-bar { display: flex; flex: none; flex-wrap: wrap; align-items: center; gap: 8px 12px; padding: 6px 12px; border-bottom: 1px solid var(--eg-line); }
.filter-panel { display: flex; flex: none; gap: 8px; align-items: flex-start; max-height: 45%; padding: 8px 12px; border-bottom: 1px solid var(--eg-line); overflow: auto; }
.panel-content { display: flex; flex: 1; flex-direction: column; gap: 8px; min-width: 0; }
.panel-row { display: flex; flex-wrap: wrap; gap: 6px 12px; align-items: center; }
.panel-row .small { height: 24px; }
.panel-content > .loaded { display: flex; flex-direction: column; gap: 6px; }
.panel-content .search { max-width: 360px; }
.panel-content .bins { height: 72px; max-width: 900px; }
.panel-content .ends { max-width: 900px; }
.number-limit { width: 110px; }
.value-choice { display: grid; grid-template-columns: repeat(auto-fill, minmax(220px, 1fr)); gap: 2px 24px; }
.value-choice li { display: flex; gap: 8px; justify-content: space-between; min-width: 0; min-height: 22px; font-variant-numeric: tabular-nums; }
.value-choice .check { min-width: 0; }
.saved-list { display: flex; flex-direction: column; gap: 2px; }
.saved-list li { display: flex; gap: 12px; align-items: center; min-height: 26px; min-width: 0; }
.saved-list .clip { flex: 1; }
.doubt { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; }
.draft-mistake { display: flex; gap: 6px; align-items: center; }
.draft-mistake .codicon { color: var(--eg-error); }
.action[aria-expanded='true'] { background: var(--eg-toolbar-hover); border-color: var(--vscode-contrastActiveBorder, transparent); }
#matching { font-weight: 600; font-variant-numeric: tabular-nums; }
.field { display: flex; align-items: center; gap: 6px; }
.chip { display: inline-flex; align-items: center; gap: 6px; max-width: 320px; height: 24px; padding: 0 8px; border: 1px solid var(--eg-surface-line); border-radius: 12px;
  background: var(--eg-surface); color: inherit; font: inherit; cursor: pointer; }
.chip:hover { background: var(--eg-surface-hover); }
#panel { display: flex; flex: 1; min-height: 0; overflow: hidden; }
/* Loaded content is laid out as if it had no container. */
.loaded { display: contents; }
#panel > .stale { display: flex; flex: 1; min-width: 0; }
.stale { opacity: 0.6; transition: opacity 120ms ease-out 150ms; }
.still-reading { position: relative; z-index: 2; flex: none; height: 0; }
.still-reading p { position: absolute; inset-block-start: 8px; inset-inline-start: 50%; display: flex; gap: 8px; align-items: center; margin: 0; padding: 4px 4px 4px 12px; white-space: nowrap; transform: translateX(-50%);
  border: 1px solid var(--eg-surface-line); border-radius: 4px; background: var(--eg-surface); box-shadow: 0 2px 8px var(--eg-shadow, transparent); font-variant-numeric: tabular-nums; }
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
.side { display: flex; flex: none; flex-direction: column; gap: 10px; width: clamp(260px, var(--side, 22vw), 60vw); padding: 8px 12px; overflow: auto; }
.splitter { flex: none; width: 5px; border-left: 1px solid var(--eg-line); cursor: col-resize; touch-action: none; }
.splitter:hover, .splitter:focus-visible { background: var(--vscode-sash-hoverBorder, var(--eg-focus)); outline: none; }
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
/* Times between events stay beside their events. */
.line { max-width: 960px; margin: 8px 0; padding: 0; list-style: none; }
.line > li { display: grid; position: relative; grid-template-columns: 84px 68px 16px minmax(0, 1fr) max-content; gap: 8px; align-items: baseline; min-height: 24px; padding: 2px 0; border-radius: 3px; }
.line > li:hover { background: var(--vscode-list-hoverBackground, transparent); }
.when { text-align: end; color: var(--eg-muted); font-variant-numeric: tabular-nums; }
.point { position: relative; justify-self: center; align-self: start; width: 9px; height: 9px; margin-top: 7px; border: 1.5px solid var(--type); border-radius: 50%; background: var(--eg-background); }
.gap { color: var(--eg-muted); font-variant-numeric: tabular-nums; }
.gap.long { color: var(--eg-foreground); font-weight: 600; }
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
.distributions section > .stale { display: flex; flex-direction: column; gap: 8px; }
#changed-map { overflow: auto; }
#changed-map > svg { max-width: 100%; height: auto; }
.distributions section, .quality section { flex: 1 1 340px; min-width: 0; display: flex; flex-direction: column; gap: 8px; }
.quality section.whole { flex-basis: 100%; }
.bar { display: grid; grid-template-columns: minmax(80px, 2fr) minmax(80px, 3fr); gap: 8px; align-items: center; width: 100%; min-height: 22px; padding: 0; border: 0; background: none; color: inherit; font: inherit; text-align: start; }
button.bar { cursor: pointer; }
button.bar:hover { background: var(--vscode-list-hoverBackground, transparent); }
.distributions .bar { grid-template-columns: minmax(80px, 1fr) minmax(80px, 1fr); }
.distributions .input { align-self: flex-start; max-width: 100%; }
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
.draft-choices { flex-wrap: wrap; }
.draft-choices p { overflow-wrap: anywhere; }
.draft-choices label { display: flex; gap: 4px; align-items: center; min-width: 0; }
.draft-choices select { min-width: 0; max-width: 200px; }
.note { display: flex; gap: 6px; align-items: baseline; padding: 2px 0; }
.note .codicon { color: var(--eg-warning); transform: translateY(3px); }
.throughput { display: flex; flex: 1; flex-direction: column; gap: 20px; padding: 12px 16px; overflow: auto; }
.throughput section, .throughput section > .stale { display: flex; flex-direction: column; gap: 8px; }
.throughput > .stale { display: flex; flex-direction: column; gap: 20px; }
.throughput h2 { display: flex; align-items: center; gap: 12px; }
.throughput h2 select { min-width: 0; max-width: 100%; }
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
.groups td:not(.track-cell) { white-space: nowrap; }
.track-cell { width: 40%; }
.track-cell .bar-track { display: block; position: relative; }
.track-cell .bar-fill { position: absolute; top: 0; }
.bar-fill.soft { opacity: 0.4; }
.targets { margin: 0; padding: 0; list-style: none; }
.targets li { display: flex; gap: 6px; align-items: center; }
.targets .broken { color: var(--eg-error); }
.throughput .choices { display: flex; gap: 4px; }
.throughput .choices .button, .throughput h2 select { font-weight: 400; }
.series h3 .muted { font-weight: 400; }
.throughput h2 .muted { font-weight: 400; }
.interval { display: flex; align-items: center; gap: 10px; }
.interval-line { position: relative; flex: 1; min-width: 80px; height: 14px; }
.interval-text { flex: none; min-width: 215px; text-align: end; color: var(--eg-muted); }
.interval.sure .interval-text { color: var(--eg-foreground); }
.interval i { position: absolute; }
.interval .zero { top: 0; bottom: 0; left: 50%; width: 1px; background: var(--eg-muted); }
.interval .between { top: 6px; height: 2px; background: var(--eg-muted); }
.interval .dot { top: 3px; width: 8px; height: 8px; margin-left: -4px; border: 1.5px solid var(--eg-muted); border-radius: 50%; background: var(--eg-background); }
.interval.sure .between { background: var(--vscode-charts-blue); }
.interval.sure .dot { border-color: var(--vscode-charts-blue); background: var(--vscode-charts-blue); }
.groups th[scope='row'] { min-width: 160px; max-width: 420px; text-align: start; overflow-wrap: anywhere; }
.causes { max-width: 1400px; }
.compare .instead { max-width: 640px; }
.series { display: flex; flex-direction: column; gap: 2px; }
.series h3 { margin: 0; }
.series .bins { height: 72px; }
.dots { display: block; width: 100%; height: 340px; border: 1px solid var(--eg-line); }
/* Density is no contrast: in high contrast every point is opaque. */
:is(.vscode-high-contrast, .vscode-high-contrast-light) .dots path { opacity: 1; }
.dot-legend { display: flex; flex-wrap: wrap; gap: 2px 16px; }
.dot-legend li { display: flex; align-items: center; gap: 6px; min-width: 0; max-width: 320px; }
.square { flex: none; width: 10px; height: 10px; border-radius: 2px; }
.matrix { overflow: auto; }
.matrix th, .matrix td { min-width: 56px; max-width: 130px; padding: 3px 6px; border: 1px solid var(--eg-line); }
.matrix .clip { display: block; }
.matrix thead th { text-align: end; }
.handover summary { width: fit-content; cursor: pointer; }
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
/* A finding is a line that opens: what it is, how much of the map it explains, and the sentence below. */
.findings ul { margin: 0; padding: 0; list-style: none; }
.finding { border-bottom: 1px solid var(--eg-line); }
.finding summary { display: grid; grid-template-columns: 16px 16px minmax(12em, 1fr) minmax(10em, 18em); column-gap: 8px; align-items: center; padding: 6px 0; cursor: pointer; list-style: none; }
.finding summary::-webkit-details-marker { display: none; }
.finding-title { font-weight: 600; overflow-wrap: anywhere; }
.finding-title .muted { font-weight: normal; }
.finding-share { display: flex; gap: 8px; align-items: center; }
.finding-message { grid-column: 3 / -1; overflow-wrap: anywhere; }
.finding details > p, .finding details > ul { margin: 0 0 8px 48px; }
.finding details > button { margin: 0 4px 8px 40px; }
.finding details[open] .codicon-chevron-right { transform: rotate(90deg); }
.violations { margin: 0; padding: 0; list-style: none; }
.violations li { padding: 2px 0; overflow-wrap: anywhere; }
.example { padding: 8px 12px; border: 1px solid var(--eg-line); border-radius: 3px; text-align: start; }
@media (max-width: 720px) {
  .rules { flex-direction: column; }
  .rule-list { width: auto; max-height: 40%; border-right: 0; border-bottom: 1px solid var(--eg-line); }
}
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 2px 12px 2px 0; text-align: end; border-bottom: 1px solid var(--eg-line); font-weight: 400; }
th:first-child, .keys, .texts :is(th, td) { text-align: start; }
thead th { font-weight: 600; }
.keys { overflow-wrap: anywhere; }

/* After the rules that they change. */
@media (min-width: 1500px) {
  /* Tables with few columns stand beside each other. */
  .throughput.side-by-side, .compare > :is(.loaded, .stale) { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 20px 40px; align-content: start; }
  .compare > :is(.loaded, .stale) > .wide-table { grid-row: span 2; }
}
/* Tabs and buttons stay in one row: a long name is shortened, and then the labels of the buttons are hidden. */
@media (min-width: 1101px) {
  .tools { flex-wrap: nowrap; }
  .tools > :not(h1) { flex-shrink: 0; }
  .tools > .space { flex-shrink: 1; }
}
@media (max-width: 1280px) {
  .tools .tool-name { display: none; }
}
/* Beside an open side bar. */
@media (max-width: 1100px) {
  .tools .tool-name { display: none; }
  [role='tab'] { padding: 0 5px; }
  .tools .action.labelled { padding: 0 4px; }
}
@media (max-width: 720px) {
  /* The words of an interval go below its line, so that names keep their room. */
  .interval { flex-direction: column; align-items: stretch; gap: 0; }
  .interval-line { flex: none; }
  .interval-text { min-width: 0; }
  .groups .track-cell { width: auto; }
  /* Tabs and buttons share their rows, so that the content keeps most of the height. */
  .tools h1 { position: absolute; width: 1px; height: 1px; padding: 0; overflow: hidden; clip-path: inset(50%); }
  .tools [role='tablist'] { display: contents; }
  .tools { gap: 0 2px; }
  .tools [role='tab'] { height: 25px; padding: 0 5px; }
  .filter-bar { gap: 4px 8px; padding: 4px 8px; }
  .map { flex-direction: column; }
  .splitter { display: none; }
  .side { width: auto; max-height: 34%; border-top: 1px solid var(--eg-line); }
  .entities { width: 168px; padding: 12px 8px; }
  .events { padding: 12px 8px; }
  .line > li { grid-template-columns: 78px 60px 12px minmax(0, 1fr) max-content; gap: 6px; }
  .line > li:not(:last-child)::after { left: 155.5px; }
  .controls { display: grid; grid-template-columns: 1fr 1fr; gap: 8px 24px; align-items: center; }
}
/* A third of a window. */
@media (max-width: 560px) {
  .filter-bar > .period { display: none; }
  .filter-bar .tool-name { display: none; }
  .filter-bar .action.labelled { padding: 0 4px; }
  .bar, .distributions .bar { grid-template-columns: minmax(80px, 3fr) minmax(48px, 2fr); }
  .bar-count { width: 56px; }
  .filter-bar .input { height: 24px; }
  .timeline { flex-direction: column; }
  .timeline .entities { width: auto; max-height: 40%; border-right: 0; border-bottom: 1px solid var(--eg-line); }
}
`;
