import { type TemplateResult, html, nothing } from 'lit';
import type { PreviewShare } from '../../../protocol/canvas-intents.ts';
import type { QueryTarget } from '../../../protocol/query-results.ts';
import type { CardView, RelationshipView } from '../../../protocol/graph-view.ts';
import type { CanvasIntent } from '../../../protocol/shapes/canvas-shapes.ts';
import type { Ask } from '../request-channel.ts';
import { button } from '../ui/button.ts';
import { type Modal, createModal } from '../ui/modal.ts';
import { t } from '../ui/translate.ts';
import type { DialogCatalog } from './dialog-catalog.ts';
import {
  type DialogDraft,
  type Edited,
  type PatchOf,
  changed,
  firstValues,
  followFile,
  rebase,
} from './dialog-draft.ts';
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
  readonly catalog: DialogCatalog;
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
  /** Puts master data in the place of a new element. */
  becomeMasterData(element: CardView): void;
}

/** An open dialog, updated with the file. */
export interface OpenDialog {
  /** The element or relationship in the current file; undefined when removed. */
  follow(view: unknown): void;
  /** The catalog is being read, is known, or could not be read. */
  catalogChanged(): void;
}

/** The entry that a dialog edits, and its place. */
export interface DialogEntry {
  readonly element: CardView | undefined;
  readonly relationship: RelationshipView | undefined;
  /** Only its process context is edited. */
  readonly isContext: boolean;
  elementOf(id: string | undefined): CardView | undefined;
  /** All that a relationship may end at. */
  cards(): readonly CardView[];
  /** The kind of dialog determines the type of the kept values. */
  host<T>(): EditDialogHost<T>;
}

/** A dialog of entries; what it loads, draws and keeps is known to its module alone. */
export interface DialogKind {
  /** Opens it, if it is the dialog of this entry. */
  open(entry: DialogEntry): OpenDialog | undefined;
}

/** What one kind of dialog adds to the others: what it loads, draws and keeps. */
interface DialogParts<T> {
  /** Begins its class and the id of its heading. */
  readonly name: 'element' | 'relationship' | 'context';
  readonly title: string;
  /** The values of the file as it was opened. */
  readonly file: T;
  readonly patchOf: PatchOf<T>;
  intent(): CanvasIntent;
  /** The rules of the file cannot refuse its values. */
  readonly isUnchecked?: true;
  /** Why the values cannot be confirmed; undefined when they can. */
  missing(): string | undefined;
  /** Why the dialog cannot be confirmed: its entry is no longer in the file. */
  readonly gone: string;
  /** The query that can be tested and shown; undefined while the values have none. */
  query?(): { readonly target: QueryTarget; readonly draft: CanvasIntent } | undefined;
  /** How the preview names fields and goes to them. */
  readonly fields?: Omit<PreviewHands, 'cancel' | 'goToField' | 'setSecret'>;
  showField?(property: string, options?: { readonly quiet?: boolean }): void;
  /** Reads what the form shows besides the values. */
  load(): Promise<void>;
  /** The catalog has changed, and is known or not. */
  catalogChanged(isKnown: boolean): void;
  draw(): TemplateResult;
  /** Buttons beside those of the query. */
  drawActions?(): TemplateResult;
  /** Kept with the values while the canvas is hidden. */
  keeps?(): DialogView;
}

/** Values that are edited in a dialog with checks and a preview. Input survives changes of the file. */
export interface EditDialog<T> extends OpenDialog {
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
  /** Shows the dialog, and restores its scroll position when everything is loaded. */
  open(): void;
  /** Closes it without an edit. */
  close(): void;
}

export function createEditDialog<T extends object>(host: EditDialogHost<T>, parts: DialogParts<T>): EditDialog<T> {
  const edited = firstValues(parts.patchOf, parts.file, host.draft);
  const modal = createModal({
    className: `dialog ${parts.name}-dialog`,
    labelledBy: `${parts.name}-dialog-title`,
    draw: () => drawDialog(dialog, edited, host, parts),
    onCancel: () => cancel(dialog, edited, host),
    onScroll(top) {
      edited.scrollTop = top;
      keepDraft();
    },
    onKey: dialogKeys({
      confirm: () => void confirm(dialog, edited, host, parts),
      testQuery: () => void testQuery(dialog, parts),
    }),
  });
  const check = createDialogCheck(host.ask, () => (parts.isUnchecked ? undefined : parts.intent()), update);
  const preview = createQueryPreview(
    host.ask,
    update,
    { nameOf: () => undefined, ...parts.fields, goToField: (property) => parts.showField?.(property) },
    ({ property }) => property !== undefined && parts.showField?.(property, { quiet: true }),
  );

  function update(): void {
    modal.element.classList.toggle('with-preview', preview.isShown);
    modal.update();
  }

  function keepDraft(): void {
    const { before, values, scrollTop } = edited;
    host.onDraft({ before, values, view: parts.keeps?.(), scrollTop });
  }

  const dialog: EditDialog<T> = {
    get before() {
      return edited.before;
    },
    get values() {
      return edited.values;
    },
    get conflicting() {
      return edited.conflicting;
    },
    modal,
    check,
    preview,
    set(change) {
      edited.values = changed(edited.values, change);
      edited.message = undefined;
      keepDraft();
      preview.edited();
      check.changed();
      update();
    },
    keepDraft,
    update,
    open() {
      modal.open();
      keepDraft();
      void parts.load().then(() => modal.scrollTo(edited.scrollTop));
      check.changed();
    },
    close: () => cancel(dialog, edited, host),
    follow(view) {
      followFile(edited, parts.patchOf, (view as { readonly values: T } | undefined)?.values);
      check.changed();
      update();
    },
    catalogChanged() {
      update();
      parts.catalogChanged(host.catalog.state().kind === 'known');
    },
  };
  return dialog;
}

