/** Shared styles of all webviews: typography, focus ring, buttons, inputs, menus, banners and placeholders. */
export const baseStyles = `
* { box-sizing: border-box; }
/* Clipped, not hidden: an element that gets the focus must not scroll the page under the toolbar. */
html, body { height: 100%; margin: 0; padding: 0; overflow: clip; }
/* Native parts, such as the calendar of a date field, follow the theme. */
body:is(.vscode-dark, .vscode-high-contrast) { color-scheme: dark; }
body:is(.vscode-light, .vscode-high-contrast-light) { color-scheme: light; }
body { background: var(--eg-background); color: var(--eg-foreground); font: var(--eg-font-size)/1.4 var(--eg-font); }
#root { position: relative; display: flex; flex-direction: column; height: 100%; min-width: 0; overflow: clip; }
h1, h2, p, ul { margin: 0; padding: 0; font-size: inherit; list-style: none; }
h1, h2 { font-weight: 600; }
:focus { outline: none; }
:focus-visible { outline: 1px solid var(--eg-focus); outline-offset: -1px; }
.codicon { flex: none; }
.exclamation { flex: none; }
.exclamation circle { fill: var(--eg-error); }
.exclamation path { fill: var(--eg-background); }
.muted { color: var(--eg-muted); }
.clip { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; min-width: 0; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

.link { padding: 0; border: 0; background: none; color: var(--eg-link); font: inherit; text-align: start; cursor: pointer; }
.link:hover { text-decoration: underline; }
.button { display: inline-flex; align-items: center; gap: 4px; height: 26px; padding: 0 12px; border-radius: 4px;
  border: 1px solid var(--eg-button-line); background: var(--eg-button); color: var(--eg-button-text);
  font: inherit; cursor: pointer; white-space: nowrap; }
.button:hover { background: var(--eg-button-hover); }
.button:focus-visible { outline-offset: 2px; }
.button.quiet { border-color: var(--eg-quiet-button-line); background: var(--eg-quiet-button); color: var(--eg-quiet-button-text); }
.button.quiet:hover { background: var(--eg-quiet-button-hover); }
.button.small { height: 22px; padding: 0 8px; }
.action { display: inline-flex; align-items: center; justify-content: center; min-width: 24px; height: 24px; padding: 0 4px;
  border: 1px solid transparent; border-radius: 4px; background: none; color: inherit; font: inherit; cursor: pointer; }
.action:hover { background: var(--eg-toolbar-hover); outline: 1px dashed var(--vscode-contrastActiveBorder, transparent);
  outline-offset: -1px; }
.action:focus-visible { outline: 1px solid var(--eg-focus); }
.action[aria-pressed='true'], .button[aria-pressed='true'], .button[aria-pressed='true']:hover { background: var(--vscode-inputOption-activeBackground, transparent);
  border-color: var(--vscode-contrastActiveBorder, var(--vscode-inputOption-activeBorder, var(--eg-focus)));
  color: var(--vscode-inputOption-activeForeground, inherit); }

.action:disabled, .button:disabled, .action[aria-disabled='true'], .button[aria-disabled='true'] { opacity: 0.4; cursor: default; }
.button[aria-disabled='true']:hover { background: var(--eg-button); }
.button.quiet[aria-disabled='true']:hover { background: var(--eg-quiet-button); }
.action[aria-disabled='true']:hover { background: none; }
.action.labelled { gap: 6px; padding: 0 8px; white-space: nowrap; }

.input { height: 26px; padding: 0 6px; border: 1px solid var(--vscode-settings-dropdownBorder, var(--vscode-input-border, var(--eg-line))); border-radius: 3px;
  background: var(--vscode-input-background); color: var(--vscode-input-foreground); font: inherit; }
.input::placeholder, .input input::placeholder, .input textarea::placeholder { color: var(--vscode-input-placeholderForeground); opacity: 1; }
.input:focus-visible, .input:focus-within { outline: 1px solid var(--eg-focus); outline-offset: -1px; border-color: var(--eg-focus); }

.menu-backdrop { position: fixed; inset: 0; z-index: 9; }
.menu { position: fixed; z-index: 10; min-width: 200px; padding: 4px; border: 1px solid var(--vscode-menu-border, var(--eg-surface-line)); border-radius: 4px;
  background: var(--vscode-menu-background, var(--eg-surface)); color: var(--vscode-menu-foreground, inherit); box-shadow: 0 2px 8px var(--eg-shadow, transparent); animation: appear 120ms ease-out; }
.menu button { display: flex; align-items: center; gap: 8px; width: 100%; height: 26px; padding: 0 8px; border: 1px solid transparent; border-radius: 3px;
  background: none; color: inherit; font: inherit; text-align: start; white-space: nowrap; cursor: pointer; }
.menu button span:not(.codicon) { flex: 1; }
.menu button:focus, .menu button:hover { background: var(--vscode-menu-selectionBackground); color: var(--vscode-menu-selectionForeground, inherit);
  border-color: var(--vscode-menu-selectionBorder, transparent); outline: none; }
.menu button[aria-disabled='true'] { opacity: 0.5; cursor: default; }
.menu kbd { font: inherit; margin-left: 16px; }
.menu hr { margin: 4px 0; border: 0; border-top: 1px solid var(--vscode-menu-separatorBackground, var(--eg-line)); }

.banner { display: flex; flex: none; align-items: center; gap: 8px; padding: 4px 4px 4px 12px; min-height: 34px; border-radius: 4px;
  border: 1px solid var(--eg-surface-line); background: var(--eg-surface); box-shadow: 0 2px 8px var(--eg-shadow, transparent); animation: appear 120ms ease-out; }
.banner p { flex: 1; min-width: 0; overflow-wrap: anywhere; }
.banner .codicon { color: var(--eg-warning); }

.instead { display: flex; flex: 1; flex-direction: column; align-items: flex-start; gap: 12px; width: 100%; max-width: 560px;
  margin: 0 auto; padding: 48px 24px; overflow: auto; animation: appear 120ms ease-out; }
.instead h2 { font-size: 1.25em; display: flex; align-items: center; gap: 8px; }
.instead pre { align-self: stretch; margin: 0; padding: 8px 12px; border-radius: 4px; border: 1px solid var(--eg-line); overflow: auto;
  background: var(--vscode-textCodeBlock-background, transparent); font-family: var(--eg-mono); white-space: pre; }
.instead .buttons { display: flex; flex-wrap: wrap; gap: 8px; margin-top: 4px; }
.late { animation: appear 120ms ease-out 150ms backwards; }

.skeleton { height: 10px; margin: 12px 0; max-width: 640px; border-radius: 4px; background: var(--vscode-list-hoverBackground, transparent);
  border: 1px solid var(--vscode-contrastBorder, transparent); }
.skeleton:nth-child(odd) { max-width: 480px; }

@keyframes appear { from { opacity: 0; } }
@media (prefers-reduced-motion: reduce) { *, *::before, *::after { animation: none !important; transition: none !important; } }
`;
