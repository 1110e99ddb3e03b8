import { baseStyles } from './base-styles.ts';

/** Installs the styles of a page. Constructed stylesheets need no `unsafe-inline` in the content security policy. */
export function installStyles(styles: string): void {
  const sheets = [themeTokens, baseStyles, styles].map((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    return sheet;
  });
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, ...sheets];
}

/**
 * Design tokens of the webviews, derived from VS Code's theme variables. No other colours are used, so that dark, light
 * and high contrast themes look right. Contrast borders exist in high contrast themes only.
 */
const themeTokens = `
body {
  --eg-font: var(--vscode-font-family);
  --eg-font-size: var(--vscode-font-size, 13px);
  --eg-mono: var(--vscode-editor-font-family);

  --eg-background: var(--vscode-editor-background);
  --eg-foreground: var(--vscode-foreground);
  --eg-muted: var(--vscode-descriptionForeground);
  --eg-link: var(--vscode-textLink-foreground);
  --eg-line: var(--vscode-contrastBorder, var(--vscode-editorWidget-border, var(--vscode-panel-border)));
  /* Lines of the grid: visible, but weaker than any card; each fifth is stronger. */
  --eg-grid: color-mix(in srgb, var(--vscode-editor-background), var(--vscode-foreground) 14%);
  --eg-grid-strong: color-mix(in srgb, var(--vscode-editor-background), var(--vscode-foreground) 26%);

  --eg-surface: color-mix(in srgb, var(--vscode-editorWidget-background), var(--vscode-foreground) 4%);
  --eg-surface-line: var(--vscode-contrastBorder, color-mix(in srgb, var(--vscode-editor-background), var(--vscode-foreground) 24%));
  --eg-surface-hover: var(--vscode-list-hoverBackground, var(--eg-surface));
  --eg-toolbar-hover: var(--vscode-toolbar-hoverBackground);
  --eg-shadow: var(--vscode-widget-shadow);

  --eg-focus: var(--vscode-focusBorder);
  --eg-selected: var(--vscode-focusBorder);
  --eg-edge: color-mix(in srgb, var(--vscode-descriptionForeground), var(--vscode-editor-background) 25%);
  --eg-faint-edge: color-mix(in srgb, var(--vscode-descriptionForeground), var(--vscode-editor-background) 55%);
  --eg-error: var(--vscode-errorForeground);
  --eg-warning: var(--vscode-editorWarning-foreground);
  --eg-badge: var(--vscode-badge-background);
  --eg-badge-text: var(--vscode-badge-foreground);

  --eg-button: var(--vscode-button-background);
  --eg-button-text: var(--vscode-button-foreground);
  --eg-button-hover: var(--vscode-button-hoverBackground);
  --eg-quiet-button: var(--vscode-button-secondaryBackground);
  --eg-quiet-button-text: var(--vscode-button-secondaryForeground);
  --eg-quiet-button-hover: var(--vscode-button-secondaryHoverBackground);
  --eg-quiet-button-line: var(--vscode-contrastBorder, var(--vscode-button-secondaryBorder, var(--vscode-button-border, transparent)));
  --eg-button-line: var(--vscode-contrastBorder, var(--vscode-button-border, transparent));
}
/* The same share of white on black is a stronger line than one of black on white. */
body:is(.vscode-dark, .vscode-high-contrast:not(.vscode-high-contrast-light)) {
  --eg-grid: color-mix(in srgb, var(--vscode-editor-background), var(--vscode-foreground) 10%);
  --eg-grid-strong: color-mix(in srgb, var(--vscode-editor-background), var(--vscode-foreground) 18%);
}
body.vscode-high-contrast {
  --eg-surface: var(--vscode-editorWidget-background);
  --eg-edge: var(--vscode-foreground);
  --eg-faint-edge: var(--vscode-foreground);
}
`;
