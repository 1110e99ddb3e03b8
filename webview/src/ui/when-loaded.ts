/**
 * Runs the first draw of a page once the page has loaded. VS Code shows a page, and passes messages to it, after its
 * `load` event, or 200 ms; the event would wait for the font of the icons if these were drawn before.
 */
export function whenLoaded(draw: () => void): void {
  if (document.readyState === 'complete') draw();
  else window.addEventListener('load', draw, { once: true });
}
