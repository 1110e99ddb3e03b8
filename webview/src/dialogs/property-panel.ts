import { type TemplateResult, html } from 'lit';
import type { ColumnView } from '../../../protocol/canvas-intents.ts';
import { button } from '../ui/button.ts';
import { combobox } from '../ui/combobox.ts';
import { icon } from '../ui/icons.ts';
import { screenReaderText } from '../ui/screen-reader-text.ts';
import { t } from '../ui/translate.ts';
import { columnChoices, columnDetail } from './column-choices.ts';

const dragType = 'application/x-entity-graph-property';

interface PropertyPanelOptions {
  readonly side: 'source' | 'target';
  readonly name: string;
  readonly dataObject: string;
  readonly columns: readonly ColumnView[];
  /** Displayed names: keys, mapped and added columns. */
  readonly shown: readonly string[];
  /** Names that a mapping uses. */
  readonly mapped: ReadonlySet<string>;
  /** The property picked first. */
  readonly picked: string | undefined;
  onAdd(name: string): void;
  onPick(name: string): void;
  onDrop(other: string, name: string): void;
}

/** One side of a relationship: its properties, mapped by dragging or by picking one on each side. */
export function propertyPanel(options: PropertyPanelOptions): TemplateResult {
  const { side, name, dataObject, columns, shown, onAdd } = options;
  const words = sideWords(side, name);
  const rest = columns.filter((column) => !shown.includes(column.name));
  return html`<section class="side" aria-label=${words.label}>
    <h3><span class="muted">${words.title}</span> <span class="clip">${name}</span></h3>
    <p class="muted clip">${icon('table')} ${dataObject}</p>
    <ul aria-label=${words.properties}>
      ${shown.map((each) => drawProperty(each, columns, options))}
    </ul>
    ${combobox(words.add, '', columnChoices(rest), onAdd, {
      unseenLabel: true,
      placeholder: t('Add Property…'),
      id: `add-property-${side}`,
    })}
  </section>`;
}

function sideWords(side: 'source' | 'target', name: string) {
  return side === 'source'
    ? {
        title: t('Source'),
        label: t('Source: {0}', name),
        properties: t('Source properties'),
        add: t('Add Property to source'),
      }
    : {
        title: t('Target'),
        label: t('Target: {0}', name),
        properties: t('Target properties'),
        add: t('Add Property to target'),
      };
}

function drawProperty(name: string, columns: readonly ColumnView[], options: PropertyPanelOptions): TemplateResult {
  const { side, picked, mapped, onPick, onDrop } = options;
  const isMapped = mapped.has(name);
  const column = columns.find((each) => each.name === name);
  return html`<li
    data-property=${name}
    @dragstart=${(event: DragEvent) => event.dataTransfer?.setData(`${dragType}-${side}`, name)}
    @dragover=${(event: DragEvent) => {
      if (event.dataTransfer?.types.includes(`${dragType}-${otherSide(side)}`)) event.preventDefault();
    }}
    @drop=${(event: DragEvent) => {
      const other = event.dataTransfer?.getData(`${dragType}-${otherSide(side)}`);
      if (other) onDrop(other, name);
      event.preventDefault();
    }}
  >
    ${button(
      html`${column?.key ? icon('key') : icon('symbol-field')}<span class="clip">${name}</span>
        <span class="muted clip">${column ? columnDetail({ ...column, key: false }) : ''}</span>
        ${isMapped ? html`<span class="mapped">${icon('link')}${screenReaderText(`, ${t('mapped')}`)}</span>` : ''}`,
      () => onPick(name),
      {
        appearance: 'bare',
        className: `side-property ${isMapped ? 'is-mapped' : ''}`,
        draggable: true,
        pressed: picked === name,
        title: t('Drag it onto a property of the other side, or choose one here and one there'),
      },
    )}
  </li>`;
}

function otherSide(side: 'source' | 'target'): 'source' | 'target' {
  return side === 'source' ? 'target' : 'source';
}
