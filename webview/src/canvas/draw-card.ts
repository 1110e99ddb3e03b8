import { type TemplateResult, html, nothing } from 'lit';
import { type TimeRole, elementFields } from '../../../protocol/fields/element.ts';
import type { CardView } from '../../../protocol/graph-view.ts';
import { exclamationMark, icon } from '../ui/icons.ts';
import { t } from '../ui/translate.ts';
import { screenReaderText } from '../ui/screen-reader-text.ts';
import { identityOfCard, listNames, timesOfCard } from './card-content.ts';
import { drawChange } from './draw-change.ts';
import type { CanvasHandlers } from './canvas-edits.ts';
import { keyOf } from './view-key.ts';
import type { Box } from './geometry.ts';
import type { PlacedCard } from './picture.ts';

/** State of a card or label for selection and keyboard. */
export interface StopState {
  /** Colour of its entity type. */
  readonly colour?: string | undefined;
  readonly selected: boolean;
  /** Whether it is the tab stop. */
  readonly tabStop: boolean;
  /** Its box while only names are shown, where it is larger. */
  readonly larger?: Box | undefined;
  /** Its name has no room. */
  readonly nameless?: boolean | undefined;
}

/** The mark of an error or a warning; they differ in shape, too. */
export function severityMark(severity: 'error' | 'warning' | undefined): TemplateResult | typeof nothing {
  if (severity === undefined) return nothing;
  return severity === 'error' ? exclamationMark() : html`<span class="warning-mark">${icon('warning')}</span>`;
}

/** The card of an element or of master data; Enter or a double click opens its dialog. */
export function drawCard(
  card: PlacedCard,
  { selected, tabStop, colour, larger, nameless }: StopState,
  hands: CanvasHandlers,
): TemplateResult {
  const { element, content, box } = card;
  const key = keyOf.element(element.id);
  const unconfigured = element.unconfigured !== undefined;
  const { severity } = content;
  const contextText = content.processContext ? t('Process context: {0}', content.processContext) : t('Process context');
  return html`<li>
    <div
      class=${`card ${selected ? 'selected' : ''} ${severity ?? ''} ${content.isMasterData ? 'master-data' : ''} ${content.change ? `change-${content.change.kind}` : ''} ${nameless ? 'nameless' : ''}`}
      data-key=${key}
      .style=${`${styleOf(larger ?? box)}${colour === undefined ? '' : `; --type: ${colour}`}`}
      role="button"
      tabindex=${tabStop ? '0' : '-1'}
      aria-current=${selected ? 'true' : nothing}
      @click=${selectBy(key, hands)}
      @dblclick=${() => hands.edits.configure(key)}
      @focus=${revealByKeyboard(key, hands)}
    >
      <div class="line title">
        ${severityMark(severity)}
        ${content.isMasterData ? html`${icon('database')}${screenReaderText(`${t('Master Data')} `)}` : nothing}
        <span class=${`clip ${content.unnamed ? 'unnamed' : ''}`} title=${content.title}>${content.title}</span>
        ${
          content.processContext === undefined
            ? nothing
            : html`<span class="context" title=${contextText}>${icon('book')}${screenReaderText(contextText)}</span>`
        }
      </div>
      ${drawObject(card)} ${drawIdentity(card)} ${drawTimes(card)} ${drawActivities(card)}
      ${drawLine('list-unordered', content.properties, t('Properties'), allProperties(element))}
      ${drawLine('pulse', content.importedBeside === undefined ? content.imported : undefined, t('Last import'))}
      ${drawChange(content.change, hands)} ${drawAbout(element)}
      ${
        content.problem !== undefined
          ? html`<div
              class=${`problem ${element.problems ? 'fixable' : ''}`}
              title=${[element.unconfigured?.message, ...(element.problems ?? []).map(({ message }) => message)].filter(Boolean).join('\n')}
              .style=${`-webkit-line-clamp: ${content.problemLines}; line-clamp: ${content.problemLines}`}
              @click=${element.problems ? (event: MouseEvent) => void hands.edits.offerFixes(key, { x: event.clientX, y: event.clientY }) : nothing}
            >
              ${element.problems ? icon('lightbulb') : nothing}
              ${screenReaderText(`${unconfigured ? t('Unconfigured:') : severity === 'warning' ? t('Warning:') : t('Error:')} `)}${content.problem}${content.moreProblems === undefined ? nothing : html` <span class="more">${t('{0} more', content.moreProblems)}</span>`}
            </div>`
          : nothing
      }
    </div>
  </li>`;
}

