import { type CanvasActions, type CanvasState, keyOf } from './canvas-state.ts';
import { type Direction, type Stop, nearestStop } from './navigate.ts';
import type { Picture } from './picture.ts';
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

/** Keys of the canvas: arrows move it or the focus from card to card, + − 0 zoom, F fits, G shows the grid. */
export function keyboardHandler(state: CanvasState, actions: CanvasActions): (event: KeyboardEvent) => void {
  return (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const key = (event.target as HTMLElement).dataset['key'];
    const done = key === undefined ? false : onStop(event, key, state, actions);
    if (done || onCanvas(event, actions)) event.preventDefault();
  };
}

function onStop(event: KeyboardEvent, key: string, { picture }: CanvasState, actions: CanvasActions): boolean {
  if (!picture) return false;
  const direction = directions[event.key];
  if (direction) {
    focusStop(event, nearestStop(stopsOf(picture), key, direction)?.key);
    return true;
  }
  if (event.key === 'Home' || event.key === 'End') {
    const card = picture.cards.at(event.key === 'Home' ? 0 : -1);
    focusStop(event, card && keyOf.element(card.element.id));
    return true;
  }
  if (event.key === 'Enter') {
    actions.select(key);
    const range = rangeOf(picture, key);
    if (range) actions.goToText(range);
    return true;
  }
  if (event.key === ' ') {
    actions.select(key);
    return true;
  }
  if (event.key === 'Escape') {
    actions.select(undefined);
    (event.currentTarget as HTMLElement).focus();
    return true;
  }
  return false;
}

function onCanvas(event: KeyboardEvent, actions: CanvasActions): boolean {
  const direction = directions[event.key];
  if (direction) actions.pan(panBy[direction]);
  else if (event.key === '+' || event.key === '=') actions.zoomBy(zoomStep);
  else if (event.key === '-') actions.zoomBy(1 / zoomStep);
  else if (event.key === '0') actions.resetZoom();
  else if (event.key.toLowerCase() === 'f') actions.fit();
  else if (event.key.toLowerCase() === 'g') actions.toggleGrid();
  else if (event.key === 'Escape') actions.select(undefined);
  else return false;
  return true;
}

function stopsOf({ cards, relationships }: Picture): readonly Stop[] {
  return [
    ...cards.map(({ element, box }) => ({ key: keyOf.element(element.id), box })),
    ...relationships.map(({ relationship, labelBox }) => ({ key: keyOf.relationship(relationship.id), box: labelBox })),
  ];
}

function rangeOf({ cards, relationships }: Picture, key: string) {
  return (
    cards.find(({ element }) => keyOf.element(element.id) === key)?.element.range ??
    relationships.find(({ relationship }) => keyOf.relationship(relationship.id) === key)?.relationship.range
  );
}

function focusStop(event: KeyboardEvent, key: string | undefined): void {
  if (key === undefined) return;
  const section = event.currentTarget as HTMLElement;
  section.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
}
