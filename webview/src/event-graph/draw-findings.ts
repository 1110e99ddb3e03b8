import { type TemplateResult, html, nothing } from 'lit';
import type { Finding, FindingExample, FindingsAnswer } from '../../../protocol/findings.ts';
import type { FindingKind } from '../../../protocol/shapes/finding-shapes.ts';
import { shareText } from '../../../protocol/rule-outcome.ts';
import { button } from '../ui/button.ts';
import { icon } from '../ui/icons.ts';
import { t } from '../ui/translate.ts';
import { drawNumber } from './draw-number.ts';
import { timeText, whenLoaded } from './draw-parts.ts';
import type { EventGraphActions, EventGraphState } from './event-graph-state.ts';

const titles: Readonly<Record<FindingKind, string>> = {
  'same-time-order': t('Order unknown: events at the same time'),
  'midnight-times': t('Times without time of day'),
  'dates-beside-times': t('Dates beside times'),
  'whole-hours': t('Times at whole hours'),
  'zone-shift': t('Another time zone'),
  'order-anomalies': t('An effect before its cause'),
  'duplicate-events': t('Events recorded twice'),
  'near-equal-labels': t('Names that are nearly equal'),
  'time-gap': t('A gap in time'),
  'number-gaps': t('Missing numbers'),
  'late-arrivals': t('Recorded late'),
  'truncated-cases': t('Entities that are cut off'),
  'dominant-entity': t('A key that is no key'),
  'exploded-keys': t('Keys that split one thing'),
  'almost-key': t('A column that is almost a key'),
  'changing-attribute': t('An attribute that rarely changes'),
  'batch-bursts': t('Bursts'),
  'duration-outliers': t('Waits apart from all others'),
  'shared-events': t('Events of several entities'),
  'diverging-events': t('Repeated by related entities'),
};

/** What is odd in the data, and the share of the map that it explains. */
export function drawFindings({ findings }: EventGraphState, actions: EventGraphActions): TemplateResult {
  return html`<section class="whole findings" aria-label=${t('Findings')}>
    <h2>${t('Findings')}</h2>
    ${whenLoaded(findings, actions, (answer) => drawAnswer(answer, actions))}
  </section>`;
}

function drawAnswer({ findings, stale }: FindingsAnswer, actions: EventGraphActions): TemplateResult {
  const open = findings.filter(({ accepted }) => accepted === undefined);
  const accepted = findings.filter((finding) => finding.accepted !== undefined);
  return html`${
    open.length === 0
      ? html`<p>${icon('pass')} ${t('Nothing is odd in the data.')}</p>`
      : html`<ul>
          ${open.map((finding) => drawFinding(finding, actions))}
        </ul>`
  }
  ${
    accepted.length === 0
      ? nothing
      : html`<details>
          <summary>${t('{0} accepted by the file', accepted.length.toLocaleString())}</summary>
          <ul>
            ${accepted.map((finding) => drawFinding(finding, actions))}
          </ul>
        </details>`
  }
  ${stale.map(
    ({ finding, element }) =>
      html`<p class="muted">
        ${t('The entry {0} of accepted is not needed any more.', [finding, element].filter(Boolean).join(', '))}
      </p>`,
  )}`;
}

function drawFinding(finding: Finding, actions: EventGraphActions): TemplateResult {
  const { kind, severity, message, remedy, explains, examples, accepted, fixes = [] } = finding;
  const isWarning = severity === 'warning';
  return html`<li class="finding">
    <details>
      <summary>
        ${icon('chevron-right')}
        <span
          class=${`outcome ${isWarning ? 'broken-warning' : 'unsure'}`}
          title=${isWarning ? t('Warning') : t('Information')}
          >${icon(isWarning ? 'warning' : 'info')}</span
        >
        <span class="finding-title">${titles[kind]} <span class="muted">${placeOf(finding)}</span></span>
        ${
          explains === null
            ? nothing
            : html`<span class="finding-share" title=${t('Share of the paths with one of its events')}
                ><span class="share-bar" aria-hidden="true"
                  ><i class="broken" .style=${`flex-grow: ${explains}`}></i
                  ><i .style=${`flex-grow: ${1 - explains}`}></i></span
                ><span class="muted">${t('{0} of the paths', shareText(explains))}</span></span
              >`
        }
        <span class="finding-message">${message}</span>
      </summary>
      ${drawFurtherShares(finding)}
      <p>${icon('lightbulb')} <span>${remedy}</span></p>
      ${fixes.map(
        (fix) =>
          html`${button(html`${icon('lightbulb-autofix')} ${fix.title}`, () => actions.mendFinding(fix), {
            appearance: 'labelled',
            title: t('Write it into the file; it takes effect with the next import'),
          })} `,
      )}
      ${
        accepted === undefined
          ? button(html`${icon('check')} ${t('This Is So…')}`, () => actions.acceptFinding(finding), {
              appearance: 'labelled',
              title: t('Write into the file why it is as it should be; it is not told again'),
            })
          : html`<p class="muted">${t('Accepted: {0}', accepted)}</p>`
      }
      ${
        examples.length === 0
          ? nothing
          : html`<ul class="violations" aria-label=${t('Examples')}>
              ${examples.map((example) => drawExample(example, actions))}
            </ul>`
      }
    </details>
  </li>`;
}

/** How many of the variants and of the broken rules have one of its events. */
function drawFurtherShares({ explainsVariants, explainsViolations }: Finding): TemplateResult | typeof nothing {
  const shares = [
    ...(explainsVariants === null ? [] : [t('{0} of the variants', shareText(explainsVariants))]),
    ...(explainsViolations === null ? [] : [t('{0} of the rule violations', shareText(explainsViolations))]),
  ];
  return shares.length === 0 ? nothing : html`<p class="muted">${t('Also in: {0}', shares.join(', '))}</p>`;
}

function drawExample({ entity, event }: FindingExample, actions: EventGraphActions): TemplateResult {
  return html`<li>
    ${
      entity
        ? html`<span class="who"
            >${button(html`${entity.type} ${entity.key}`, () => actions.openTimeline(entity.id), {
              appearance: 'bare',
              className: 'link',
              title: t('Show its timeline'),
            })}</span
          >`
        : nothing
    }
    ${event.activity}
    <span class="muted"
      >${drawNumber(timeText(event.time), { kind: 'event', id: event.id }, event.activity, actions, true)}</span
    >
  </li>`;
}

function placeOf({ element, column }: Finding): string {
  return [element, column].filter((name) => name !== null).join(' · ');
}
