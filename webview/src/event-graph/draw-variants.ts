import { type TemplateResult, html, nothing } from 'lit';
import type { VariantCondition, VariantView, VariantsView } from '../../../protocol/event-graph.ts';
import { durationText } from '../../../protocol/duration-text.ts';
import { sentence } from '../../../protocol/sentence.ts';
import { button } from '../ui/button.ts';
import { elapsedTime } from '../ui/elapsed-time.ts';
import { icon } from '../ui/icons.ts';
import { t } from '../ui/translate.ts';
import { type EventGraphActions, type EventGraphState, shownValue } from './event-graph-state.ts';
import { type CommonEnds, commonEnds, runs, shortPath } from './variant-words.ts';

/** Variants before *Show More*. */
const fewVariants = 5;

/** The orders in which the activities of the shown entities follow each other, the most frequent first. */
export function drawVariants(state: EventGraphState, actions: EventGraphActions): TemplateResult {
  return html`<section class="variants" aria-label=${t('Variants')}>${drawContent(state, actions)}</section>`;
}

function drawContent(state: EventGraphState, actions: EventGraphActions): TemplateResult {
  const { filter, variants } = state;
  const heading = (more: string | typeof nothing = nothing): TemplateResult =>
    html`<h3>${t('Variants')} <span class="muted">${more}</span></h3>`;
  if (filter.entityType === undefined) {
    return html`${heading()}
      <p class="muted">${t('Choose an entity type above to see in which orders its activities occur.')}</p>`;
  }
  if (variants?.kind === 'failed') {
    const { message, remedy } = variants.error;
    return html`${heading()}
      <p role="alert">${icon('warning')} ${sentence(message)} ${remedy ?? nothing}</p>
      <div class="buttons">${button(t('Try Again'), actions.readVariants, { appearance: 'small' })}</div>`;
  }
  const view = shownValue(variants);
  if (!view) {
    return html`${heading()}
      <p class="muted late" role="status">
        <span>${t('Reading the variants…')}</span>
        ${variants?.kind === 'loading' ? elapsedTime(variants.since) : nothing}
        ${button(t('Cancel'), actions.stopReading, { appearance: 'small' })}
      </p>`;
  }
  if (view.variants.length === 0) {
    return html`${heading()}
      <p class="muted">${t('No entity of this filter has events.')}</p>`;
  }
  return html`${heading(view.all.toLocaleString())} ${drawList(view, state, actions)}`;
}

function drawList(view: VariantsView, state: EventGraphState, actions: EventGraphActions): TemplateResult {
  const { filter, showsAllVariants } = state;
  const shown = showsAllVariants ? view.variants : view.variants.slice(0, fewVariants);
  const most = view.variants[0]?.entities ?? 0;
  // One tab stop: the chosen variant, else the first one.
  const stop = Math.max(
    0,
    shown.findIndex(({ id }) => id === filter.variant?.id),
  );
  const common = commonEnds(shown);
  const covered = shown.reduce((sum, { entities }) => sum + entities, 0);
  return html`<ul
      aria-label=${t('Variants, the most frequent first')}
      @keydown=${(event: KeyboardEvent) => walk(event)}
    >
      ${shown.map((variant, index) => html`<li>${drawVariant(variant, { index, stop, most, common, view, state, actions })}</li>`)}
    </ul>
    <p class="muted">
      ${t('{0} of {1} variants: {2} of the entities.', shown.length.toLocaleString(), view.all.toLocaleString(), shareText(covered, view.entities))}
      ${
        view.variants.length <= fewVariants
          ? nothing
          : button(
              showsAllVariants ? t('Show Fewer') : t('Show More'),
              () => actions.showAllVariants(!showsAllVariants),
              {
                appearance: 'link',
                id: 'more-variants',
              },
            )
      }
    </p>`;
}

interface Row {
  readonly index: number;
  /** Index of the tab stop. */
  readonly stop: number;
  /** Entities of the most frequent variant. */
  readonly most: number;
  readonly common: CommonEnds;
  readonly view: VariantsView;
  readonly state: EventGraphState;
  readonly actions: EventGraphActions;
}