function missingOf<T extends object>({ file }: Edited<T>, parts: DialogParts<T>): string | undefined {
  return file ? parts.missing() : parts.gone;
}

function obstacle<T extends object>(
  { check, preview }: EditDialog<T>,
  edited: Edited<T>,
  parts: DialogParts<T>,
): string | undefined {
  return missingOf(edited, parts) ?? check.blocking ?? preview.blocking;
}

async function confirm<T extends object>(
  dialog: EditDialog<T>,
  edited: Edited<T>,
  host: EditDialogHost<T>,
  parts: DialogParts<T>,
): Promise<void> {
  if (edited.stage !== 'open') return;
  // The problems may be fixed since.
  if (missingOf(edited, parts) !== undefined) return dialog.update();
  // Confirmed again after the conflict was shown.
  if (edited.conflicting.length > 0 && edited.file) rebase(edited, parts.patchOf, edited.file);
  edited.stage = 'checking';
  // The latest input may not have been validated yet.
  await dialog.check.now();
  if (isClosed(edited)) return;
  edited.stage = 'writing';
  const isPossible = obstacle(dialog, edited, parts) === undefined;
  const outcome = isPossible ? await host.ask('edit', { intent: parts.intent() }) : undefined;
  edited.stage = 'open';
  if (!outcome) return dialog.update();
  if (!outcome.ok) {
    edited.message = outcome.error.message;
    return dialog.update();
  }
  close(dialog, edited, host);
  host.onConfirmed(outcome.value.select);
}

function isClosed<T>({ stage }: Edited<T>): boolean {
  return stage === 'closed';
}

/** An edit that is being written can no longer be stopped: its answer closes the dialog, or is shown in it. */
function cancel<T>(dialog: EditDialog<T>, edited: Edited<T>, host: EditDialogHost<T>): void {
  if (edited.stage !== 'writing') close(dialog, edited, host);
}

function close<T>({ check, preview, modal }: EditDialog<T>, edited: Edited<T>, host: EditDialogHost<T>): void {
  if (isClosed(edited)) return;
  edited.stage = 'closed';
  check.stop();
  preview.cancel();
  modal.close();
  host.onClosed();
}

async function testQuery<T extends object>({ preview }: EditDialog<T>, parts: DialogParts<T>): Promise<void> {
  const query = parts.query?.();
  if (query) await preview.test(query.target, query.draft);
}

async function showQuery<T extends object>({ preview }: EditDialog<T>, parts: DialogParts<T>): Promise<void> {
  const query = parts.query?.();
  if (query) await preview.show(query.target, query.draft);
}

function drawDialog<T extends object>(
  dialog: EditDialog<T>,
  edited: Edited<T>,
  host: EditDialogHost<T>,
  parts: DialogParts<T>,
): TemplateResult {
  return html`
    ${dialogHeader(`${parts.name}-dialog-title`, parts.title, () => cancel(dialog, edited, host))}
    ${dialogSplit({
      form: parts.draw(),
      preview: dialog.preview.draw(),
      share: host.share(),
      onShare: (share) => {
        host.onShare(share);
        dialog.update();
      },
      onClose: dialog.preview.cancel,
    })}
    <footer>
      ${parts.query ? drawQueryActions(dialog, parts) : nothing} ${parts.drawActions?.() ?? nothing}
      ${dialogFooter({
        message: edited.message,
        why: obstacle(dialog, edited, parts),
        cancel: () => cancel(dialog, edited, host),
        confirm: () => void confirm(dialog, edited, host, parts),
      })}
    </footer>
  `;
}

function drawQueryActions<T extends object>(dialog: EditDialog<T>, parts: DialogParts<T>): TemplateResult {
  const disabled = parts.query?.() === undefined;
  return html`
    ${button(t('Test Query'), () => void testQuery(dialog, parts), {
      disabled,
      title: t('Run it and show the first rows (Ctrl+Enter)'),
      id: 'test-query',
    })}
    ${button(t('Show Query'), () => void showQuery(dialog, parts), {
      disabled,
      title: t('Open the exact query beside'),
    })}
  `;
}
