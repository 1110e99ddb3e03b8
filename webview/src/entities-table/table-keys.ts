import { rowHeight, scrollToSee } from '../ui/visible-rows.ts';
import type { EntityRow } from '../../../protocol/entities-table.ts';
import type { EntitiesActions } from './entities-state.ts';

/** Keyboard navigation: up and down between rows, right to the actions of a row. */
export function tableKeys(
  rows: readonly EntityRow[],
  active: string | undefined,
  actions: EntitiesActions,
): (event: KeyboardEvent) => void {
  return (event) => {
    const table = event.currentTarget as HTMLElement;
    const focused = event.target as HTMLElement;
    const row = focused.closest<HTMLElement>('[data-uri]');
    if (!row || active === undefined) return;
    const at = rows.findIndex(({ uri }) => uri === active);
    const page = Math.max(1, Math.floor(table.clientHeight / rowHeight) - 2);
    const to = targetRow(event, at, rows.length, page);
    if (to !== undefined) {
      event.preventDefault();
      const uri = rows[to]?.uri;
      if (uri !== undefined) focusRow(table, uri, to, actions);
    } else if (onRow(event, row, focused, active, actions)) event.preventDefault();
  };
}

function targetRow(event: KeyboardEvent, at: number, count: number, page: number): number | undefined {
  switch (event.key) {
    case 'ArrowDown':
      return Math.min(count - 1, at + 1);
    case 'ArrowUp':
      return Math.max(0, at - 1);
    case 'PageDown':
      return Math.min(count - 1, at + page);
    case 'PageUp':
      return Math.max(0, at - page);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}

/** Whether the key was handled. */
function onRow(
  event: KeyboardEvent,
  row: HTMLElement,
  focused: HTMLElement,
  uri: string,
  actions: EntitiesActions,
): boolean {
  const inAction = focused !== row;
  switch (event.key) {
    case 'ArrowRight':
    case 'ArrowLeft': {
      // A narrow table has only the menu button.
      const shown = [...row.querySelectorAll<HTMLElement>('.reason, .actions .action')].filter((each) =>
        each.checkVisibility(),
      );
      const stops = [row, ...shown];
      const step = event.key === 'ArrowRight' ? 1 : -1;
      stops[stops.indexOf(focused) + step]?.focus();
      return true;
    }
    case 'Escape':
      row.focus();
      return inAction;
    case 'Enter':
      if (!inAction) actions.act('configure', uri);
      return !inAction;
    case 'F12':
      actions.act('openText', uri);
      return true;
    case 'Delete':
      actions.act('delete', uri);
      return true;
    case 'ContextMenu':
    case 'F10': {
      if (event.key === 'F10' && !event.shiftKey) return false;
      const { left, bottom } = row.getBoundingClientRect();
      actions.openMenu(uri, { x: left + 24, y: bottom });
      return true;
    }
    default:
      return false;
  }
}

/** Scrolls a row out from under the header, and focuses it. */
function focusRow(table: HTMLElement, uri: string, index: number, actions: EntitiesActions): void {
  actions.activate(uri);
  const header = table.querySelector<HTMLElement>('.header')?.offsetHeight ?? 0;
  table.scrollTop = scrollToSee(
    { start: index * rowHeight, length: rowHeight },
    { scroll: table.scrollTop, length: table.clientHeight, covered: header },
  );
  rowOf(table, uri)?.focus({ preventScroll: true });
}

/** The rendered row of a URI. */
export function rowOf(table: ParentNode, uri: string): HTMLElement | null {
  return table.querySelector<HTMLElement>(`[data-uri="${CSS.escape(uri)}"]`);
}
