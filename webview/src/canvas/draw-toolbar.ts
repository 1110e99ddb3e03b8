import { type TemplateResult, html, nothing } from 'lit';
import type { GraphView } from '../../../protocol/graph-view.ts';
import { button } from '../ui/button.ts';
import { exclamationMark, icon } from '../ui/icons.ts';
import type { TextMetrics } from '../ui/text-metrics.ts';
import { t } from '../ui/translate.ts';
import type { CanvasHandlers } from './canvas-edits.ts';
import { type CanvasState, isEmpty } from './canvas-state.ts';
import { type ToolbarLabel, type ToolbarFit, labelTexts, toolbarFit } from './toolbar-labels.ts';
import { shownSources } from './source-filter.ts';
import { zoomStep } from './viewport.ts';

/** Drawing actions on the left, then name and size of the graph, view actions on the right, with labels while they fit. */
export function drawToolbar(
  state: CanvasState,
  view: GraphView,
  hands: CanvasHandlers,
  page: { readonly width: number; readonly text: TextMetrics },
): TemplateResult {
  const unfinished = countUnfinished(view);
  const problems = countProblems(view);
  const isModified = view.imported?.isModifiedSince === true;
  const texts = {
    drawing: state.step === 'build' ? t('Add Data Relationships') : '',
    name: view.name || t('Unnamed Entity Graph'),
    facts: factsOf(view),
    problems: [
      unfinished > 0 ? t('{0} to configure', inDigits(unfinished)) : '',
      problems === 1 ? t('1 problem') : problems > 1 ? t('{0} problems', inDigits(problems)) : '',
    ]
      .filter(Boolean)
      .join(' · '),
    modified: isModified ? t('Modified since import') : '',
    sources: sourceFilterText(state, view),
  };
  const room = toolbarFit(page.width, texts, page.text);
  return html`<header class="toolbar">
    ${state.step === 'build' ? drawDrawingButton(state, view, hands) : nothing}
    <h1 class="clip" title=${`${texts.name}\n${texts.facts[0] ?? ''}`}>${texts.name}</h1>
    ${button(icon('law'), hands.edits.configureGraph, { appearance: 'icon', id: 'configure-graph', title: t('Rules, Measures and Settings of the Graph'), label: t('Rules, Measures and Settings of the Graph'), opensDialog: true })}
    ${room.facts !== '' ? html`<p class="muted clip" title=${texts.facts[0] ?? ''}>${room.facts}</p>` : nothing}
    ${isModified ? html`<p class="modified" title=${t('The numbers on the canvas are those of the last import.')}>${icon('history')} ${texts.modified}</p>` : nothing}
    ${texts.problems !== '' ? html`<p class="problems">${exclamationMark()} ${texts.problems}</p>` : nothing}
    ${state.step === 'build' && !isEmpty(view) ? drawSourceFilter(texts.sources, state, view, hands) : nothing}
    ${state.step !== 'build' ? drawBackButton(view, hands) : isEmpty(view) ? nothing : drawTools(state, room, hands)}
  </header>`;
}

/** All facts, and without the data sources. */
function factsOf(view: GraphView): readonly string[] {
  const masterData = view.elements.filter((card) => card.isMasterData).length;
  const counts = [
    elementCount(view.elements.length - masterData),
    masterDataCount(masterData),
    relationshipCount(view.relationships.length),
  ];
  return [[...counts, (view.dataSources ?? [view.dataSource ?? '']).join(', ')], counts].map((parts) =>
    parts.filter(Boolean).join(' · '),
  );
}

function drawDrawingButton(
  { drawing, stale }: CanvasState,
  view: GraphView,
  { actions }: CanvasHandlers,
): TemplateResult {
  const title = drawing
    ? t('Stop drawing relationships (Escape)')
    : t('Drag from the source element to the target element (R)');
  return button(
    html`${icon('type-hierarchy')} <span>${t('Add Data Relationships')}</span>`,
    drawing ? actions.stopDrawing : actions.startDrawing,
    {
      appearance: 'labelled',
      id: 'add-relationships',
      pressed: drawing !== undefined,
      disabled: stale !== undefined || view.elements.length === 0,
      title,
    },
  );
}

/** The number of shown data sources as text, empty for all; undefined if the graph has only one. */
function sourceFilterText({ hiddenSources, step }: CanvasState, view: GraphView): string | undefined {
  if (!view.dataSources || step !== 'build') return undefined;
  const all = view.dataSources?.length ?? 0;
  const shown = shownSources(view, hiddenSources).length;
  return shown === 0 || shown === all ? '' : t('{0} of {1} data sources', inDigits(shown), inDigits(all));
}

