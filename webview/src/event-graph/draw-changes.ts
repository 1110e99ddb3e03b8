import { type TemplateResult, html, nothing } from 'lit';
import {
  type ChangeKind,
  type ChangePart,
  type GraphChanges,
  type NamedChange,
  kindsOfPart,
} from '../../../protocol/graph-changes.ts';
import { t } from '../ui/translate.ts';

/** The parts that no other table of the page shows, in order. */
const titles = {
  events: t('Events of elements'),
  values: t('Values'),
  entries: t('Master data'),
  versions: t('Values with times'),
  correlations: t('Correlations'),
  paths: t('Directly follows'),
  variants: t('Cases by variant'),
  rules: t('Violations of rules'),
} as const satisfies Partial<Record<ChangePart, string>>;

const kindTitles: Readonly<Record<ChangeKind, string>> = {
  new: t('New'),
  gone: t('Vanished'),
  moved: t('Moved'),
  changed: t('Changed'),
  broken: t('No longer holds'),
  mended: t('Holds again'),
};

/** Maximum number of rows of one table. */
const shownRows = 50;

/** What differs between two graphs in detail, a table for each part in which something does. */
export function drawChanges(changes: GraphChanges): readonly TemplateResult[] {
  const parts = Object.keys(titles) as (keyof typeof titles)[];
  return parts.flatMap((part) => (changes[part].length === 0 ? [] : [drawPart(part, changes[part])]));
}

function drawPart(part: keyof typeof titles, changes: readonly NamedChange[]): TemplateResult {
  const kinds: readonly ChangeKind[] = kindsOfPart[part];
  const shown = kinds.filter((kind) => changes.some((change) => (change[kind] ?? 0) > 0));
  const more = changes.length - shownRows;
  return html`<section>
    <h2>${titles[part]}</h2>
    <table>
      <thead>
        <tr>
          <th scope="col">${t('Name')}</th>
          <th scope="col">${t('Before')}</th>
          <th scope="col">${t('Now')}</th>
          ${shown.map((kind) => html`<th scope="col">${kindTitles[kind]}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${changes.slice(0, shownRows).map(
          (change) =>
            html`<tr>
              <th scope="row">${change.name}</th>
              <td>${change.before.toLocaleString()}</td>
              <td>${change.after.toLocaleString()}</td>
              ${shown.map((kind) => html`<td>${countText(change[kind])}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
    ${more > 0 ? html`<p class="muted">${t('{0} more', more.toLocaleString())}</p>` : nothing}
  </section>`;
}

function countText(count = 0): string {
  return count === 0 ? '' : count.toLocaleString();
}
