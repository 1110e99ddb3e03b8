import { type TemplateResult, html } from 'lit';
import type { EntityRow } from '../../../protocol/entities-table.ts';
import { button } from '../ui/button.ts';
import { icon } from '../ui/icons.ts';
import { t } from '../ui/translate.ts';
import { rowHeight } from '../ui/visible-rows.ts';
import { columnContent } from './columns.ts';
import type { Column, EntitiesActions } from './entities-state.ts';
import { rowActions } from './row-actions.ts';

interface RowPlace {
  /** 0-based index among the displayed rows. */
  readonly index: number;
  readonly active: boolean;
  readonly trusted: boolean;
  /** In the order of the header. */
  readonly shown: readonly Column[];
}

/** A row with its actions; in narrow windows, less frequent actions move to the menu. */
export function drawRow(
  row: EntityRow,
  { index, active, trusted, shown }: RowPlace,
  actions: EntitiesActions,
): TemplateResult {
  const { uri } = row;
  return html`<div
    class=${`row ${index % 2 === 1 ? 'odd' : ''}`}
    role="row"
    aria-rowindex=${index + 2}
    aria-selected=${active ? 'true' : 'false'}
    tabindex=${active ? 0 : -1}
    data-uri=${uri}
    .style=${`top: ${index * rowHeight}px`}
    @focusin=${() => actions.activate(uri)}
    @dblclick=${() => actions.act('configure', uri)}
    @contextmenu=${(event: MouseEvent) => {
      event.preventDefault();
      actions.openMenu(uri, { x: event.clientX, y: event.clientY });
    }}
  >
    ${shown.map((column) => columnContent(column).cell(row, actions))}
    <div class="cell actions" role="gridcell" @dblclick=${(event: Event) => event.stopPropagation()}>
      ${rowActions(row, trusted).map(({ action, label, icon: name, shortcut, disabled, isFrequent = false }) =>
        button(icon(name), () => disabled === undefined && actions.act(action, uri), {
          appearance: 'icon',
          className: isFrequent ? 'frequent' : '',
          tabindex: -1,
          label,
          unavailable: disabled !== undefined,
          title: [label, shortcut && `(${shortcut})`, disabled && `– ${disabled}`].filter(Boolean).join(' '),
        }),
      )}
      ${button(
        icon('ellipsis'),
        ({ currentTarget }) => {
          const { left, bottom } = (currentTarget as HTMLElement).getBoundingClientRect();
          actions.openMenu(uri, { x: left, y: bottom });
        },
        {
          appearance: 'icon',
          className: 'more',
          tabindex: -1,
          label: t('More Actions…'),
          title: t('More Actions…'),
          opensMenu: true,
        },
      )}
    </div>
  </div>`;
}
