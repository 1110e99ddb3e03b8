import { LitElement, type TemplateResult, html } from 'lit';
import { t } from './translate.ts';

const second = 1000;

/** Seconds since a moment, counting up while it is shown. */
class ElapsedTime extends LitElement {
  static override readonly properties = { since: { attribute: false } };

  /** In the clock of `performance.now()`. */
  declare since: number;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor() {
    super();
    this.since = performance.now();
  }

  /** Without a shadow root, so that the styles of the page apply. */
  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#timer = setInterval(() => this.requestUpdate(), second);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.#timer);
  }

  protected override render(): string {
    return elapsedText(performance.now() - this.since);
  }
}

/** Such as `7 s`, or `2 min 05 s`. */
export function elapsedText(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / second));
  if (seconds < 60) return t('{0} s', seconds);
  return t('{0} min {1} s', Math.floor(seconds / 60), String(seconds % 60).padStart(2, '0'));
}

/** Template function for the elapsed time; it is not announced every second. */
export function elapsedTime(since: number): TemplateResult {
  if (!customElements.get('eg-elapsed')) customElements.define('eg-elapsed', ElapsedTime);
  return html`<eg-elapsed aria-hidden="true" .since=${since}></eg-elapsed>`;
}
