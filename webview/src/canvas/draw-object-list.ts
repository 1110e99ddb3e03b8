import { type TemplateResult, html, nothing } from 'lit';
import type { DataObjectName } from '../../../protocol/canvas-intents.ts';
import { button } from '../ui/button.ts';
import { elapsedTime } from '../ui/elapsed-time.ts';
import { icon } from '../ui/icons.ts';
import { t } from '../ui/translate.ts';
import { virtualList } from '../ui/virtual-list.ts';
import { virtualTree } from '../ui/virtual-tree.ts';
import { objectFacts } from './object-facts.ts';
import { type ListedObject, type ListedSource, type ObjectRow, type SourceNote, nameOf } from './object-rows.ts';

const dragType = 'application/x-entity-graph-choice';

export interface ObjectListOptions {
  readonly id: 'available' | 'selected';
  readonly title: string;
  /** Data objects of one data source, or the rows of a tree of several. */
  readonly items: readonly ListedObject[] | { readonly rows: readonly ObjectRow[] };
  readonly total: number;
  readonly filter: string;
  readonly empty: TemplateResult;
  readonly filterLabel: string;
  readonly move: Move;
  /** Shown while the file is unreadable. */
  readonly locked: boolean;
  onFilter(text: string): void;
  onInfo(object: DataObjectName): void;
  onDrop(object: DataObjectName): void;
  onExpand?(source: ListedSource, expanded: boolean): void;
  /** Reads a data source whose data objects are not known. */
  onRead?(source: ListedSource): void;
  /** Stops reading a data source. */
  onStop?(source: ListedSource): void;
}

/** Button that moves a data object to the other list. */
interface Move {
  readonly verb: string;
  readonly icon: string;
  /** The label with the name of the data object. */
  label(name: string): string;
  run(object: DataObjectName): void;
}

const rowHeight = 40;

/** One of the two lists of the first step, with its filter. */
export function drawObjectList(options: ObjectListOptions): TemplateResult {
  const { id, title, total, filter, filterLabel, onFilter, onDrop } = options;
  const type = `${dragType}-${id === 'available' ? 'selected' : 'available'}`;
  return html`<section
    class="object-list"
    aria-label=${title}
    @dragover=${(event: DragEvent) => {
      if (event.dataTransfer?.types.includes(type)) event.preventDefault();
    }}
    @drop=${(event: DragEvent) => {
      const dropped = event.dataTransfer?.getData(type);
      if (dropped) onDrop(JSON.parse(dropped) as DataObjectName);
      event.preventDefault();
    }}
  >
    <h2>${title} <span class="muted">${total.toLocaleString('en')}</span></h2>
    <input
      class="input filter"
      type="search"
      placeholder=${t('Filter')}
      aria-label=${filterLabel}
      .value=${filter}
      @input=${(event: Event) => onFilter((event.target as HTMLInputElement).value)}
    />
    ${drawItems(options)}
  </section>`;
}

function drawItems(options: ObjectListOptions): TemplateResult {
  const { items, filter, empty, title, move, locked, onExpand } = options;
  if ('rows' in items) {
    if (items.rows.length === 0) return filter === '' ? empty : html`<p class="muted empty">${t('No match.')}</p>`;
    return virtualTree(title, items.rows, (row) => drawRow(row, options), {
      rowHeight,
      topOf: filter,
      keys: {
        act(row) {
          if (row.kind === 'source') onExpand?.(row.source, row.expanded !== true);
          else if (row.kind === 'note') actOnNote(row.source, row.note, options);
          else if (!locked) move.run(nameOf(row.object));
        },
        expand: (row, expanded) => row.kind === 'source' && onExpand?.(row.source, expanded),
      },
    });
  }
  if (items.length === 0 && filter === '') return empty;
  return virtualList(title, items, (object) => drawObject(object, options), { rowHeight, topOf: filter });
}

function drawRow(row: ObjectRow, options: ObjectListOptions): TemplateResult {
  if (row.kind === 'object') return drawObject(row.object, options);
  if (row.kind === 'note') return drawNote(row.source, row.note, options);
  const { source, expanded = false } = row;
  return html`<div
    class="object source"
    data-source=${source.name}
    @click=${() => options.onExpand?.(source, !expanded)}
  >
    ${icon(expanded ? 'chevron-down' : 'chevron-right')}
    <span class="names"
      ><span class="clip">${source.name}</span><span class="muted clip">${sourceFacts(source)}</span></span
    >
  </div>`;
}

function sourceFacts({ kind, objects, note }: ListedSource): string {
  const count = objects.length === 1 ? t('1 data object') : t('{0} data objects', objects.length.toLocaleString('en'));
  const known = note === undefined || note.kind === 'empty' ? count : undefined;
  return [kind, known].filter((part) => part !== undefined).join(' · ');
}

/** The action of the button of the row. */
function actOnNote(source: ListedSource, { kind }: SourceNote, { onRead, onStop }: ObjectListOptions): void {
  if (kind === 'reading') onStop?.(source);
  else if (kind !== 'empty') onRead?.(source);
}

function drawNote(source: ListedSource, note: SourceNote, options: ObjectListOptions): TemplateResult {
  const { words, more, verb } = noteTexts(source, note);
  return html`<div class="object note" role=${note.kind === 'failed' ? 'alert' : nothing}>
    ${icon(note.kind === 'reading' ? 'sync' : note.kind === 'failed' ? 'warning' : 'info')}
    <span class="names" title=${[words, more].filter(Boolean).join('\n')}
      ><span class="clip"
        >${words}${note.kind === 'reading' && note.since !== undefined ? html` ${elapsedTime(note.since)}` : nothing}</span
      >${more === undefined ? nothing : html`<span class="muted clip">${more}</span>`}</span
    >
    ${verb === undefined ? nothing : button(verb, () => actOnNote(source, note, options), { appearance: 'small', className: 'read-source' })}
  </div>`;
}

function noteTexts(
  { name }: ListedSource,
  note: SourceNote,
): { readonly words: string; readonly more?: string | undefined; readonly verb?: string } {
  switch (note.kind) {
    case 'reading':
      return {
        words: t('Reading the data objects of {0}…', name),
        more: note.step,
        verb: t('Cancel'),
      };
    case 'unread':
      return { words: t('Its data objects are not known yet.'), verb: t('Read Data Objects') };
    case 'failed': {
      const { message, remedy } = note.error;
      return { words: message, more: remedy, verb: t('Try Again') };
    }
    case 'empty':
      return { words: note.words };
  }
}

function drawObject(object: ListedObject, { id, move, locked, onInfo }: ObjectListOptions): TemplateResult {
  const { name } = object;
  const chosen = nameOf(object);
  return html`<div
    class="object"
    draggable=${locked ? 'false' : 'true'}
    @dragstart=${(event: DragEvent) => event.dataTransfer?.setData(`${dragType}-${id}`, JSON.stringify(chosen))}
    @dblclick=${() => !locked && move.run(chosen)}
  >
    ${icon('table')}
    <span class="names"
      ><span class="clip">${name}</span
      ><span class="muted clip">${object.unknownBecause ?? objectFacts(object)}</span></span
    >
    ${button(icon('info'), () => onInfo(chosen), { appearance: 'icon', title: t('Metadata'), label: t('Metadata of {0}', name) })}
    ${button(icon(move.icon), () => move.run(chosen), {
      appearance: 'icon',
      disabled: locked,
      title: locked ? t('The file cannot be read at the moment.') : move.verb,
      label: move.label(name),
    })}
  </div>`;
}
