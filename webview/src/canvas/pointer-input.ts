import type { DataObjectName } from '../../../protocol/canvas-intents.ts';
import type { CanvasHandlers } from './canvas-edits.ts';
import { type CanvasState, selectedKeys } from './canvas-state.ts';
import { masterDataDragType, objectDragType } from './draw-palette.ts';
import type { Box, Point } from './geometry.ts';
import { idIn, isGoneKey, keyOf } from './view-key.ts';

/** Distance in screen pixels that turns a press into a drag. */
const dragDistance = 4;

/**
 * Pointer input. Dragging a card moves the selected cards; dragging the background scrolls, with Shift it selects; in
 * drawing mode, dragging from card to card relates them. The wheel scrolls, with Ctrl it zooms.
 */
export function pointerHandlers(state: CanvasState, hands: CanvasHandlers) {
  return {
    onPointerDown: (event: PointerEvent) => press(event, state, hands),
    onPointerMove: (event: PointerEvent) => {
      const { drawing } = state;
      if (drawing?.source !== undefined && event.buttons === 0)
        hands.actions.drawFrom(drawing.source, pointOf(event, state));
    },
    onWheel: (event: WheelEvent) => turnWheel(event, hands),
    onDragOver: (event: DragEvent) => {
      const types = event.dataTransfer?.types ?? [];
      const isObject = types.includes(objectDragType) || types.includes(masterDataDragType);
      if (isObject && !state.stale) event.preventDefault();
    },
    onDrop: (event: DragEvent) => {
      const masterData = event.dataTransfer?.getData(masterDataDragType);
      const dropped = masterData || event.dataTransfer?.getData(objectDragType);
      if (!dropped) return;
      const object = JSON.parse(dropped) as DataObjectName;
      event.preventDefault();
      const at = pointOf(event, state);
      if (masterData) hands.edits.addMasterData(object, at);
      else hands.edits.addElement(object, at);
    },
    onContextMenu: (event: MouseEvent) => {
      event.preventDefault();
      const key = keyAt(event.target);
      if (key !== undefined && !selectedKeys(state).includes(key)) hands.actions.select(key);
      hands.actions.openMenu({ x: event.clientX, y: event.clientY }, key);
    },
  };
}

function press(event: PointerEvent, state: CanvasState, hands: CanvasHandlers): void {
  const key = keyAt(event.target);
  const element = isGoneKey(key) ? undefined : idIn('element', key);
  if (event.button === 0 && state.drawing) return drawLine(event, state, hands, element);
  if (event.button === 0 && element !== undefined && !event.shiftKey && !event.ctrlKey && !event.metaKey) {
    return moveCards(event, state, hands, element);
  }
  if (event.button === 0 && key === undefined && event.shiftKey) return selectArea(event, state, hands);
  if (event.button === 1 || (event.button === 0 && key === undefined)) moveCanvas(event, hands, key === undefined);
}

/** Tracks the pointer until it is released. */
function follow(
  event: PointerEvent,
  onMove: (step: PointerEvent) => void,
  onEnd: (step: PointerEvent, cancelled: boolean) => void,
): void {
  const section = event.currentTarget as HTMLElement;
  const end = (step: PointerEvent): void => {
    section.removeEventListener('pointermove', onMove);
    for (const name of ['pointerup', 'pointercancel'] as const) section.removeEventListener(name, end);
    onEnd(step, step.type === 'pointercancel');
  };
  section.addEventListener('pointermove', onMove);
  for (const name of ['pointerup', 'pointercancel'] as const) section.addEventListener(name, end);
}

function moveCanvas(event: PointerEvent, { actions }: CanvasHandlers, clears: boolean): void {
  const section = event.currentTarget as HTMLElement;
  let last: Point = { x: event.clientX, y: event.clientY };
  let moved = false;
  section.setPointerCapture(event.pointerId);
  follow(
    event,
    (step) => {
      moved = true;
      section.classList.add('dragging');
      actions.pan({ x: step.clientX - last.x, y: step.clientY - last.y });
      last = { x: step.clientX, y: step.clientY };
    },
    () => {
      section.classList.remove('dragging');
      if (!moved && clears) actions.select(undefined);
    },
  );
}

