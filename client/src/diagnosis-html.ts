import type { DiagnosisStep } from '../../protocol/diagnosis.ts';
import { escapeAttribute as escape } from './escape-attribute.ts';

/** A diagnosis in the language of VS Code. */
export interface DiagnosisView {
  readonly title: string;
  /** Whether the source is usable, in one sentence. */
  readonly summary: string;
  readonly state: DiagnosisStep['state'];
  /** Further facts, such as the duration. */
  readonly facts: string;
  readonly checks: readonly DiagnosisStepView[];
  /** Possible next actions; the address runs a command. */
  readonly actions: readonly { readonly label: string; readonly address: string }[];
}

interface DiagnosisStepView extends DiagnosisStep {
  readonly stateText: string;
}

/** Content security policy and language of the page. */
interface DiagnosisPage {
  readonly language: string;
  readonly cspSource: string;
  readonly codicons: string;
  readonly nonce: string;
}

/** The diagnosis page: it has no script, and its buttons are command links. */
export function diagnosisHtml(
  { title, summary, state, facts, checks, actions }: DiagnosisView,
  { language, cspSource, codicons, nonce }: DiagnosisPage,
): string {
  const policy = `default-src 'none'; style-src ${cspSource} 'nonce-${nonce}'; font-src ${cspSource}`;
  return `<!DOCTYPE html>
<html lang="${escape(language)}">
<head>
  <meta charset="utf-8">
  <meta http-equiv="Content-Security-Policy" content="${escape(policy)}">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${escape(title)}</title>
  <link rel="stylesheet" href="${escape(codicons)}">
  <style nonce="${nonce}">${styles}</style>
</head>
<body>
  <main>
    <h1>${escape(title)}</h1>
    <p class="summary ${state}">${icon(state)}<span>${escape(summary)} <span class="muted">${escape(facts)}</span></span></p>
    <nav>${actions.map(({ label, address }, index) => `<a class="button${index === 0 ? '' : ' quiet'}" href="${escape(address)}">${escape(label)}</a>`).join('\n')}</nav>
    <ol>
      ${checks.map(stepHtml).join('\n      ')}
    </ol>
  </main>
</body>
</html>`;
}

function stepHtml({ name, state, stateText, message, remedy }: DiagnosisStepView): string {
  const help = remedy === undefined ? '' : `<p class="remedy">${escape(remedy)}</p>`;
  return `<li class="${state}">${icon(state)}<div><h2>${escape(name)} <span class="state">${escape(stateText)}</span></h2><p>${escape(message)}</p>${help}</div></li>`;
}

const icons: Readonly<Record<DiagnosisStep['state'], string>> = { ok: 'pass', warning: 'warning', failed: 'error' };

function icon(state: DiagnosisStep['state']): string {
  return `<i class="codicon codicon-${icons[state]}" aria-hidden="true"></i>`;
}

/** Uses theme colours only; long words wrap in a narrow editor. */
const styles = `
* { box-sizing: border-box; }
body { margin: 0; padding: 0; color: var(--vscode-foreground); background: var(--vscode-editor-background); font: var(--vscode-font-size, 13px)/1.4 var(--vscode-font-family); }
main { max-width: 760px; padding: 16px 20px; overflow-wrap: anywhere; }
h1, h2, p, ol { margin: 0; padding: 0; list-style: none; font-size: inherit; }
h1 { font-size: 1.25em; font-weight: 600; }
h2 { font-weight: 600; }
.summary { display: flex; align-items: flex-start; gap: 8px; margin: 8px 0 12px; }
.muted, .state { color: var(--vscode-descriptionForeground); font-weight: normal; }
nav { display: flex; flex-wrap: wrap; gap: 8px; margin-bottom: 16px; }
.button { display: inline-flex; align-items: center; height: 26px; padding: 0 12px; border-radius: 4px; text-decoration: none;
  border: 1px solid var(--vscode-contrastBorder, var(--vscode-button-border, transparent)); background: var(--vscode-button-background); color: var(--vscode-button-foreground); }
.button:hover { background: var(--vscode-button-hoverBackground); color: var(--vscode-button-foreground); }
.button.quiet { background: var(--vscode-button-secondaryBackground); color: var(--vscode-button-secondaryForeground); }
.button.quiet:hover { background: var(--vscode-button-secondaryHoverBackground); }
.button:focus-visible { outline: 1px solid var(--vscode-focusBorder); outline-offset: 2px; }
li { display: flex; gap: 8px; padding: 8px 0; border-top: 1px solid var(--vscode-contrastBorder, var(--vscode-editorWidget-border, var(--vscode-panel-border))); }
li > div { flex: 1; min-width: 0; }
.codicon { flex: none; margin-top: 1px; }
.ok > .codicon { color: var(--vscode-descriptionForeground); }
.warning > .codicon { color: var(--vscode-editorWarning-foreground); }
.failed > .codicon { color: var(--vscode-errorForeground); }
.remedy { margin-top: 4px; font-weight: 600; }
`;
