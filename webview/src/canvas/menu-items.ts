import type { DataObjectName } from '../../../protocol/canvas-intents.ts';
import { cardName } from '../../../protocol/card-name.ts';
import type { MenuItem } from '../ui/menu.ts';
import { t } from '../ui/translate.ts';
import type { CanvasHandlers } from './canvas-edits.ts';
import { elementIds } from './canvas-actions.ts';
import { type CanvasState, type FoundFixes, selectedKeys } from './canvas-state.ts';
import { shownSources } from './source-filter.ts';
import { problemRange, rangeOf } from './text-ranges.ts';
import { idIn, isGoneKey } from './view-key.ts';

/** Context menu items for an element, a relationship, several entries, or the canvas. */
export function menuItems(state: CanvasState, key: string | undefined, hands: CanvasHandlers): readonly MenuItem[] {
  const keys = selectedKeys(state);
  if (state.menu?.fixes) return fixItems(state.menu.fixes, state, hands);
  if (state.menu?.isSourceFilter) return sourceItems(state, hands);
  const object = state.menu?.dataObject;
  if (object !== undefined) return objectItems(state, object, hands);
  if (key === undefined) return canvasItems(hands);
  if (isGoneKey(key)) return [...numbersItem(state, key, hands), stopItem(hands)];
  if (keys.length > 1 && keys.includes(key)) return severalItems(state, keys, hands);
  if (idIn('correlation', key) !== undefined) return correlationItems(state, key, hands);
  const elementId = idIn('element', key);
  return elementId === undefined ? relationshipItems(state, key, hands) : elementItems(state, key, elementId, hands);
}

/** The numbers of an entry in the comparison that is shown; none for an entry that is equal. */
function numbersItem({ compared }: CanvasState, key: string, { edits }: CanvasHandlers): readonly MenuItem[] {
  if (!compared || compared.isOutdated) return [];
  const { elements, relationships, goneElements, goneRelationships } = compared.canvas;
  const [element = '', relationship = ''] = [idIn('element', key), idIn('relationship', key)];
  const gone = [...goneElements, ...goneRelationships].find(({ view }) => [element, relationship].includes(view.id));
  const change = elements[element] ?? relationships[relationship] ?? gone?.change;
  if (!change) return [];
  const run = (): void => edits.comparison('showNumbers', change.entry);
  return [{ label: t('Show Numbers'), icon: 'table', run }];
}

function stopItem({ edits }: CanvasHandlers): MenuItem {
  return { label: t('Stop Comparing'), icon: 'close', run: () => edits.comparison('stop') };
}

/** Entries that can be created from a data object of the palette. */
function objectItems(
  { stale }: CanvasState,
  name: DataObjectName,
  { edits, actions }: CanvasHandlers,
): readonly MenuItem[] {
  const disabled = stale !== undefined;
  return [
    { label: t('Add Element'), icon: 'symbol-event', shortcut: 'Enter', disabled, run: () => edits.addElement(name) },
    {
      label: t('Add Master Data'),
      icon: 'database',
      shortcut: 'Shift+Enter',
      disabled,
      run: () => edits.addMasterData(name),
    },
    {
      label: t('Choose Data Objects'),
      icon: 'checklist',
      separated: true,
      run: () => actions.goToStep('choose'),
    },
  ];
}

/** The data sources of the graph, each shown or not; the last one that is shown stays. */
function sourceItems({ view, hiddenSources }: CanvasState, { actions }: CanvasHandlers): readonly MenuItem[] {
  const all = view?.dataSources ?? [];
  const shown = shownSources(view, hiddenSources);
  return [
    ...all.map((source) => {
      const checked = shown.includes(source);
      const count = view?.elements.filter(({ dataSource }) => dataSource === source).length ?? 0;
      return {
        label: `${source} (${count.toLocaleString('en')})`,
        icon: checked ? 'check' : 'blank',
        checked,
        disabled: checked && shown.length === 1,
        run: () => actions.hideSources(all.filter((each) => (each === source ? checked : !shown.includes(each)))),
      };
    }),
    {
      label: t('Show All'),
      icon: 'clear-all',
      separated: true,
      disabled: shown.length === all.length,
      run: () => actions.hideSources([]),
    },
  ];
}

