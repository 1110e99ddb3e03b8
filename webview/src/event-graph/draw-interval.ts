import { type TemplateResult, html } from 'lit';

interface Interval {
  readonly value: number;
  readonly low: number;
  readonly high: number;
  /** The largest distance from 0 that is drawn. */
  readonly reach: number;
  readonly text: string;
}

/** A difference with its interval around 0, as a dot on a line, and as a text beside it. */
export function drawInterval({ value, low, high, reach, text }: Interval): TemplateResult {
  const place = (at: number): number => {
    const share = reach === 0 ? 0 : Math.min(1, Math.max(-1, at / reach));
    return 50 + 50 * share;
  };
  const isSure = low > 0 || high < 0;
  return html`<span class=${isSure ? 'interval sure' : 'interval'}
    ><span class="interval-line" aria-hidden="true"
      ><i class="zero"></i
      ><i class="between" .style=${`left: ${place(low)}%; width: ${Math.max(0.5, place(high) - place(low))}%`}></i
      ><i class="dot" .style=${`left: ${place(value)}%`}></i></span
    ><span class="interval-text">${text}</span></span
  >`;
}