function drawVariant(
  { id, activities, events, entities, median }: VariantView,
  { index, stop, most, common, view, state, actions }: Row,
): TemplateResult {
  const isChosen = state.filter.variant?.id === id;
  const more = events - activities.length;
  const end = more > 0 ? [t('{0} more', more.toLocaleString())] : [];
  const path = [...runs(activities), ...end].join(' → ');
  const shown = isChosen ? path : shortPath(activities, end, common);
  const count = entities === 1 ? t('1 entity') : t('{0} entities', entities.toLocaleString());
  const share = shareText(entities, view.entities);
  return button(
    html`<span class="variant-facts"
        ><strong>${share}</strong><span class="muted">${count}</span
        ><span class="muted" title=${t('Median throughput time')}>${durationText(median)}</span></span
      >
      <span class="bar-track"><span class="bar-fill" .style=${`width: ${(entities / most) * 100}%`}></span></span>
      <span class=${isChosen ? 'variant-path' : 'variant-path short'}>${shown}</span>`,
    () => actions.chooseVariant(isChosen ? undefined : conditionOf({ id, events, path: shortened(path) }, state)),
    {
      appearance: 'bare',
      className: 'variant',
      pressed: isChosen,
      tabindex: index === stop ? 0 : -1,
      title: isChosen
        ? t('Show all variants again')
        : t('Show only the entities of this variant, of {0} events: {1}', events.toLocaleString(), path),
    },
  );
}

/** For the legend of a map. */
const maxPathLength = 240;

function shortened(path: string): string {
  return path.length <= maxPathLength ? path : `${path.slice(0, maxPathLength)}…`;
}

function conditionOf(
  variant: Omit<VariantCondition, 'lifecycle'>,
  { mapParams: { lifecycle = false } }: EventGraphState,
): VariantCondition {
  return lifecycle ? { ...variant, lifecycle } : variant;
}

function shareText(part: number, whole: number): string {
  const percent = whole === 0 ? 0 : (part / whole) * 100;
  // Rounding never turns a share into 0 % or 100 %.
  if (percent > 0 && percent < 0.1) return t('< {0} %', (0.1).toLocaleString());
  const shown = percent < 100 ? Math.min(99.9, Math.round(percent * 10) / 10) : 100;
  return t('{0} %', shown.toLocaleString(undefined, { maximumFractionDigits: 1 }));
}

/** Arrow keys go from variant to variant. */
function walk(event: KeyboardEvent): void {
  const list = event.currentTarget as HTMLElement;
  const rows = [...list.querySelectorAll<HTMLElement>('.variant')];
  const at = rows.indexOf(document.activeElement as HTMLElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
  if (at < 0 || to === undefined) return;
  event.preventDefault();
  rows[Math.max(0, Math.min(rows.length - 1, to))]?.focus();
}

export const variantStyles = `
.variants { display: flex; flex-direction: column; gap: 4px; min-width: 0; }
.variants h3 { display: flex; gap: 8px; margin: 0; }
.variants h3 .muted { font-weight: 400; }
.variants p { margin: 0; }
.variants ul { display: flex; flex-direction: column; gap: 2px; margin: 0 -8px; padding: 0; list-style: none; }
.variant { display: flex; flex-direction: column; gap: 3px; width: 100%; padding: 4px 8px; border: 1px solid transparent; border-radius: 3px; background: none; color: inherit; font: inherit; text-align: start; cursor: pointer; }
.variant:hover { background: var(--vscode-list-hoverBackground, transparent); }
.variant[aria-pressed='true'] { background: var(--vscode-list-inactiveSelectionBackground, transparent); border-color: var(--vscode-contrastActiveBorder, transparent); box-shadow: inset 2px 0 0 var(--eg-focus); }
.variant-facts { display: flex; flex-wrap: wrap; gap: 0 6px; align-items: baseline; white-space: nowrap; font-variant-numeric: tabular-nums; }
.variant-facts strong { min-width: 40px; font-weight: 600; }
.variant-facts :last-child { margin-inline-start: auto; }
.variant .bar-track { display: block; height: 4px; }
.variant-path { overflow-wrap: anywhere; }
/* As many lines as tell most variants apart. */
.variant-path.short { display: -webkit-box; overflow: hidden; -webkit-box-orient: vertical; -webkit-line-clamp: 3; }
/* Their first activities already do. */
@media (max-height: 720px) { .variant-path.short { -webkit-line-clamp: 1; } }
`;