function moveCards(event: PointerEvent, state: CanvasState, { actions, edits }: CanvasHandlers, element: string): void {
  const section = event.currentTarget as HTMLElement;
  const key = keyOf.element(element);
  const together = selectedKeys(state).includes(key) ? selectedKeys(state) : [key];
  const corners = new Map(
    (state.picture?.cards ?? [])
      .filter((card) => together.includes(keyOf.element(card.element.id)))
      .map((card) => [card.element.id, card.box] as const),
  );
  const { zoom } = state.viewport;
  let moving = false;
  const cornersAt = (step: PointerEvent): ReadonlyMap<string, Point> => {
    const [dx, dy] = [step.clientX - event.clientX, step.clientY - event.clientY];
    return new Map([...corners].map(([id, { x, y }]) => [id, { x: x + dx / zoom, y: y + dy / zoom }]));
  };
  follow(
    event,
    (step) => {
      if (!moving && Math.hypot(step.clientX - event.clientX, step.clientY - event.clientY) < dragDistance) return;
      if (!moving) {
        moving = true;
        section.setPointerCapture(event.pointerId);
        section.classList.add('moving');
        if (together.length === 1) actions.select(key);
      }
      edits.move(cornersAt(step), true);
    },
    (step, cancelled) => {
      section.classList.remove('moving');
      if (moving) edits.move(cancelled ? corners : cornersAt(step));
    },
  );
}

function selectArea(event: PointerEvent, state: CanvasState, { actions }: CanvasHandlers): void {
  const start = pointOf(event, state);
  const areaTo = (step: PointerEvent): Box => {
    const end = pointIn(event.currentTarget as HTMLElement | null, step, state) ?? start;
    return {
      x: Math.min(start.x, end.x),
      y: Math.min(start.y, end.y),
      width: Math.abs(end.x - start.x),
      height: Math.abs(end.y - start.y),
    };
  };
  (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
  follow(
    event,
    (step) => actions.selectWithin(areaTo(step), false),
    (step, cancelled) => actions.selectWithin(cancelled ? undefined : areaTo(step), true),
  );
}

/** A drag from card to card or to an entity type, or a click on each of the two. */
function drawLine(
  event: PointerEvent,
  state: CanvasState,
  { actions, edits }: CanvasHandlers,
  element: string | undefined,
): void {
  const source = state.drawing?.source;
  const type = typeAt(event.target);
  if (source !== undefined && type !== undefined) return edits.correlate(source, type);
  if (element === undefined) return actions.drawFrom(undefined);
  event.preventDefault();
  if (source !== undefined) return edits.relate(source, element);
  actions.drawFrom(element, pointOf(event, state));
  let left = false;
  // The legend is outside of the canvas.
  (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
  follow(
    event,
    (step) => {
      left ||= Math.hypot(step.clientX - event.clientX, step.clientY - event.clientY) > dragDistance;
      actions.drawFrom(element, pointOf(step, state));
    },
    (step, cancelled) => {
      if (cancelled) return actions.drawFrom(undefined);
      const at = document.elementFromPoint(step.clientX, step.clientY);
      const [target, onType] = [isGoneKey(keyAt(at)) ? undefined : idIn('element', keyAt(at)), typeAt(at)];
      // A click keeps drawing the line.
      if (left && target !== undefined) edits.relate(element, target);
      else if (left && onType !== undefined) edits.correlate(element, onType);
      else if (left) actions.drawFrom(undefined);
    },
  );
}

function keyAt(target: EventTarget | Element | null): string | undefined {
  if (!(target instanceof Element)) return undefined;
  const { key, line } = target.closest<HTMLElement | SVGElement>('[data-key], [data-line]')?.dataset ?? {};
  return key ?? line;
}

/** The entity type of a mark on the canvas, or of the legend. */
function typeAt(target: EventTarget | Element | null): string | undefined {
  return target instanceof Element ? target.closest<HTMLElement>('[data-type]')?.dataset['type'] : undefined;
}

/** Converts screen to canvas coordinates. */
function pointOf(event: MouseEvent, state: CanvasState): Point {
  return pointIn(document.querySelector<HTMLElement>('#viewport'), event, state) ?? { x: 0, y: 0 };
}

function pointIn(section: HTMLElement | null, event: MouseEvent, { viewport }: CanvasState): Point | undefined {
  const viewportElement = section ?? document.querySelector<HTMLElement>('#viewport');
  if (!viewportElement) return undefined;
  const { left, top } = viewportElement.getBoundingClientRect();
  return {
    x: (event.clientX - left - viewport.x) / viewport.zoom,
    y: (event.clientY - top - viewport.y) / viewport.zoom,
  };
}

/** Pixels per wheel step reported in lines. */
const pixelsPerLine = 20;

function turnWheel(event: WheelEvent, { actions }: CanvasHandlers): void {
  event.preventDefault();
  const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? pixelsPerLine : 1;
  if (event.ctrlKey || event.metaKey) {
    const { left, top } = (event.currentTarget as HTMLElement).getBoundingClientRect();
    // One wheel notch is about 100 pixels; pinching sends many small steps.
    const factor = Math.exp(-Math.max(-100, Math.min(100, event.deltaY * unit)) / 400);
    actions.zoomBy(factor, { x: event.clientX - left, y: event.clientY - top });
  } else {
    actions.pan({ x: -event.deltaX * unit, y: -event.deltaY * unit });
  }
}
