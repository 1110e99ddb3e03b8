import { baseStyles } from './base-styles.ts';
import { themeTokens } from './theme-tokens.ts';

/** Gives the page its styles. Constructed sheets need no `unsafe-inline` in the content security policy. */
export function installStyles(styles: string): void {
  const sheets = [themeTokens, baseStyles, styles].map((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    return sheet;
  });
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, ...sheets];
}
