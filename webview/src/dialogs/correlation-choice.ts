import { type TemplateResult, html } from 'lit';
import { cardName } from '../../../protocol/card-name.ts';
import type { CardView } from '../../../protocol/graph-view.ts';
import { dropdown } from '../ui/controls.ts';
import { t } from '../ui/translate.ts';

const choices = ['both', 'source', 'target', 'none'] as const;

interface Ends {
  readonly source: CardView | undefined;
  readonly target: CardView | undefined;
}

/** Which events of a relationship are correlated with the entities of the other end, explained for this graph. */
export function correlationChoice(
  correlate: string,
  ends: Ends,
  onChange: (correlate: string) => void,
): TemplateResult {
  const words = choices.map((choice) => choiceName(choice, ends));
  const chosen = choices.find((choice) => choice === correlate) ?? 'both';
  return html`<div class="stacked correlation-choice">
    <span class="field-label">${t('Correlate events of')}</span>
    ${dropdown(t('Correlate events of'), choiceName(chosen, ends), words, (text) =>
      onChange(choices[words.indexOf(text)] ?? 'both'),
    )}
    <p class="muted" id="correlation-text">${correlationText(chosen, ends)}</p>
  </div>`;
}

function choiceName(choice: (typeof choices)[number], { source, target }: Ends): string {
  if (choice === 'both') return t('Both ends');
  if (choice === 'none') return t('Neither end');
  const name = nameOf(choice === 'source' ? source : target);
  if (nameOf(source) !== nameOf(target)) return name;
  return choice === 'source' ? t('{0} (source)', name) : t('{0} (target)', name);
}

/** Such as `Events of Place Order also belong to its customer`. */
function correlationText(correlate: (typeof choices)[number], { source, target }: Ends): string {
  const [from, to] = [nameOf(source), nameOf(target)];
  const [fromType, toType] = [typeOf(source), typeOf(target)];
  switch (correlate) {
    case 'source':
      return t('Events of {0} also belong to its {1}', from, toType);
    case 'target':
      return t('Events of {0} also belong to its {1}', to, fromType);
    case 'both':
      return t('Events of {0} also belong to its {1}, and those of {2} to its {3}', from, toType, to, fromType);
    case 'none':
      return t('Events of {0} and {1} belong to their own entities only', from, to);
  }
}

function nameOf(card: CardView | undefined): string {
  return (card && cardName(card)) ?? t('Unnamed Element');
}

function typeOf(card: CardView | undefined): string {
  return card?.values.entityType ?? card?.dataObject ?? t('entity');
}