function drawSourceFilter(
  words: string | undefined,
  { hiddenSources }: CanvasState,
  view: GraphView,
  { actions }: CanvasHandlers,
): TemplateResult | typeof nothing {
  if (words === undefined) return nothing;
  const open = (event: MouseEvent): void => {
    const { left, bottom } = (event.currentTarget as Element).getBoundingClientRect();
    actions.openSourceFilter({ x: left, y: bottom });
  };
  const content = words === '' ? icon('filter') : html`${icon('filter-filled')} <span>${words}</span>`;
  return button(content, open, {
    appearance: words === '' ? 'icon' : 'labelled',
    id: 'source-filter',
    title:
      words === ''
        ? t('Filter by Data Source')
        : t('Filter by Data Source: {0}', shownSources(view, hiddenSources).join(', ')),
    label: t('Filter by Data Source'),
    opensMenu: true,
  });
}

function drawBackButton(view: GraphView, { actions }: CanvasHandlers): TemplateResult | typeof nothing {
  if (isEmpty(view)) return nothing;
  return html`<div class="tools">
    ${button(html`${icon('arrow-left')} ${t('Back to Canvas')}`, () => actions.goToStep('build'), { appearance: 'labelled' })}
  </div>`;
}

function drawTools(
  state: CanvasState,
  { labels, inMenu }: ToolbarFit,
  { actions, edits }: CanvasHandlers,
): TemplateResult {
  const zoom = Math.round(state.viewport.zoom * 100);
  const words = labelTexts();
  const tool = (
    which: ToolbarLabel,
    iconName: string,
    onClick: () => void,
    options: { readonly title: string; readonly label: string; readonly pressed?: boolean },
  ): TemplateResult | typeof nothing =>
    inMenu.has(which)
      ? nothing
      : labels.has(which)
        ? button(html`${icon(iconName)} <span>${words[which]}</span>`, onClick, { appearance: 'labelled', ...options })
        : button(icon(iconName), onClick, { appearance: 'icon', ...options });
  return html`<div class="tools" role="toolbar" aria-label=${t('View')}>
    ${tool('find', 'search', () => actions.find(''), { title: t('Find (Ctrl+F)'), label: t('Find') })}
    ${tool('fit', 'screen-full', actions.fit, { title: t('Fit (F)'), label: t('Fit') })}
    ${tool('arrange', 'layout', edits.arrange, { title: t('Arrange: lay out everything again'), label: t('Arrange') })}
    ${tool('grid', 'table', actions.toggleGrid, { pressed: state.grid, title: t('Show Grid (G)'), label: t('Show Grid') })}
    ${button(
      icon('ellipsis'),
      (event: MouseEvent) => {
        const { left, bottom } = (event.currentTarget as Element).getBoundingClientRect();
        actions.openMenu({ x: left, y: bottom });
      },
      { appearance: 'icon', title: t('More Actions'), label: t('More Actions'), opensMenu: true },
    )}
    <span class="separator" aria-hidden="true"></span>
    ${button(icon('zoom-out'), () => actions.zoomBy(1 / zoomStep), { appearance: 'icon', title: t('Zoom Out (−)'), label: t('Zoom Out') })}
    ${button(html`${zoom} %`, actions.resetZoom, { appearance: 'icon', className: 'zoom', title: t('Reset Zoom (0)'), label: t('Reset Zoom, now {0} %', zoom) })}
    ${button(icon('zoom-in'), () => actions.zoomBy(zoomStep), { appearance: 'icon', title: t('Zoom In (+)'), label: t('Zoom In') })}
  </div>`;
}

/** Number of errors and warnings of all entries, without unconfigured elements and drafts. */
function countProblems({ elements, relationships }: GraphView): number {
  return [...elements, ...relationships].reduce((sum, { problems = [] }) => sum + problems.length, 0);
}

function countUnfinished({ elements, relationships }: GraphView): number {
  const unconfigured = elements.filter((element) => element.unconfigured !== undefined).length;
  return unconfigured + relationships.filter(({ draft }) => draft !== undefined).length;
}

function elementCount(count: number): string {
  return count === 1 ? t('1 element') : t('{0} elements', inDigits(count));
}

/** Few graphs have master data. */
function masterDataCount(count: number): string {
  return count === 0 ? '' : t('{0} master data', inDigits(count));
}

function relationshipCount(count: number): string {
  return count === 1 ? t('1 relationship') : t('{0} relationships', inDigits(count));
}

function inDigits(count: number): string {
  return count.toLocaleString('en');
}
