import { type TemplateResult, html, nothing } from 'lit';
import type { Failure, RefusedQuery } from '../../../protocol/query-results.ts';
import { button } from '../ui/button.ts';
import { icon } from '../ui/icons.ts';
import { drawRefusedQuery, refusedQueryTitle } from '../ui/refused-query.ts';
import { t, tParts } from '../ui/translate.ts';
import type { ResultsActions } from './results-state.ts';

/** A failure with its remedy and a link to its position. */
export function drawFailure(failure: Failure, actions: ResultsActions): TemplateResult {
  if (isCancelled(failure)) return drawCancelled();
  const { message, remedy, file, range, query } = failure;
  return html`<section class="instead failure" id="failure" aria-label=${t('The query failed')}>
    <div class="reason" role="alert">
      <h2>${t('The query failed')}</h2>
      <p class="message">${message}</p>
      ${remedy === undefined ? nothing : html`<p class="remedy">${icon('lightbulb')} <span>${remedy}</span></p>`}
    </div>
    ${
      range === undefined
        ? nothing
        : html`<div class="buttons">
              ${button(html`${icon('go-to-file')} ${t('Go to Text')}`, () => actions.goTo(range, file), { appearance: 'primary' })}
            </div>
            <p class="muted">${placeText(file, range.start.line + 1)}</p>`
    }
    ${query ? drawQuery(query) : nothing}
  </section>`;
}

function drawQuery(query: RefusedQuery): TemplateResult {
  return html`<h3 id="query-title">${refusedQueryTitle(query)}</h3>
    ${drawRefusedQuery(query, 'query-title')}`;
}

/** A cancellation arrives as a failure, but is not shown as one. */
export function isCancelled({ code }: Failure): boolean {
  return code === 'cancelled';
}

function drawCancelled(): TemplateResult {
  return html`<section class="instead" id="cancelled" aria-label=${t('Cancelled')}>
    <h2>${t('Cancelled')}</h2>
    <p>
      ${t('The query was stopped before its rows came.')}
      ${tParts('Run {0} again to see them.', html`<strong>${t('Test Query')}</strong>`)}
    </p>
  </section>`;
}

/** @param line 1-based. */
function placeText(file: string | undefined, line: number): string {
  const name = file?.split(/[\\/]/).at(-1);
  return name ? t('{0}, line {1}', decoded(name), line) : t('line {0}', line);
}

/** A file may be a path or a URI. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
