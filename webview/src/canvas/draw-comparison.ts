import { type TemplateResult, html, nothing } from 'lit';
import type { ComparedCanvas } from '../../../protocol/compared-canvas.ts';
import { button } from '../ui/button.ts';
import { icon } from '../ui/icons.ts';
import { t } from '../ui/translate.ts';
import type { CanvasHandlers } from './canvas-edits.ts';
import type { CanvasState } from './canvas-state.ts';
import { baseText, changeIcons, changeWord, countsOf, nowText, outcomeText } from './comparison-words.ts';

/** The legend of a comparison, above the drawing: both sides with their dates, what the marks mean, and its end. */
export function drawComparison({ compared }: CanvasState, { edits }: CanvasHandlers): TemplateResult | typeof nothing {
  if (!compared) return nothing;
  const { canvas, isOutdated } = compared;
  const [before, now] = [baseText(canvas), nowText(canvas)];
  return html`<section id="comparison" class=${isOutdated ? 'outdated' : ''} aria-label=${t('Comparison')}>
    <p class="sides" title=${`${before} → ${now}`}>
      ${icon('git-compare')}<span class="clip">${before} → ${now}</span>
    </p>
    ${isOutdated ? html`<p class="before-edits" role="status">${icon('warning')}${t('Before the latest edits')}</p>` : nothing}
    ${drawMarks(canvas)} ${isOutdated ? nothing : drawTotal(canvas)}
    <div class="buttons">
      ${
        isOutdated
          ? button(t('Compare Again'), () => edits.comparison('compareAgain'), {
              appearance: 'small',
              title: t('Saving the file compares again, too'),
            })
          : nothing
      }
      ${button(t('Show Numbers'), () => edits.comparison('showNumbers'), {
        appearance: 'small',
        title: t('List all numbers, with the edits that cause them'),
      })}
      ${button(t('Stop Comparing'), () => edits.comparison('stop'), { appearance: 'small' })}
    </div>
  </section>`;
}

function drawMarks(canvas: ComparedCanvas): TemplateResult {
  return html`<ul class="marks" aria-label=${t('Cards and lines')}>
    ${countsOf(canvas).map(
      ([kind, count]) =>
        html`<li class=${`change-${kind}`}>
          <span class="codicon codicon-${changeIcons[kind]}" aria-hidden="true"></span>${changeWord(kind)} ${count}
        </li>`,
    )}
  </ul>`;
}

function drawTotal(canvas: ComparedCanvas): TemplateResult {
  const said = outcomeText(canvas);
  return html`<p class="total" title=${said}><span class="clip">${said}</span></p>`;
}
