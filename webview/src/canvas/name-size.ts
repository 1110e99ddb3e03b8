let sheet: CSSStyleSheet | undefined;
let shown: number | undefined;

/**
 * Sets the font size of names in pixels as a rule for their elements. Inherited from the world, a change would have the
 * browser compute the styles of everything in it, which takes 40 ms in a graph of 1,000 elements.
 */
export function showNameSize(size: number): void {
  if (size === shown) return;
  shown = size;
  if (!sheet) {
    sheet = new CSSStyleSheet();
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  }
  sheet.replaceSync(`#world :is(.title, .change) { --name-size: ${size}px; }`);
}
