import { sentence } from '../../../protocol/sentence.ts';
import { type TemplateResult, html, nothing } from 'lit';
import type { TextRange } from '../../../protocol/query-results.ts';
import { button } from '../ui/button.ts';
import { elapsedTime } from '../ui/elapsed-time.ts';
import { icon } from '../ui/icons.ts';
import { t } from '../ui/translate.ts';
import type { ObjectsState } from './objects-state.ts';
import type { CatalogReader } from './catalog-reader.ts';

/** Opens a place in another file. */
type GoTo = (file: string, range: TextRange) => void;

/** Shows that the source is being read, or why it could not be read; empty when its data objects are known. */
export function drawReading(
  objects: ObjectsState,
  dataSource: string | undefined,
  reader: Pick<CatalogReader, 'load' | 'stop'>,
  goTo?: GoTo,
): TemplateResult | typeof nothing {
  if (objects.kind === 'known') return nothing;
  if (objects.kind === 'failed') return drawUnread(objects.error, reader, goTo);
  const title =
    dataSource === undefined
      ? t('Reading the data objects of the data source…')
      : t('Reading the data objects of {0}…', dataSource);
  return html`<div class="reading late" role="status">
    <p>
      ${icon('sync')}
      <span>${title}</span>
      ${objects.kind === 'loading' ? html`<span class="muted">${elapsedTime(objects.since)}</span>` : nothing}
    </p>
    ${objects.kind === 'loading' && objects.step !== undefined ? html`<p class="muted clip" title=${objects.step}>${objects.step}</p>` : nothing}
    ${button(t('Cancel'), reader.stop, { appearance: 'small', className: 'stop-reading' })}
  </div>`;
}

function drawUnread(
  error: Extract<ObjectsState, { kind: 'failed' }>['error'],
  reader: Pick<CatalogReader, 'load'>,
  goTo?: GoTo,
): TemplateResult {
  const { file, range } = error;
  return html`<div class="reading unread" role="alert">
    <p>${icon('warning')} <span>${sentence(error.message)} ${error.remedy ?? ''}</span></p>
    ${button(error.code === 'catalog-unknown' ? t('Read Data Objects') : t('Try Again'), () => reader.load(true), {
      appearance: 'small',
      className: 'read-again',
    })}
    ${
      goTo && file !== undefined && range
        ? button(t('Go to Data Source'), () => goTo(file, range), { appearance: 'small', className: 'go-to-source' })
        : nothing
    }
  </div>`;
}

export const readingStyles = `
.reading { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 12px; padding: 8px; border: 1px solid var(--eg-line); border-radius: 4px; }
.reading p { display: flex; flex: 0 1 auto; gap: 6px; align-items: baseline; min-width: 0; overflow-wrap: anywhere; }
.reading p .codicon { align-self: center; }
.reading .button { margin-left: auto; }
.reading .codicon-sync { animation: turn 1.5s linear infinite; }
.reading .codicon-warning { color: var(--eg-warning); }
eg-elapsed { font-variant-numeric: tabular-nums; white-space: nowrap; }
@keyframes turn { to { transform: rotate(360deg); } }
`;
