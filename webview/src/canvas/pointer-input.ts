import { type CanvasActions } from './canvas-state.ts';
import type { Point } from './geometry.ts';

/** Dragging the background moves the canvas; the wheel moves it too, and zooms with Ctrl or a pinch. */
export function pointerHandlers(actions: CanvasActions) {
  return {
    onPointerDown: (event: PointerEvent) => startDragging(event, actions),
    onWheel: (event: WheelEvent) => turnWheel(event, actions),
  };
}

function startDragging(event: PointerEvent, actions: CanvasActions): void {
  const section = event.currentTarget as HTMLElement;
  const onBackground = !(event.target as Element).closest('[data-key]');
  if (event.button !== 1 && !(event.button === 0 && onBackground)) return;
  let last: Point = { x: event.clientX, y: event.clientY };
  let moved = false;
  section.setPointerCapture(event.pointerId);

  const move = (step: PointerEvent): void => {
    moved = true;
    section.classList.add('dragging');
    actions.pan({ x: step.clientX - last.x, y: step.clientY - last.y });
    last = { x: step.clientX, y: step.clientY };
  };
  const end = (): void => {
    section.classList.remove('dragging');
    section.removeEventListener('pointermove', move);
    for (const name of ['pointerup', 'pointercancel'] as const) section.removeEventListener(name, end);
    if (!moved && onBackground) actions.select(undefined);
  };
  section.addEventListener('pointermove', move);
  for (const name of ['pointerup', 'pointercancel'] as const) section.addEventListener(name, end);
}

/** Pixels of a wheel step that reports lines. */
const pixelsPerLine = 20;

function turnWheel(event: WheelEvent, actions: CanvasActions): void {
  event.preventDefault();
  const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? pixelsPerLine : 1;
  if (event.ctrlKey || event.metaKey) {
    const { left, top } = (event.currentTarget as HTMLElement).getBoundingClientRect();
    // A notch of a wheel is about 100 pixels, a pinch sends many small steps.
    const factor = Math.exp(-Math.max(-100, Math.min(100, event.deltaY * unit)) / 400);
    actions.zoomBy(factor, { x: event.clientX - left, y: event.clientY - top });
  } else {
    actions.pan({ x: -event.deltaX * unit, y: -event.deltaY * unit });
  }
}
