/** Pixels by which the pointer moves before a press becomes a drag. */
const threshold = 4;

/** Scrolls a picture along with the pointer while its main or middle button is down; the click after a drag is no choice. */
export function panByDragging(event: PointerEvent): void {
  const picture = event.currentTarget as HTMLElement;
  // Fingers scroll by themselves, and scroll bars are moved by the browser.
  const isOnScrollBar = event.offsetX >= picture.clientWidth || event.offsetY >= picture.clientHeight;
  if (event.pointerType !== 'mouse' || (event.button !== 0 && event.button !== 1)) return;
  if (event.target === picture && isOnScrollBar) return;
  // The browser would select texts, or start to scroll by the middle button.
  event.preventDefault();
  picture.focus({ preventScroll: true });
  const start = { x: event.clientX, y: event.clientY, left: picture.scrollLeft, top: picture.scrollTop };
  const ending = new AbortController();
  const { signal } = ending;
  let isDrag = false;
  const move = ({ clientX, clientY, buttons }: PointerEvent): void => {
    if (buttons === 0) return stop();
    const [right, down] = [clientX - start.x, clientY - start.y];
    if (!isDrag && Math.hypot(right, down) < threshold) return;
    isDrag = true;
    picture.classList.add('panning');
    picture.scrollTo(start.left - right, start.top - down);
  };
  const stop = (): void => {
    ending.abort();
    picture.classList.remove('panning');
    if (!isDrag) return;
    const ignored = (click: Event): void => click.stopPropagation();
    picture.addEventListener('click', ignored, { capture: true, once: true });
    // A drag that ends outside of the picture has no click there.
    setTimeout(() => picture.removeEventListener('click', ignored, { capture: true }));
  };
  window.addEventListener('pointermove', move, { signal });
  window.addEventListener('pointerup', stop, { signal });
  window.addEventListener('pointercancel', stop, { signal });
}
