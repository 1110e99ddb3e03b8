import { t } from '../ui/translate.ts';
import type { CanvasHandlers } from './canvas-edits.ts';
import { type CanvasState, selectedKeys } from './canvas-state.ts';
import { type Direction, type Stop, nearestStop } from './navigate.ts';
import { type Picture, boxOf } from './picture.ts';
import { rangeOf } from './text-ranges.ts';
import { idIn, isGoneKey, keyOf } from './view-key.ts';
import { zoomStep } from './viewport.ts';

const panStep = 60;

const directions: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};

const panBy: Readonly<Record<Direction, { x: number; y: number }>> = {
  left: { x: panStep, y: 0 },
  right: { x: -panStep, y: 0 },
  up: { x: 0, y: panStep },
  down: { x: 0, y: -panStep },
};

/**
 * Keyboard input. The canvas is one tab stop: arrows move between cards or scroll; Enter configures, F12 goes to the
 * text, Delete deletes, Ctrl+Enter tests, R draws relationships; + − 0 zoom, F fits, G and M toggle grid and minimap.
 */
export function keyboardHandler(state: CanvasState, hands: CanvasHandlers): (event: KeyboardEvent) => void {
  return (event) => {
    const key = (event.target as HTMLElement).dataset['key'];
    if (isGoneKey(key) && editingKeys.has(event.key)) return;
    const done = event.ctrlKey || event.metaKey ? withCtrl(event, key, hands) : plainKey(event, key, state, hands);
    if (done) event.preventDefault();
  };
}

/** They do nothing on an entry that only the base of a comparison has. */
const editingKeys: ReadonlySet<string> = new Set(['Enter', 'F2', 'F12', 'Delete', 'Backspace', '.']);

function withCtrl(event: KeyboardEvent, key: string | undefined, { actions, edits }: CanvasHandlers): boolean {
  if (event.altKey) return false;
  switch (event.key.toLowerCase()) {
    case 'a':
      actions.selectAll();
      return true;
    case 'f':
      actions.find('');
      return true;
    case 'enter':
      if (key !== undefined) edits.testQuery(key);
      return key !== undefined;
    case '.': {
      if (key === undefined) return false;
      const { left, bottom } = (event.target as Element).getBoundingClientRect();
      void edits.offerFixes(key, { x: left + 8, y: bottom });
      return true;
    }
    case ' ':
      actions.select(key, { add: true });
      return true;
    default:
      return false;
  }
}

function plainKey(event: KeyboardEvent, key: string | undefined, state: CanvasState, hands: CanvasHandlers): boolean {
  if (event.altKey) return false;
  return (key !== undefined && onStop(event, key, state, hands)) || onCanvas(event, state, hands);
}

function onStop(event: KeyboardEvent, key: string, state: CanvasState, hands: CanvasHandlers): boolean {
  const { picture } = state;
  const { actions, edits } = hands;
  if (!picture) return false;
  const direction = directions[event.key];
  if (direction) {
    const next = nearestStop(stopsOf(picture), key, direction)?.key;
    if (event.shiftKey && idIn('element', key) !== undefined) moveBy(direction, key, state, hands);
    else focusStop(event, next);
    return true;
  }
  switch (event.key) {
    case 'Home':
    case 'End': {
      const card = picture.cards.at(event.key === 'Home' ? 0 : -1);
      focusStop(event, card && keyOf.element(card.element.id));
      return true;
    }
    case 'Enter':
      if (state.drawing) return chooseEnd(key, state, hands);
      actions.select(key);
      edits.configure(key);
      return true;
    case 'F12': {
      const range = rangeOf(state.view, key);
      if (range) actions.goToText(range);
      return true;
    }
    case 'F2':
      edits.configure(key);
      return true;
    case ' ':
      actions.select(key);
      return true;
    case 'Delete':
    case 'Backspace': {
      const keys = selectedKeys(state);
      edits.remove(keys.includes(key) ? keys : [key]);
      return true;
    }
    case 'ContextMenu':
    case 'F10': {
      if (event.key === 'F10' && !event.shiftKey) return false;
      const { left, bottom } = (event.target as Element).getBoundingClientRect();
      actions.openMenu({ x: left + 8, y: bottom }, key);
      return true;
    }
    case 'Escape':
      if (state.drawing) actions.stopDrawing();
      else {
        actions.select(undefined);
        (event.currentTarget as HTMLElement).focus();
      }
      return true;
    default:
      return false;
  }
}

/** The first Enter selects the source, the second the target. */
function chooseEnd(key: string, { drawing }: CanvasState, { actions, edits }: CanvasHandlers): boolean {
  const element = idIn('element', key);
  if (element === undefined) return true;
  if (drawing?.source === undefined) {
    actions.drawFrom(element);
    actions.announce(t('From {0}. Choose the target element with Enter.', element));
  } else edits.relate(drawing.source, element);
  return true;
}

function onCanvas(event: KeyboardEvent, state: CanvasState, { actions, edits }: CanvasHandlers): boolean {
  const direction = directions[event.key];
  const letter = event.key.toLowerCase();
  if (direction) actions.pan(panBy[direction]);
  else if (event.key === '+' || event.key === '=') actions.zoomBy(zoomStep);
  else if (event.key === '-') actions.zoomBy(1 / zoomStep);
  else if (event.key === '0') actions.resetZoom();
  else if (letter === 'f') actions.fit();
  else if (letter === 'g') actions.toggleGrid();
  else if (letter === 'm') actions.toggleMinimap();
  else if (letter === 'r' && !state.stale) actions.startDrawing();
  else if (event.key === '/') actions.find('');
  else if (event.key === 'Delete') edits.remove(selectedKeys(state));
  else if (event.key === 'Enter') enter(event, state);
  else if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) {
    const { left, top } = (event.currentTarget as Element).getBoundingClientRect();
    actions.openMenu({ x: left + 24, y: top + 24 });
  } else if (event.key === 'Escape') {
    if (state.drawing) actions.stopDrawing();
    else actions.select(undefined);
  } else return false;
  return true;
}

/** Moves the focus from the canvas to the selected card, else to the first. */
function enter(event: KeyboardEvent, { picture, selected }: CanvasState): void {
  const [first] = picture?.cards ?? [];
  focusStop(event, selected ?? (first && keyOf.element(first.element.id)));
}

/** Moves cards by keyboard, with the effect of dragging. */
function moveBy(direction: Direction, key: string, state: CanvasState, { edits }: CanvasHandlers): void {
  const step = { left: { x: -20, y: 0 }, right: { x: 20, y: 0 }, up: { x: 0, y: -20 }, down: { x: 0, y: 20 } }[
    direction
  ];
  const keys = selectedKeys(state).includes(key) ? selectedKeys(state) : [key];
  const corners = keys.flatMap((each) => {
    const id = idIn('element', each);
    const box = boxOf(state.picture, each);
    return id !== undefined && box ? [[id, { x: box.x + step.x, y: box.y + step.y }] as const] : [];
  });
  edits.move(new Map(corners));
}

function stopsOf({ cards, relationships, correlations }: Picture): readonly Stop[] {
  return [
    ...cards.map(({ element, box }) => ({ key: keyOf.element(element.id), box })),
    ...relationships.map(({ relationship, labelBox }) => ({ key: keyOf.relationship(relationship.id), box: labelBox })),
    ...correlations.map(({ link, handle }) => ({ key: keyOf.correlation(link.id), box: handle })),
  ];
}

function focusStop(event: KeyboardEvent, key: string | undefined): void {
  if (key === undefined) return;
  const section = event.currentTarget as HTMLElement;
  section.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
}
