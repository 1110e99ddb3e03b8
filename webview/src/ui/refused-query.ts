import { type TemplateResult, html } from 'lit';
import type { RefusedQuery } from '../../../protocol/query-results.ts';
import { t } from './translate.ts';

/** Title of a rejected query, and the line of its error. */
export function refusedQueryTitle({ sql, place }: RefusedQuery): string {
  const line = place && sql.slice(0, place.start).split('\n').length;
  return line === undefined ? t('The query that ran') : t('The query that ran, with its error in line {0}', line);
}

/** The executed query with the rejected part underlined. @param labelledBy id of its title. */
export function drawRefusedQuery({ sql, place }: RefusedQuery, labelledBy: string): TemplateResult {
  const text = place
    ? html`${sql.slice(0, place.start)}<mark class="offending">${sql.slice(place.start, place.end)}</mark
        >${sql.slice(place.end)}`
    : sql;
  // The template must not add line breaks to those of the query.
  return html`<pre class="query" tabindex="0" role="region" aria-labelledby=${labelledBy}><code>${text}</code></pre>`;
}

/** Scrolls the query to its error without scrolling the page. */
export function showOffending(within: ParentNode): void {
  const offending = within.querySelector<HTMLElement>('.offending');
  const query = offending?.closest<HTMLElement>('.query');
  if (offending && query) query.scrollTop = offending.offsetTop - query.clientHeight / 2;
}

export const refusedQueryStyles = `
.query { position: relative; flex: 0 1 auto; align-self: stretch; min-height: 4lh; margin: 0; padding: 8px 12px; overflow: auto; border: 1px solid var(--eg-line); border-radius: 4px;
  background: var(--vscode-textCodeBlock-background, transparent); font-family: var(--vscode-editor-font-family, monospace); user-select: text; }
.query .offending { background: none; color: inherit; text-decoration: underline wavy var(--eg-error); text-underline-offset: 3px; }
`;
