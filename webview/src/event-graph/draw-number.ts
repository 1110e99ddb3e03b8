import type { TemplateResult } from 'lit';
import type { ShownNumber } from '../../../protocol/event-graph.ts';
import type { QueryTarget } from '../../../protocol/query-results.ts';
import { button } from '../ui/button.ts';
import type { MenuItem } from '../ui/menu.ts';
import { t } from '../ui/translate.ts';
import type { EventGraphActions, OpenNumber } from './event-graph-state.ts';

/** A number that can be opened. @param title what it counts, in a few words @param isOfAll the filter does not apply */
export function drawNumber(
  shown: string,
  number: ShownNumber,
  title: string,
  actions: EventGraphActions,
  isOfAll = false,
): TemplateResult {
  return button(
    shown,
    ({ currentTarget }: Event) => {
      const { left, bottom } = (currentTarget as HTMLElement).getBoundingClientRect();
      actions.openMenu({ kind: 'number', number, title, isOfAll }, { x: left, y: bottom + 2 });
    },
    { appearance: 'bare', className: 'number', opensMenu: true, title: t('Show the rows that this number counts') },
  );
}

/** A number of rows of a data source, which the graph does not have. */
export function drawSourceNumber(shown: string, target: QueryTarget, actions: EventGraphActions): TemplateResult {
  return button(
    shown,
    ({ currentTarget }: Event) => {
      const { left, bottom } = (currentTarget as HTMLElement).getBoundingClientRect();
      actions.openMenu({ kind: 'sourceRows', target }, { x: left, y: bottom + 2 });
    },
    { appearance: 'bare', className: 'number', opensMenu: true, title: t('Show the rows that this number counts') },
  );
}

export function sourceRowsItems(target: QueryTarget, actions: EventGraphActions): readonly MenuItem[] {
  return [
    { label: t('Show Its Rows in the Data Source'), icon: 'table', run: () => actions.openSourceRows(target, 'rows') },
    { label: t('Show Its SQL'), icon: 'terminal', separated: true, run: () => actions.openSourceRows(target, 'sql') },
  ];
}

/** The menu items that open a number. */
export function numberItems(open: OpenNumber, actions: EventGraphActions): readonly MenuItem[] {
  return [
    { label: t('Show Its Events'), icon: 'table', run: () => actions.openNumber(open, 'events') },
    { label: t('Show Its Entities'), icon: 'table', run: () => actions.openNumber(open, 'entities') },
    { label: t('Show Its Rows'), icon: 'table', run: () => actions.openNumber(open, 'rows') },
    { label: t('Show Its SQL'), icon: 'terminal', separated: true, run: () => actions.openNumber(open, 'sql') },
  ];
}
