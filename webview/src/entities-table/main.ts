import { render } from 'lit';
import { openExtensionChannel } from '../extension-channel.ts';
import { installStyles } from '../ui/install-styles.ts';
import { rootElement } from '../ui/root-element.ts';
import { whenLoaded } from '../ui/when-loaded.ts';
import { drawEntities } from './draw-entities.ts';
import { droppedFiles, hasFiles } from './dropped-files.ts';
import {
  type EntitiesActions,
  type EntitiesState,
  type SavedState,
  firstState,
  moreColumns,
} from './entities-state.ts';
import { entitiesStyles, roomStyles } from './entities-styles.ts';
import { sortedBy } from './shown-rows.ts';
import { showReason } from './reason-dialog.ts';
import { resetDialog } from './reset-dialog.ts';
import { rowOf } from './table-keys.ts';

installStyles(entitiesStyles);
/** Which columns have room depends on the chosen ones. */
const rooms = new CSSStyleSheet();
document.adoptedStyleSheets.push(rooms);
const root = rootElement();

const channel = openExtensionChannel<SavedState>({
  entities({ rows, failures = [], trusted, isEarlier = false, columns }) {
    const isFirst = state.rows === undefined;
    const chosen = isFirst && columns ? moreColumns.filter((column) => columns.includes(column)) : state.chosen;
    update({ ...state, rows, failures, trusted, isEarlier, chosen });
    // The frame is drawn when its callbacks have returned.
    if (isFirst) requestAnimationFrame(() => setTimeout(() => channel.post({ type: 'drawn' })));
  },
  confirmReset: ({ uri, name, changes }) =>
    void resetDialog(name, changes).then((confirmed) => {
      channel.post({ type: 'answerReset', uri, confirmed });
      rowOf(root, uri)?.focus();
    }),
});

const actions: EntitiesActions = {
  sortBy: (column) => keep({ ...state, sort: sortedBy(state.sort, column) }),
  filterBy: (filter) => keep({ ...state, filter }),
  activate: (active) => state.active !== active && update({ ...state, active }),
  act: (action, uri) => channel.post({ type: 'entityAction', action, ...(uri === undefined ? {} : { uri }) }),
  openMenu: (uri, at) => update({ ...state, active: uri, menu: { uri, at } }),
  openColumnMenu: (columnMenu) => update({ ...state, columnMenu }),
  toggleColumn(column) {
    const isShown = state.chosen.includes(column);
    const chosen = moreColumns.filter((each) => (each === column ? !isShown : state.chosen.includes(each)));
    const sort = isShown && state.sort.column === column ? firstState.sort : state.sort;
    keep({ ...state, chosen, sort });
    channel.post({ type: 'chooseColumns', columns: chosen });
  },
  closeMenu() {
    const { menu, columnMenu, ...rest } = state;
    update(rest);
    if (menu) rowOf(root, menu.uri)?.focus();
    else if (columnMenu) root.querySelector<HTMLElement>('.choose-columns')?.focus();
  },
  explain(uri) {
    const row = state.rows?.find((each) => each.uri === uri);
    if (!row) return;
    showReason(row, {
      copy: (text) => channel.post({ type: 'copy', text }),
      goToText: () => actions.act('openText', uri),
      importAnyway: () => actions.act('importAnyway', uri),
    });
  },
  dropping: (isDropTarget) => state.isDropTarget !== isDropTarget && update({ ...state, isDropTarget }),
  drop: (files) => channel.post({ type: 'dropFiles', ...files }),
  scrolled: (scrollTop, height) => update({ ...state, scrollTop, height }),
};

let state: EntitiesState = { ...firstState, ...channel.kept, height: root.clientHeight };
rooms.replaceSync(roomStyles(state.chosen));

function keep(next: EntitiesState): void {
  const { sort, filter, chosen } = next;
  channel.keep({ sort, filter, chosen });
  update(next);
}

function update(next: EntitiesState): void {
  if (next.chosen !== state.chosen) rooms.replaceSync(roomStyles(next.chosen));
  state = next;
  render(drawEntities(state, actions), root);
}

// The filter shortcuts of VS Code lists.
document.addEventListener('keydown', (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'f') return;
  event.preventDefault();
  document.getElementById('filter')?.focus();
});

document.addEventListener('dragover', (event) => {
  if (!event.dataTransfer || !hasFiles(event.dataTransfer)) return;
  event.preventDefault();
  actions.dropping(true);
});
document.addEventListener('dragleave', ({ relatedTarget }) => relatedTarget === null && actions.dropping(false));
document.addEventListener('drop', (event) => {
  actions.dropping(false);
  if (!event.dataTransfer || !hasFiles(event.dataTransfer)) return;
  event.preventDefault();
  void droppedFiles(event.dataTransfer).then(actions.drop);
});

whenLoaded(() => {
  new ResizeObserver(() => update({ ...state, height: root.clientHeight })).observe(root);
  // A message may have arrived already.
  if (state.rows || !channel.receiveFirst()) update(state);
});
