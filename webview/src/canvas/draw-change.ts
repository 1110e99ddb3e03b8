import { type TemplateResult, html, nothing } from 'lit';
import type { EntryChange } from '../../../protocol/graph-view.ts';
import { t } from '../ui/translate.ts';
import type { CanvasHandlers } from './canvas-edits.ts';
import { changeIcons, changeTitle, changeWord } from './comparison-words.ts';

/** What a comparison says of an entry, with what its edits do as the tooltip. */
export function drawChange(
  change: EntryChange | undefined,
  { edits }: CanvasHandlers,
): TemplateResult | typeof nothing {
  if (!change) return nothing;
  const { kind, entry, text } = change;
  const title = [changeTitle(change), t('Click to show the numbers')].join('\n');
  // A double click shows them once.
  const show = ({ detail }: MouseEvent): void => {
    if (detail < 2) edits.comparison('showNumbers', entry);
  };
  return html`<div class="line change" title=${title} @click=${show}>
    <span class="codicon codicon-${changeIcons[kind]}" aria-hidden="true"></span
    ><span class="unseen">${`${t('{0} since the base:', changeWord(kind))} `}</span><span class="clip">${text}</span>
  </div>`;
}
