import { type TemplateResult, render } from 'lit';

/** A dialog. */
export interface Modal {
  readonly element: HTMLDialogElement;
  /** Renders it for the first time and opens it. */
  open(): void;
  /** Renders it again. */
  update(): void;
  /** Scrolls its form; for one that is opened again as it was. */
  scrollTo(top: number): void;
  /** Restores the focus. */
  close(): void;
}

interface ModalOptions {
  readonly className: string;
  /** Id of its heading. */
  readonly labelledBy: string;
  draw(): TemplateResult;
  /** Escape; the dialog decides whether to close. */
  onCancel(): void;
  /** A person scrolled the form. */
  onScroll?(top: number): void;
  /** Enter in a field, and Ctrl+Enter. */
  onKey?(event: KeyboardEvent): void;
}

/** A native dialog element, not open yet. */
export function createModal({ className, labelledBy, draw, onCancel, onScroll, onKey }: ModalOptions): Modal {
  const before = document.activeElement;
  const key = before instanceof HTMLElement ? before.dataset['key'] : undefined;
  const element = document.createElement('dialog');
  element.className = className;
  element.setAttribute('aria-labelledby', labelledBy);
  const update = (): void => void render(draw(), element);
  element.addEventListener('cancel', (event) => {
    event.preventDefault();
    onCancel();
  });
  const form = (): Element | null => element.querySelector(':scope .body');
  // Scrolling does not bubble.
  const tellScroll = (event: Event): void => {
    if (event.target === form()) onScroll?.((event.target as Element).scrollTop);
  };
  element.addEventListener('scroll', tellScroll, { capture: true, passive: true });
  element.addEventListener('keydown', (event) => {
    // The canvas below has its own keys.
    event.stopPropagation();
    onKey?.(event);
  });
  return {
    element,
    update,
    scrollTo(top) {
      if (top > 0) form()?.scrollTo({ top, behavior: 'instant' });
    },
    open() {
      document.body.append(element);
      update();
      element.showModal();
      element.querySelector<HTMLElement>('[autofocus]')?.focus();
    },
    close() {
      element.close();
      render(undefined, element);
      element.remove();
      // The formerly focused element may have been rendered again.
      const same =
        key === undefined ? undefined : document.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`);
      if (same) same.focus();
      else if (before instanceof HTMLElement && before.isConnected) before.focus();
      else document.querySelector<HTMLElement>('#viewport')?.focus();
    },
  };
}
