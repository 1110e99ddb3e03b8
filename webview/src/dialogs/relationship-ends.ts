import { type TemplateResult, html } from 'lit';
import type { RelationshipValues } from '../../../protocol/canvas-intents.ts';
import { cardName } from '../../../protocol/card-name.ts';
import { relationshipFields } from '../../../protocol/fields/relationship.ts';
import type { CardView } from '../../../protocol/graph-view.ts';
import { combobox } from '../ui/combobox.ts';
import { labelOf, t } from '../ui/translate.ts';
import type { Sides } from './relationship-columns.ts';

/** The card at an end of a relationship; undefined where it names none. */
export function endOf(cards: readonly CardView[], name: string | undefined): CardView | undefined {
  return name === undefined ? undefined : cards.find((card) => cardName(card) === name);
}

export function endNames({ source, target }: RelationshipValues): Sides<string> {
  return { source: source ?? t('Unnamed Element'), target: target ?? t('Unnamed Element') };
}

interface EndOptions {
  readonly side: keyof Sides<string>;
  readonly name: string | undefined;
  readonly cards: readonly CardView[];
  readonly isConflicting: boolean;
  readonly problem: string | undefined;
  onChange(name: string): void;
}

/** The choice of the element or master data at an end. */
export function endField({ side, name, cards, isConflicting, problem, onChange }: EndOptions): TemplateResult {
  const isUnknown = endOf(cards, name) === undefined;
  const choices = cards.flatMap((card) => {
    const value = cardName(card);
    return value === undefined ? [] : [{ value, detail: card.dataObject ?? '' }];
  });
  return html`<div class=${isConflicting ? 'conflict' : ''}>
    ${combobox(labelOf(relationshipFields[side]), name ?? '', choices, onChange, {
      required: true,
      id: `relationship-${side}`,
      problem: problem ?? (isUnknown ? t('This names no element of the graph.') : undefined),
    })}
  </div>`;
}
