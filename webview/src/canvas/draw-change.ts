import { type TemplateResult, html, nothing } from 'lit';
import type { EntryChange } from '../../../protocol/graph-view.ts';
import { t } from '../ui/translate.ts';
import { changeIcons, changeTitle, changeWord } from './comparison-words.ts';

/** What a comparison says of an entry, with what its edits do as the tooltip. */
export function drawChange(change: EntryChange | undefined): TemplateResult | typeof nothing {
  if (!change) return nothing;
  const { kind, text } = change;
  return html`<div class="line change" title=${changeTitle(change)}>
    <span class="codicon codicon-${changeIcons[kind]}" aria-hidden="true"></span
    ><span class="unseen">${`${t('{0} since the base:', changeWord(kind))} `}</span><span class="clip">${text}</span>
  </div>`;
}
