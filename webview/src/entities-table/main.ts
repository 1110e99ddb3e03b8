import { render } from 'lit';
import { openExtensionChannel } from '../extension-channel.ts';
import { installStyles } from '../ui/install-styles.ts';
import { rootElement } from '../ui/root-element.ts';
import { drawEntities } from './draw-entities.ts';
import { type EntitiesActions, type EntitiesState, type KeptState, firstState, sortedBy } from './entities-state.ts';
import { entitiesStyles } from './entities-styles.ts';
import { rowOf } from './table-keys.ts';

installStyles(entitiesStyles);
const root = rootElement();

const channel = openExtensionChannel<KeptState>({
  entities: ({ rows, failures = [], trusted }) => update({ ...state, rows, failures, trusted }),
});

const actions: EntitiesActions = {
  sortBy: (column) => keep({ ...state, sort: sortedBy(state.sort, column) }),
  filterBy: (filter) => keep({ ...state, filter }),
  activate: (active) => state.active !== active && update({ ...state, active }),
  act: (action, uri) => channel.post({ type: 'entityAction', action, ...(uri === undefined ? {} : { uri }) }),
  openMenu: (uri, at) => update({ ...state, active: uri, menu: { uri, at } }),
  closeMenu() {
    const { menu, ...rest } = state;
    update(rest);
    if (menu) rowOf(root, menu.uri)?.focus();
  },
  scrolled: (scrollTop, height) => update({ ...state, scrollTop, height }),
};

let state: EntitiesState = { ...firstState, ...channel.kept, height: root.clientHeight };

function keep(next: EntitiesState): void {
  const { sort, filter } = next;
  channel.keep({ sort, filter });
  update(next);
}

function update(next: EntitiesState): void {
  state = next;
  render(drawEntities(state, actions), root);
}

// The filter shortcuts of VS Code lists.
document.addEventListener('keydown', (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'f') return;
  event.preventDefault();
  document.getElementById('filter')?.focus();
});

new ResizeObserver(() => update({ ...state, height: root.clientHeight })).observe(root);
update(state);
