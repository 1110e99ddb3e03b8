import { type TemplateResult, html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { SavedFilters } from '../../../protocol/event-graph.ts';
import { filterConditions } from '../../../protocol/filter-conditions.ts';
import { button } from '../ui/button.ts';
import { icon } from '../ui/icons.ts';
import { t } from '../ui/translate.ts';
import { drawPanel } from './draw-condition-editor.ts';
import { whenLoaded } from './draw-parts.ts';
import { type EventGraphActions, type EventGraphState, shownValue } from './event-graph-state.ts';
import { mapWords } from './map-words.ts';

/** The saved filters of the graph, and a name for the current one. */
export function drawSavedFilters(state: EventGraphState, actions: EventGraphActions): TemplateResult {
  const isNothing = Object.keys(state.filter).every((key) => key === 'entityType');
  const isOfIds = (state.filter.related ?? []).length > 0;
  const reason = isNothing
    ? t('Add a condition first: a filter without one keeps everything.')
    : isOfIds
      ? t('A condition on related entities cannot be saved: an import may give them other ids.')
      : undefined;
  return drawPanel(
    t('Saved filters'),
    html`<form
        class="panel-row"
        @submit=${(event: SubmitEvent) => {
          event.preventDefault();
          const input = (event.target as HTMLFormElement).elements.namedItem('name') as HTMLInputElement;
          const name = input.value.trim();
          if (name === '' || reason !== undefined) return input.focus();
          if (!Object.hasOwn(shownValue(state.savedFilters) ?? {}, name)) input.value = '';
          actions.saveFilter(name);
        }}
      >
        <label class="field"
          ><span class="muted">${t('Save this filter as')}</span
          ><input class="input" name="name" maxlength="80" required placeholder=${t('Name')} autocomplete="off"
        /></label>
        ${button(t('Save'), undefined, { appearance: 'small', submits: true, unavailable: reason !== undefined, title: reason })}
        ${reason === undefined ? nothing : html`<span class="muted">${reason}</span>`}
      </form>
      ${state.doubtedFilter?.by === 'replace' ? drawDoubt(state.doubtedFilter, actions) : nothing}
      ${whenLoaded(state.savedFilters, actions, (saved) => drawList(saved, state, actions))}`,
    actions,
  );
}

function drawDoubt(
  { name, by }: NonNullable<EventGraphState['doubtedFilter']>,
  actions: EventGraphActions,
): TemplateResult {
  const question =
    by === 'delete'
      ? t('Delete the filter {0}? Its file of the project is deleted.', name)
      : t('There is a filter {0}. Replace it by the current one?', name);
  return html`<div class="doubt" role="alertdialog" aria-label=${question}>
    <span>${question}</span>
    ${button(by === 'delete' ? t('Delete') : t('Replace'), actions.confirmDoubt, { appearance: 'primary', className: 'small', id: 'confirm-doubt' })}
    ${button(t('Cancel'), actions.backOut, { appearance: 'small', id: 'keep-filter' })}
  </div>`;
}

function drawList(saved: SavedFilters, { doubtedFilter }: EventGraphState, actions: EventGraphActions): TemplateResult {
  const entries = Object.entries(saved);
  if (entries.length === 0) {
    return html`<p class="muted">
      ${t('No filter is saved yet. Saved filters are files of the project, and conditions of the command line: --where "filter:NAME".')}
    </p>`;
  }
  return html`<ul class="saved-list" aria-label=${t('Saved filters')}>
    ${repeat(
      entries,
      ([name]) => name,
      ([name, filter]) => {
        const conditions = filterConditions(filter, mapWords).map(({ text }) => text);
        const told = [...(filter.entityType === undefined ? [] : [filter.entityType]), ...conditions].join(' · ');
        if (doubtedFilter?.by === 'delete' && doubtedFilter.name === name) {
          return html`<li data-name=${name}>${drawDoubt(doubtedFilter, actions)}</li>`;
        }
        return html`<li data-name=${name}>
          ${button(name, () => actions.useSavedFilter(name), { appearance: 'link', title: t('Use this filter') })}
          <span class="muted clip" title=${told}>${told}</span>
          ${button(icon('trash'), () => actions.deleteFilter(name), {
            appearance: 'icon',
            title: t('Delete the filter {0}', name),
            label: t('Delete the filter {0}', name),
          })}
        </li>`;
      },
    )}
  </ul>`;
}