/** The quick fixes of each problem, and its place in the text. */
function fixItems(
  found: readonly FoundFixes[],
  { stale, view }: CanvasState,
  { edits, actions }: CanvasHandlers,
): readonly MenuItem[] {
  return found.flatMap(({ problem, address, fixes }, index) => [
    ...fixes.map((fix, rank) => ({
      label: fix.title,
      icon: 'lightbulb',
      hint: problem.message,
      disabled: stale !== undefined,
      separated: index > 0 && rank === 0,
      run: () => edits.fix(address, fix),
    })),
    {
      label: t('Go to Problem'),
      icon: 'go-to-file',
      hint: problem.message,
      separated: index > 0 && fixes.length === 0,
      run: () => view && actions.goToText(problemRange(view, address, problem)),
    },
  ]);
}

/** The item that leads to the quick fixes; none without problems. */
function fixesItem(state: CanvasState, key: string, { edits }: CanvasHandlers): readonly MenuItem[] {
  const id = [idIn('element', key), idIn('relationship', key)];
  const entry =
    state.view?.elements.find((each) => each.id === id[0]) ??
    state.view?.relationships.find((each) => each.id === id[1]);
  const at = state.menu?.at;
  if (!entry?.problems || !at) return [];
  return [{ label: t('Quick Fix…'), icon: 'lightbulb', shortcut: 'Ctrl+.', run: () => void edits.offerFixes(key, at) }];
}

function elementItems(
  state: CanvasState,
  key: string,
  id: string,
  { edits, actions }: CanvasHandlers,
): readonly MenuItem[] {
  const locked = state.stale !== undefined;
  const element = state.view?.elements.find((each) => each.id === id);
  const unnamed = cardName(element) === undefined;
  const range = rangeOf(state.view, key);
  const hasContext = element?.processContext !== undefined;
  return [
    ...fixesItem(state, key, { edits, actions }),
    ...numbersItem(state, key, { edits, actions }),
    configureItem(key, locked, edits),
    {
      label: hasContext ? t('Edit Process Context…') : t('Add Process Context…'),
      icon: 'book',
      disabled: locked,
      run: () => edits.configure(key, { showContext: true }),
    },
    { label: t('Duplicate'), icon: 'copy', disabled: locked, run: () => edits.duplicate(id) },
    deleteItem(key, locked, edits),
    {
      label: t('Test Query'),
      icon: 'play',
      shortcut: 'Ctrl+Enter',
      separated: true,
      disabled: unnamed,
      run: () => edits.testQuery(key),
    },
    { label: t('Show Query'), icon: 'code', disabled: unnamed, run: () => edits.showQuery(key) },
    {
      label: t('Go to Text'),
      icon: 'go-to-file',
      shortcut: 'F12',
      run: () => range && actions.goToText(range),
    },
    {
      label: state.collapsed.includes(id) ? t('Expand') : t('Collapse'),
      icon: 'fold',
      separated: true,
      run: () => actions.toggleCollapsed([id]),
    },
    {
      label: t('Relate to…'),
      icon: 'type-hierarchy',
      disabled: locked || unnamed,
      run: () => {
        actions.startDrawing();
        actions.drawFrom(id);
      },
    },
  ];
}

function correlationItems(state: CanvasState, key: string, { edits, actions }: CanvasHandlers): readonly MenuItem[] {
  const disabled = state.stale !== undefined;
  const range = rangeOf(state.view, key);
  return [
    { label: t('Configure…'), icon: 'settings-gear', shortcut: 'Enter', disabled, run: () => edits.configure(key) },
    { label: t('Delete'), icon: 'trash', shortcut: 'Delete', disabled, run: () => void edits.remove([key]) },
    { label: t('Go to Text'), icon: 'go-to-file', shortcut: 'F12', run: () => range && actions.goToText(range) },
  ];
}