/** In words what the lines to entity types show. */
function drawAbout(card: CardView): TemplateResult | typeof nothing {
  const rows = card.isMasterData ? [] : (card.values.correlatesWith ?? []);
  const types = rows.flatMap(({ entityType }) => entityType ?? []);
  return types.length === 0 ? nothing : screenReaderText(t('Each row is also about: {0}', types.join(', ')));
}

function allProperties({ properties, allProperties }: CardView): string {
  return allProperties ? t('all properties') : properties.join(', ');
}

/** Sets the position by script, because the content security policy forbids style attributes. */
export function styleOf({ x, y, width, height }: Box): string {
  return `left: ${x}px; top: ${y}px; width: ${width}px; height: ${height}px`;
}

/** A click selects; with Ctrl or Shift it toggles. */
export function selectBy(key: string, { actions }: CanvasHandlers): (event: MouseEvent) => void {
  return (event) => actions.select(key, { add: event.ctrlKey || event.metaKey || event.shiftKey });
}

/** Only keyboard focus scrolls the canvas: with the mouse nothing may move between two clicks. */
export function revealByKeyboard(key: string, { actions }: CanvasHandlers): (event: FocusEvent) => void {
  return ({ currentTarget }) => {
    if ((currentTarget as Element).matches(':focus-visible')) actions.reveal(key);
  };
}

/** The data object, and beside it the counts of the last import. */
function drawObject({ content }: PlacedCard): TemplateResult | typeof nothing {
  const { dataObject, imported, importedBeside } = content;
  if (importedBeside === undefined) return drawLine('table', dataObject, t('Data Object'));
  return html`<div class="line detail">
    ${drawPart('table', dataObject, t('Data Object'))}
    <span class="imported" title=${t('{0}: {1}', t('Last import'), imported ?? '')}
      ><span class="codicon codicon-pulse" aria-hidden="true"></span
      ><span class="unseen">${`${t('Last import')} ${imported ?? ''}`}</span
      ><span class="clip" aria-hidden="true">${importedBeside}</span></span
    >
  </div>`;
}

/** The activity column, and after an import its activities. */
function drawActivities({ element, content }: PlacedCard): TemplateResult | typeof nothing {
  const { activityColumn: column, activities } = content;
  const { names = [], count = 0 } = element.imported?.activities ?? {};
  if (column === undefined || activities === undefined) return drawLine('symbol-event', column, t('Activity Column'));
  const all = t('{0}: {1}', column, listNames(names, names.length, count));
  return drawLine('symbol-event', activities, t('Activity Column'), all);
}

function drawIdentity({ content }: PlacedCard): TemplateResult | typeof nothing {
  if (identityOfCard(content).length === 0) return nothing;
  return html`<div class="line detail">
    ${drawPart('symbol-class', content.entityType, t('Entity Type'))} ${drawPart('key', content.key, t('Key'))}
  </div>`;
}

function drawTimes({ element, content }: PlacedCard): TemplateResult | typeof nothing {
  if (timesOfCard(content).length === 0) return nothing;
  const drawTime = (iconName: string, role: TimeRole, meaning: string) =>
    drawPart(iconName, content[role], meaning, sqlOfTime(element, role));
  return html`<div class="line detail">
    ${drawTime('clockface', 'startTimestamp', t('Start Timestamp'))}
    ${drawTime('sync', 'changeTimestamp', t('Change Timestamp'))}
    ${drawTime('pass', 'endTimestamp', t('End Timestamp'))}
  </div>`;
}

/** The whole SQL of a computed time, of which the card shows the columns. */
function sqlOfTime(card: CardView, role: TimeRole): string | undefined {
  return card.isMasterData ? undefined : card.values[elementFields[role].expression];
}

/** Icon and words are part of the template: a large graph has thousands of lines, and each template takes its time. */
function drawPart(
  iconName: string,
  text: string | undefined,
  meaning: string,
  full = text,
): TemplateResult | typeof nothing {
  if (text === undefined || full === undefined) return nothing;
  return html`<span class="time clip" title=${t('{0}: {1}', meaning, full)}
    ><span class="codicon codicon-${iconName}" aria-hidden="true"></span><span class="unseen">${`${meaning} `}</span
    ><span class="clip">${text}</span></span
  >`;
}

function drawLine(
  iconName: string,
  text: string | undefined,
  meaning: string,
  full = text,
): TemplateResult | typeof nothing {
  if (text === undefined || full === undefined) return nothing;
  const [hidden, spoken] = full === text ? ['false', `${meaning} `] : ['true', `${meaning} ${full}`];
  return html`<div class="line detail" title=${t('{0}: {1}', meaning, full)}>
    <span class="codicon codicon-${iconName}" aria-hidden="true"></span><span class="unseen">${spoken}</span
    ><span class="clip" aria-hidden=${hidden}>${text}</span>
  </div>`;
}
