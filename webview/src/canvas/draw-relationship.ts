import { type TemplateResult, html, nothing } from 'lit';
import { icon } from '../ui/icons.ts';
import { t } from '../ui/translate.ts';
import { screenReaderText } from '../ui/screen-reader-text.ts';
import { matchedTexts } from './matched-share.ts';
import { changeTitle } from './comparison-words.ts';
import { drawChange } from './draw-change.ts';
import type { CanvasHandlers } from './canvas-edits.ts';
import { keyOf } from './view-key.ts';
import { type StopState, revealByKeyboard, selectBy, severityMark, styleOf } from './draw-card.ts';
import type { PlacedRelationship } from './picture.ts';

/** The label of a relationship, or its cross table between two lines; markers for missing ends. */
export function drawRelationship(
  placed: PlacedRelationship,
  ends: string,
  { selected, tabStop, larger, nameless }: StopState,
  hands: CanvasHandlers,
): TemplateResult {
  const { relationship, label, labelBox, missingEnds } = placed;
  const key = keyOf.relationship(relationship.id);
  const draft = relationship.draft !== undefined;
  const kind = `${label.crossTable === undefined ? 'label' : 'cross'} ${draft ? 'draft' : (label.severity ?? '')} ${selected ? 'selected' : ''} ${label.change ? `change-${label.change.kind}` : ''} ${nameless ? 'nameless' : ''}`;
  return html`<li>
    <div
      class=${`relationship ${kind}`}
      data-key=${key}
      .style=${styleOf(larger ?? labelBox)}
      role="button"
      tabindex=${tabStop ? '0' : '-1'}
      aria-current=${selected ? 'true' : nothing}
      title=${[
        relationship.draft?.message,
        ...(relationship.problems ?? []).map(({ message }) => message),
        ...(draft ? [] : [relationship.name, label.crossTable, label.detail, label.imported]),
        ...(label.change ? [changeTitle(label.change)] : []),
        ...(draft || label.change || !relationship.imported ? [] : matchedTexts(relationship.imported)),
      ]
        .filter(Boolean)
        .join('\n')}
      @click=${selectBy(key, hands)}
      @dblclick=${() => hands.edits.configure(key)}
      @focus=${revealByKeyboard(key, hands)}
    >
      <div class="line title">
        ${severityMark(label.severity)}<span class="clip">${label.name}</span><span class="unseen">${ends}</span>
      </div>
      ${
        label.crossTable === undefined
          ? nothing
          : html`<div class="line detail">
              ${icon('table')}${screenReaderText(`${t('through cross table')} `)}<span class="clip"
                >${label.crossTable}</span
              >
            </div>`
      }
      ${label.detail === undefined ? nothing : html`<div class="line detail"><span class="unseen">${`${draft ? t('Draft:') : relationship.steps ? t('path through') : t('joined by')} `}</span><span class="clip">${label.detail}</span></div>`}
      ${label.imported === undefined ? nothing : html`<div class="line detail"><span class="clip">${label.imported}</span></div>`}
      ${drawChange(label.change, hands)}
      ${label.problem === undefined ? nothing : html`<div class="line problem"><span class="clip">${label.problem}</span></div>`}
    </div>
    ${missingEnds.map(
      (box) =>
        html`<div
          class="missing"
          .style=${styleOf(box)}
          title=${t('This end names no element of the graph.')}
          aria-hidden="true"
        >
          ?
        </div>`,
    )}
  </li>`;
}
