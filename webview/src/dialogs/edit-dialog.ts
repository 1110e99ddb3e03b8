import { type TemplateResult, html, type nothing } from 'lit';
import type { PreviewShare } from '../../../protocol/canvas-intents.ts';
import type { CanvasIntent } from '../../../protocol/shapes/canvas-shapes.ts';
import type { Ask } from '../request-channel.ts';
import { type Modal, createModal } from '../ui/modal.ts';
import { type DialogDraft, type PatchOf, conflicts, rebased } from './dialog-draft.ts';
import { dialogFooter, dialogHeader } from './dialog-header-footer.ts';
import { dialogKeys } from './dialog-keys.ts';
import { type DialogCheck, createDialogCheck } from './dialog-problems.ts';
import { dialogSplit } from './dialog-split.ts';
import type { PreviewHands } from './draw-preview.ts';
import type { DialogView } from './element-form.ts';
import { type QueryPreview, createQueryPreview } from './query-preview.ts';

/** Functions that the opener of a dialog provides. */
export interface EditDialogHost<T> {
  readonly ask: Ask;
  /** The kept size of the preview. */
  readonly share: () => PreviewShare;
  onShare(share: PreviewShare): void;
  /** Values entered before the canvas was hidden. */
  readonly draft?: DialogDraft<T>;
  /** Called when the values change. */
  onDraft(draft: DialogDraft<T>): void;
  /** Called when the file contains the values. `select` is the key of the edited entry. */
  onConfirmed(select: string | undefined): void;
  onClosed(): void;
}

/** An open dialog, updated with the file. */
export interface OpenDialog {
  /** The element or relationship in the current file; undefined when removed. */
  follow(view: unknown): void;
  /** The catalog is being read, is known, or could not be read. */
  catalogChanged(): void;
}

/** Options of one kind of dialog. */
interface EditDialogOptions<T> {
  /** Begins its class and the id of its heading. */
  readonly name: 'element' | 'relationship';
  readonly title: string;
  /** The values of the file as it was opened. */
  readonly file: T;
  readonly patchOf: PatchOf<T>;
  intent(): CanvasIntent;
  /** Why the values cannot be confirmed; undefined when they can. */
  missing(): string | undefined;
  /** Why the dialog cannot be confirmed: its entry is no longer in the file. */
  readonly gone: string;
  /** How the preview names fields and goes to them. */
  readonly fields: Omit<PreviewHands, 'cancel' | 'goToField'>;
  showField(property: string, options?: { readonly quiet?: boolean }): void;
  /** Kept with the values while the canvas is hidden. */
  readonly view?: () => DialogView;
  testQuery(): Promise<void>;
  drawForm(): TemplateResult;
  /** The buttons beside *Cancel* and *Confirm*. */
  drawActions(): TemplateResult | typeof nothing;
}

/** Values that are edited in a dialog with checks and a preview. Input survives changes of the file. */
export interface EditDialog<T> {
  readonly before: T;
  readonly values: T;
  /** Fields changed both in the file and in the dialog. */
  readonly conflicting: readonly (keyof T)[];
  readonly modal: Modal;
  readonly check: DialogCheck;
  readonly preview: QueryPreview;
  /** Changes values; undefined and empty texts remove them. */
  set(change: { readonly [K in keyof T]?: T[K] | undefined }): void;
  keepDraft(): void;
  update(): void;
  /** Opens the dialog, and restores its scroll position when `load` has resolved. */
  open(load: () => Promise<void>): void;
  /** Takes the values of the changed file; undefined if the entry was removed. */
  follow(file: T | undefined): void;
}

// eslint-disable-next-line max-lines-per-function -- The state of one dialog, shared by small functions.
export function createEditDialog<T extends object>(
  host: EditDialogHost<T>,
  options: EditDialogOptions<T>,
): EditDialog<T> {
  const { patchOf } = options;
  let file: T | undefined = options.file;
  let before: T = host.draft?.before ?? file;
  let values: T = host.draft?.values ?? before;
  let conflicting = conflicts(patchOf, before, values, file);
  let message: string | undefined;
  let confirming = false;
  let scrollTop = host.draft?.scrollTop ?? 0;

  const modal = createModal({
    className: `dialog ${options.name}-dialog`,
    labelledBy: `${options.name}-dialog-title`,
    draw,
    onCancel: close,
    onScroll(top) {
      scrollTop = top;
      keepDraft();
    },
    onKey: dialogKeys({ confirm: () => void confirm(), testQuery: () => void options.testQuery() }),
  });
  const check = createDialogCheck(host.ask, options.intent, update);
  const preview = createQueryPreview(
    host.ask,
    update,
    { ...options.fields, goToField: (property) => options.showField(property) },
    ({ property }) => property !== undefined && options.showField(property, { quiet: true }),
  );

  function update(): void {
    modal.element.classList.toggle('with-preview', preview.isShown);
    modal.update();
  }

  function keepDraft(): void {
    host.onDraft({ before, values, view: options.view?.(), scrollTop });
  }

  function set(change: { readonly [K in keyof T]?: T[K] | undefined }): void {
    const next: Record<string, unknown> = { ...values, ...change };
    for (const [key, value] of Object.entries(change)) if (value === undefined || value === '') delete next[key];
    values = next as T;
    message = undefined;
    keepDraft();
    preview.edited();
    check.changed();
    update();
  }

  const missing = (): string | undefined => (file ? options.missing() : options.gone);
  const obstacle = (): string | undefined => missing() ?? check.blocking ?? preview.blocking;

  async function confirm(): Promise<void> {
    // The problems may be fixed since.
    if (confirming || missing() !== undefined) return update();
    if (conflicting.length > 0 && file) {
      // Confirmed again after the conflict was shown: the dialog's values win over those of the file.
      values = rebased(patchOf, before, values, file);
      before = file;
      conflicting = [];
    }
    confirming = true;
    // The latest input may not have been validated yet.
    await check.now();
    const outcome = obstacle() === undefined ? await host.ask('edit', { intent: options.intent() }) : undefined;
    confirming = false;
    if (!outcome) return update();
    if (!outcome.ok) {
      message = outcome.error.message;
      return update();
    }
    close();
    host.onConfirmed(outcome.value.select);
  }

  function close(): void {
    check.stop();
    preview.cancel();
    modal.close();
    host.onClosed();
  }

  function draw(): TemplateResult {
    const why = obstacle();
    return html`
      ${dialogHeader(`${options.name}-dialog-title`, options.title, close)}
      ${dialogSplit({
        form: options.drawForm(),
        preview: preview.draw(),
        share: host.share(),
        onShare: (share) => {
          host.onShare(share);
          update();
        },
        onClose: preview.cancel,
      })}
      <footer>
        ${options.drawActions()} ${dialogFooter({ message, why, cancel: close, confirm: () => void confirm() })}
      </footer>
    `;
  }

  return {
    get before() {
      return before;
    },
    get values() {
      return values;
    },
    get conflicting() {
      return conflicting;
    },
    modal,
    check,
    preview,
    set,
    keepDraft,
    update,
    open(load) {
      modal.open();
      keepDraft();
      void load().then(() => modal.scrollTo(scrollTop));
      check.changed();
    },
    follow(now) {
      file = now;
      if (file) {
        conflicting = conflicts(patchOf, before, values, file);
        if (conflicting.length === 0) {
          values = rebased(patchOf, before, values, file);
          before = file;
        }
      }
      check.changed();
      update();
    },
  };
}
