import { type TemplateResult, html, nothing } from 'lit';
import type { GraphView } from '../../../protocol/graph-view.ts';
import { button } from '../ui/button.ts';
import { exclamationMark, icon } from '../ui/icons.ts';
import { t } from '../ui/translate.ts';
import type { CanvasHands } from './canvas-edits.ts';
import { type CanvasState, isEmpty } from './canvas-state.ts';
import { zoomStep } from './viewport.ts';

/** Drawing actions on the left, then name and size of the graph, view actions on the right. */
export function drawToolbar(state: CanvasState, view: GraphView, hands: CanvasHands): TemplateResult {
  const problems = countProblems(view);
  const name = view.name || t('Unnamed Entity Graph');
  return html`<header class="toolbar">
    ${state.step === 'build' ? drawDrawingButton(state, view, hands) : nothing}
    <h1 class="clip" title=${name}>${name}</h1>
    <p class="muted clip">
      ${elementCount(view.elements.length)} ·
      ${relationshipCount(view.relationships.length)}${
        view.dataSource === undefined ? nothing : html` · ${view.dataSource}`
      }
    </p>
    ${problems > 0 ? html`<p class="problems">${exclamationMark()} ${t('{0} to configure', inDigits(problems))}</p>` : nothing}
    ${state.step === 'choose' ? drawBackButton(view, hands) : isEmpty(view) ? nothing : drawTools(state, hands)}
  </header>`;
}

function drawDrawingButton({ drawing, stale }: CanvasState, view: GraphView, { actions }: CanvasHands): TemplateResult {
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

function drawBackButton(view: GraphView, { actions }: CanvasHands): TemplateResult | typeof nothing {
  if (isEmpty(view)) return nothing;
  return html`<div class="tools">
    ${button(html`${icon('arrow-left')} ${t('Back to Canvas')}`, () => actions.goToStep('build'), { appearance: 'labelled' })}
  </div>`;
}

function drawTools(state: CanvasState, { actions, edits }: CanvasHands): TemplateResult {
  const zoom = Math.round(state.viewport.zoom * 100);
  return html`<div class="tools" role="toolbar" aria-label=${t('View')}>
    ${button(icon('search'), () => actions.find(''), { appearance: 'icon', title: t('Find (Ctrl+F)'), label: t('Find') })}
    ${button(icon('gripper'), actions.toggleGrid, { appearance: 'icon', pressed: state.grid, title: t('Show Grid (G)'), label: t('Show Grid') })}
    ${button(icon('screen-full'), actions.fit, { appearance: 'icon', title: t('Fit (F)'), label: t('Fit') })}
    ${button(icon('layout'), edits.arrange, { appearance: 'icon', title: t('Arrange: place everything anew'), label: t('Arrange') })}
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

function countProblems({ elements, relationships }: GraphView): number {
  const unconfigured = elements.filter((element) => element.unconfigured !== undefined).length;
  return unconfigured + relationships.filter(({ draft }) => draft !== undefined).length;
}

function elementCount(count: number): string {
  return count === 1 ? t('1 element') : t('{0} elements', inDigits(count));
}

function relationshipCount(count: number): string {
  return count === 1 ? t('1 relationship') : t('{0} relationships', inDigits(count));
}

function inDigits(count: number): string {
  return count.toLocaleString('en');
}
