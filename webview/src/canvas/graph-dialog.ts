import { type TemplateResult, html, nothing } from 'lit';
import type { GraphEntry, GraphListName, GraphParts, GraphTextName } from '../../../protocol/graph-parts.ts';
import { dialogHeader } from '../dialogs/dialog-header-footer.ts';
import { button } from '../ui/button.ts';
import { type Choice, combobox } from '../ui/combobox.ts';
import { textArea, textField } from '../ui/controls.ts';
import { icon } from '../ui/icons.ts';
import { type Modal, createModal } from '../ui/modal.ts';
import { t } from '../ui/translate.ts';
import { otherSourcesOf } from './canvas-state.ts';
import type { EditHands } from './canvas-edits.ts';

/** The dialog of what a graph has besides data objects, cards and relationships. */
export interface GraphDialog {
  open(): void;
  /** The text has changed. */
  follow(): void;
}

type Hands = Pick<EditHands, 'ask' | 'edit' | 'goToText' | 'state'>;

/** An open dialog. */
interface Opened {
  readonly hands: Hands;
  readonly modal: Modal;
  parts: GraphParts | undefined;
  /** Texts that are not written yet: they are when their field is left, and stay while the edit is refused. */
  readonly typed: Map<GraphTextName, Typed>;
}

interface Typed {
  readonly text: string;
  state: 'open' | 'sent' | 'refused';
}

/** Texts are edited in the dialog; entries are shown, added and removed there, and edited in their text beside it. */
export function createGraphDialog(hands: Hands): GraphDialog {
  let opened: Opened | undefined;
  return {
    open() {
      if (opened) return;
      // A refused text can be mended; closing once more drops it.
      const close = async (): Promise<void> => {
        if (!opened || !(await writeTyped(opened))) return;
        opened = undefined;
        modal.close();
      };
      const modal = createModal({
        className: 'dialog graph-dialog',
        labelledBy: 'graph-dialog-title',
        draw: () => (opened ? drawDialog(opened, () => void close()) : html``),
        onCancel: () => void close(),
      });
      opened = { hands, modal, parts: undefined, typed: new Map() };
      modal.open();
      void load(opened);
    },
    follow() {
      if (!opened) return;
      for (const typed of opened.typed.values()) if (typed.state === 'refused') typed.state = 'open';
      void load(opened);
    },
  };
}

/** While the text has a syntax error, the last parts stay. */
async function load(dialog: Opened): Promise<void> {
  const { hands, modal } = dialog;
  const outcome = hands.state().stale ? undefined : await hands.ask('graphParts', {});
  if (!modal.element.isConnected) return;
  if (outcome?.ok && outcome.value && !hands.state().stale) dialog.parts = outcome.value;
  modal.update();
}

/** Returns whether nothing was refused by this. */
async function writeTyped(dialog: Opened): Promise<boolean> {
  const written = await Promise.all([...dialog.typed].map(([field, typed]) => write(dialog, field, typed)));
  return written.every((each) => each);
}

async function write({ typed, parts, hands, modal }: Opened, field: GraphTextName, one: Typed): Promise<boolean> {
  if (one.state !== 'open') return true;
  one.state = 'sent';
  const isChanged = one.text !== (parts?.texts[field] ?? '');
  if (isChanged) await hands.edit({ kind: 'setGraphText', field, text: one.text }, t('Changed. Undo brings it back.'));
  if (isChanged && hands.state().failure !== undefined) {
    one.state = 'refused';
    if (modal.element.isConnected) modal.update();
    return false;
  }
  if (typed.get(field) === one) typed.delete(field);
  return true;
}

async function add(dialog: Opened, list: GraphListName): Promise<void> {
  const count = dialog.parts?.entries[list].length ?? 0;
  await dialog.hands.edit({ kind: 'addGraphEntry', list }, t('Added. Undo takes it back.'));
  await load(dialog);
  const added = dialog.parts?.entries[list][count];
  if (added) dialog.hands.goToText(added.range);
}

function drawDialog(dialog: Opened, close: () => void): TemplateResult {
  const { parts, hands } = dialog;
  const { stale, failure } = hands.state();
  return html`
    ${dialogHeader('graph-dialog-title', t('Entity Graph'), close)}
    <div class="body">
      ${stale || failure ? html`<p class="notice" role="alert">${icon('warning')} ${stale ? unreadable : failure?.message}</p>` : nothing}
      ${
        parts
          ? html`<div class="parts" ?inert=${stale !== undefined}>
              ${drawTexts(dialog, parts)} ${lists().map((list) => drawList(dialog, list, parts.entries[list.name]))}
            </div>`
          : nothing
      }
    </div>
    <footer>
      <span class="space"></span>
      ${button(t('Close'), close, { appearance: 'primary', autofocus: true })}
    </footer>
  `;
}

