import { baseStyles } from './base-styles.ts';
import { themeTokens } from './theme-tokens.ts';

/** Installs the styles of a page. Constructed stylesheets need no `unsafe-inline` in the content security policy. */
export function installStyles(styles: string): void {
  const sheets = [themeTokens, baseStyles, styles].map((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    return sheet;
  });
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, ...sheets];
}