function relationshipItems(state: CanvasState, key: string, { edits, actions }: CanvasHandlers): readonly MenuItem[] {
  const locked = state.stale !== undefined;
  const range = rangeOf(state.view, key);
  return [
    ...fixesItem(state, key, { edits, actions }),
    ...numbersItem(state, key, { edits, actions }),
    configureItem(key, locked, edits),
    deleteItem(key, locked, edits),
    { label: t('Test Query'), icon: 'play', shortcut: 'Ctrl+Enter', separated: true, run: () => edits.testQuery(key) },
    { label: t('Show Query'), icon: 'code', run: () => edits.showQuery(key) },
    { label: t('Go to Text'), icon: 'go-to-file', shortcut: 'F12', run: () => range && actions.goToText(range) },
  ];
}

function severalItems(
  state: CanvasState,
  keys: readonly string[],
  { edits, actions }: CanvasHandlers,
): readonly MenuItem[] {
  const ids = elementIds(keys);
  const few = ids.length < 2;
  return [
    { label: t('Align Left'), icon: 'layout-sidebar-left', disabled: few, run: () => edits.align('left') },
    { label: t('Align Right'), icon: 'layout-sidebar-right', disabled: few, run: () => edits.align('right') },
    { label: t('Align Top'), icon: 'arrow-up', disabled: few, run: () => edits.align('top') },
    { label: t('Align Bottom'), icon: 'arrow-down', disabled: few, run: () => edits.align('bottom') },
    { label: t('Put in a Row'), icon: 'split-horizontal', disabled: few, run: () => edits.align('row') },
    { label: t('Put in a Column'), icon: 'split-vertical', disabled: few, run: () => edits.align('column') },
    {
      label: t('Collapse or Expand'),
      icon: 'fold',
      separated: true,
      disabled: ids.length === 0,
      run: () => actions.toggleCollapsed(ids),
    },
    {
      label: t('Delete {0}', keys.length),
      icon: 'trash',
      shortcut: 'Delete',
      disabled: state.stale !== undefined,
      run: () => void edits.remove(keys),
    },
  ];
}

function canvasItems({ edits, actions }: CanvasHandlers): readonly MenuItem[] {
  return [
    { label: t('Select All'), icon: 'list-selection', shortcut: 'Ctrl+A', run: actions.selectAll },
    { label: t('Find…'), icon: 'search', shortcut: 'Ctrl+F', run: () => actions.find('') },
    { label: t('Fit'), icon: 'screen-full', shortcut: 'F', separated: true, run: actions.fit },
    { label: t('Arrange'), icon: 'layout', run: edits.arrange },
    { label: t('Show or Hide Grid'), icon: 'gripper', shortcut: 'G', run: actions.toggleGrid },
    { label: t('Show or Hide Minimap'), icon: 'map', shortcut: 'M', run: actions.toggleMinimap },
    {
      label: t('Rules, Measures and Settings…'),
      icon: 'law',
      separated: true,
      run: edits.configureGraph,
    },
    { label: t('Export as SVG…'), icon: 'file-media', separated: true, run: () => edits.exportImage('svg') },
    { label: t('Export as PNG…'), icon: 'file-media', run: () => edits.exportImage('png') },
  ];
}

function configureItem(key: string, disabled: boolean, edits: CanvasHandlers['edits']): MenuItem {
  return {
    label: t('Configure…'),
    icon: 'settings-gear',
    shortcut: 'Enter',
    disabled,
    run: () => edits.configure(key),
  };
}

function deleteItem(key: string, disabled: boolean, edits: CanvasHandlers['edits']): MenuItem {
  return { label: t('Delete'), icon: 'trash', shortcut: 'Delete', disabled, run: () => void edits.remove([key]) };
}
