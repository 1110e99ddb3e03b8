import { type TemplateResult, html, nothing } from 'lit';
import type { PreviewShare } from '../../../protocol/canvas-intents.ts';
import { button } from '../ui/button.ts';
import { icon } from '../ui/icons.ts';
import { t } from '../ui/translate.ts';

export const usualShare: PreviewShare = { beside: 0.45, below: 0.5 };

/** Page width in pixels from which form and preview are side by side; also in the style sheet below. */
const roomForBoth = 900;

const minShare = 0.2;
const maxShare = 0.8;

interface DialogSplit {
  readonly form: TemplateResult;
  /** Empty without a preview. */
  readonly preview?: TemplateResult | typeof nothing;
  readonly share: PreviewShare;
  onShare?(share: PreviewShare): void;
  onClose?(): void;
}

/** The form of a dialog, and its preview beside or below it, with a divider that can be moved. */
export function dialogSplit({ form, preview = nothing, share, onShare, onClose }: DialogSplit): TemplateResult {
  if (preview === nothing) return html`<div class="split">${formPane(form)}</div>`;
  const isBeside = window.innerWidth >= roomForBoth;
  const now = isBeside ? share.beside : share.below;
  const become = (value: number): void => {
    const bounded = Math.min(maxShare, Math.max(minShare, value));
    onShare?.(isBeside ? { ...share, beside: bounded } : { ...share, below: bounded });
  };
  return html`<div class="split open" .style=${`--beside: ${share.beside * 100}%; --below: ${share.below * 100}%`}>
    ${formPane(form)}
    <div
      class="divider"
      role="separator"
      tabindex="0"
      aria-label=${t('Size of the preview')}
      aria-orientation=${isBeside ? 'vertical' : 'horizontal'}
      aria-valuenow=${Math.round(now * 100)}
      aria-valuemin=${minShare * 100}
      aria-valuemax=${maxShare * 100}
      @pointerdown=${(event: PointerEvent) => (event.currentTarget as Element).setPointerCapture(event.pointerId)}
      @pointermove=${(event: PointerEvent) => {
        const divider = event.currentTarget as Element;
        if (divider.hasPointerCapture(event.pointerId)) become(shareAt(event, divider, isBeside));
      }}
      @keydown=${(event: KeyboardEvent) => {
        const step = stepOf(event.key, isBeside);
        if (step === 0) return;
        event.preventDefault();
        become(now + step);
      }}
    ></div>
    <section class="preview-pane" aria-label=${t('Preview')}>
      ${button(icon('close'), onClose, {
        appearance: 'icon',
        className: 'close-preview',
        title: t('Close the preview'),
        label: t('Close the preview'),
      })}
      ${preview}
    </section>
  </div>`;
}

function formPane(form: TemplateResult): TemplateResult {
  return html`<div class="body">${form}</div>`;
}

function shareAt({ clientX, clientY }: PointerEvent, divider: Element, isBeside: boolean): number {
  const { left, top, width, height } = (divider.parentElement ?? divider).getBoundingClientRect();
  return isBeside ? 1 - (clientX - left) / width : 1 - (clientY - top) / height;
}

function stepOf(key: string, isBeside: boolean): number {
  const [grow, shrink] = isBeside ? ['ArrowLeft', 'ArrowRight'] : ['ArrowUp', 'ArrowDown'];
  if (key === grow) return 0.05;
  return key === shrink ? -0.05 : 0;
}

export const dialogSplitStyles = `
.dialog .split { display: flex; flex: 1; min-height: 0; }
.dialog .split > .body { display: flex; flex: 1; flex-direction: column; gap: 12px; min-width: 0; min-height: 0; padding: 12px 16px; overflow: auto; container-type: inline-size; }
.dialog.with-preview { height: calc(100vh - 32px); }
.split.open { flex-direction: column; }
.split.open > .preview-pane { flex: 0 0 var(--below); }
/* A message needs less room than rows. */
.split.open > .preview-pane:has(.failed, .running) { flex: 0 0 auto; max-height: var(--below); }
.preview-pane { position: relative; display: flex; flex-direction: column; min-width: 0; min-height: 0; padding: 8px 12px; overflow: auto; background: var(--eg-background); }
.preview-pane > .close-preview { position: absolute; z-index: 2; top: 4px; right: 4px; }
.preview-pane > .preview { padding-right: 20px; }
.divider { flex: none; height: 5px; border-top: 1px solid var(--eg-line); cursor: row-resize; touch-action: none; }
.divider:hover, .divider:focus-visible { background: var(--vscode-sash-hoverBorder, var(--eg-focus)); outline: none; }
@media (min-width: 900px) {
  .dialog.with-preview { width: calc(100vw - 32px); max-width: 1440px; }
  .split.open { flex-direction: row; }
  .split.open > .preview-pane, .split.open > .preview-pane:has(.failed, .running) { flex: 0 0 var(--beside); max-height: none; }
  .split.open > .divider { width: 5px; height: auto; border-top: 0; border-left: 1px solid var(--eg-line); cursor: col-resize; }
}
`;