const unreadable = t(
  'The file cannot be read at the moment, so nothing can be changed here. Correct the error in the text first.',
);

function drawTexts(dialog: Opened, { texts }: GraphParts): TemplateResult {
  const { hands, typed } = dialog;
  const { view } = hands.state();
  const valueOf = (field: GraphTextName): string => typed.get(field)?.text ?? texts[field] ?? '';
  const type = (field: GraphTextName) => (text: string) => {
    typed.set(field, { text, state: 'open' });
  };
  const sources: readonly Choice[] = [
    ...(view?.dataSource === undefined ? [] : [{ value: view.dataSource }]),
    ...otherSourcesOf(hands.state()).map(({ name, kind }) => ({ value: name, detail: kind })),
  ];
  return html`<div class="columns" @change=${() => void writeTyped(dialog)} @focusout=${() => void writeTyped(dialog)}>
    ${textField(t('Name'), valueOf('name'), type('name'), { id: 'graph-name' })}
    ${combobox(
      t('Data Source'),
      valueOf('dataSource'),
      sources,
      (text) => {
        type('dataSource')(text);
        void writeTyped(dialog);
      },
      { id: 'graph-data-source' },
    )}
    <div class="whole">
      ${textArea(t('Description'), valueOf('description'), type('description'), { id: 'graph-description' })}
    </div>
  </div>`;
}

interface ListWords {
  readonly name: GraphListName;
  readonly title: string;
  readonly none: string;
  readonly addLabel: string;
}

function lists(): readonly ListWords[] {
  return [
    {
      name: 'rules',
      title: t('Process Rules'),
      none: t('What the process should do, judged after each import.'),
      addLabel: t('Add Process Rule'),
    },
    {
      name: 'measures',
      title: t('Measures'),
      none: t('Numbers of the process, such as lead times, with targets.'),
      addLabel: t('Add Measure'),
    },
    {
      name: 'guards',
      title: t('Guards'),
      none: t('What an import may lose at most, compared with the last whole one.'),
      addLabel: t('Add Guard'),
    },
    {
      name: 'accepted',
      title: t('Accepted Findings'),
      none: t('What is odd in the data and as it should be, so that it is not told again.'),
      addLabel: t('Add Accepted Finding'),
    },
    {
      name: 'calendars',
      title: t('Calendars'),
      none: t('Working times, by which durations of measures count.'),
      addLabel: t('Add Calendar'),
    },
    {
      name: 'import',
      title: t('Import'),
      none: t('The graph is built in a file of this project.'),
      addLabel: t('Add Import Settings'),
    },
  ];
}

function drawList(
  dialog: Opened,
  { name: list, title, none, addLabel }: ListWords,
  entries: readonly GraphEntry[],
): TemplateResult {
  const isFull = list === 'import' && entries.length > 0;
  return html`<section class="graph-list" data-list=${list} aria-label=${title}>
    <div class="row">
      <h3>${title}</h3>
      <span class="space"></span>
      ${isFull ? nothing : button(html`${icon('add')} ${t('Add')}`, () => void add(dialog, list), { appearance: 'small', label: addLabel })}
    </div>
    ${
      entries.length === 0
        ? html`<p class="muted">${none}</p>`
        : html`<ul>
            ${entries.map((entry, index) => drawEntry(dialog, list, entry, index))}
          </ul>`
    }
  </section>`;
}

function drawEntry({ hands }: Opened, list: GraphListName, entry: GraphEntry, index: number): TemplateResult {
  const name = entry.name || entry.detail;
  return html`<li class="graph-entry">
    ${button(html`<span class="clip">${name}</span>`, () => hands.goToText(entry.range), {
      appearance: 'bare',
      className: 'clip',
      title: t('Edit its text beside the canvas'),
    })}
    <span class="muted clip" title=${entry.detail}>${entry.name === '' ? '' : entry.detail}</span>
    ${button(icon('edit'), () => hands.goToText(entry.range), { appearance: 'icon', title: t('Edit its text beside the canvas'), label: t('Edit {0}', name) })}
    ${button(icon('trash'), () => void hands.edit({ kind: 'removeGraphEntry', list, index }, t('Deleted. Undo brings it back.')), { appearance: 'icon', className: 'trash', title: t('Delete'), label: t('Delete {0}', name) })}
  </li>`;
}
