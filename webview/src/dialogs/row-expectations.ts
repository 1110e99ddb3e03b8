import { type TemplateResult, html, nothing } from 'lit';
import type { ColumnView, ExpectationValues } from '../../../protocol/canvas-intents.ts';
import { button } from '../ui/button.ts';
import { combobox } from '../ui/combobox.ts';
import { dropdown, textArea, textField } from '../ui/controls.ts';
import { icon } from '../ui/icons.ts';
import { t } from '../ui/translate.ts';
import { columnChoices } from './column-choices.ts';
import { keyColumns } from './key-columns.ts';
import { linesOf } from './lines-of.ts';

interface ExpectationOptions {
  readonly value: ExpectationValues | undefined;
  readonly columns: readonly ColumnView[];
  problemOf(property: string): string | undefined;
  onChange(value: ExpectationValues | undefined): void;
}

const nothingExpected: ExpectationValues = { unique: [], notNull: [], values: [] };

/** What should hold of the rows: unique keys, columns with values, the values of columns, the number of rows. */
export function rowExpectations({ value, columns, problemOf, onChange }: ExpectationOptions): TemplateResult {
  const now = value ?? nothingExpected;
  const change = (part: Partial<ExpectationValues>, focused?: string): void => {
    onChange(withoutNothing({ ...now, ...part }));
    if (focused !== undefined) focusDrawn(focused);
  };
  const parts = { now, columns, problemOf, change };
  const rowsProblem = problemOf('expect.rows');
  return html`<div class="fields">
    <p class="muted">${t('What should hold of these rows. Each import counts the rows that break it.')}</p>
    <ul class="expectations">
      ${now.unique.map((_, index) => drawUnique(index, parts))}
      ${now.values.map((_, index) => drawValues(index, parts))}
    </ul>
    <div class="row">
      ${button(
        html`${icon('add')} ${t('Unique Key')}`,
        () => change({ unique: [...now.unique, []] }, `expect-unique-${now.unique.length}`),
        {
          label: t('Add Unique Key'),
          id: 'expect',
        },
      )}
      ${button(html`${icon('add')} ${t('Known Values')}`, () => change({ values: [...now.values, { column: '', texts: [] }] }, `expect-column-${now.values.length}`), { label: t('Add Known Values'), id: 'add-values' })}
    </div>
    <div class="columns">
      <div class="whole">
        ${combobox(
          t('Columns with a Value in Each Row'),
          now.notNull.join(', '),
          columnChoices(columns),
          (text) => change({ notNull: keyColumns(text, columns) }),
          { id: 'expect-not-null', problem: problemOf('expect.notNull') },
        )}
      </div>
      <div>
        ${textField(t('Number of Rows'), now.rows ?? '', (rows) => change({ rows }), {
          id: 'expect-rows',
          placeholder: t('100, 1000.. (at least), ..50 (at most)'),
        })}
        ${drawProblem(rowsProblem)}
      </div>
      ${drawSeverity(now.severity, (severity) => change({ severity }))}
    </div>
    ${drawProblem(ownProblem(now, problemOf))}
  </div>`;
}

interface ExpectationParts extends Pick<ExpectationOptions, 'columns' | 'problemOf'> {
  readonly now: ExpectationValues;
  /** @param focused id of the control that has the focus afterwards */
  change(part: Partial<ExpectationValues>, focused?: string): void;
}

function drawUnique(index: number, { now, columns, problemOf, change }: ExpectationParts): TemplateResult {
  const key = now.unique[index] ?? [];
  return html`<li class="expectation">
    ${combobox(
      t('Unique Key {0}', index + 1),
      key.join(', '),
      columnChoices(columns),
      (text) => change({ unique: now.unique.with(index, keyColumns(text, columns)) }),
      {
        id: `expect-unique-${index}`,
        placeholder: t('A column, or several'),
        problem: problemOf(`expect.unique.${index}`),
      },
    )}
    ${removeButton(t('Remove unique key {0}', index + 1), () =>
      change({ unique: now.unique.toSpliced(index, 1) }, nextTo(now.unique, index, 'expect-unique', 'expect')),
    )}
  </li>`;
}

function drawValues(index: number, { now, columns, problemOf, change }: ExpectationParts): TemplateResult {
  const { column, texts } = now.values[index] ?? { column: '', texts: [] };
  return html`<li class="expectation of-values">
    ${combobox(
      t('Column with Known Values {0}', index + 1),
      column,
      columnChoices(columns),
      (name) => change({ values: now.values.with(index, { column: name, texts }) }),
      { id: `expect-column-${index}`, problem: problemOf(`expect.values.${column}`) },
    )}
    ${textArea(
      t('Its Values (one a line)'),
      texts.join('\n'),
      (text) => change({ values: now.values.with(index, { column, texts: linesOf(text) }) }),
      { id: `expect-values-${index}` },
    )}
    ${removeButton(t('Remove known values {0}', index + 1), () =>
      change({ values: now.values.toSpliced(index, 1) }, nextTo(now.values, index, 'expect-column', 'add-values')),
    )}
  </li>`;
}

/** The control that has the focus after one of a list is removed. */
function nextTo(list: readonly unknown[], index: number, id: string, otherwise: string): string {
  return list.length === 1 ? otherwise : `${id}-${Math.min(index, list.length - 2)}`;
}

/** A problem of the expectations that stands at none of their fields. */
function ownProblem(
  { unique, values }: ExpectationValues,
  problemOf: ExpectationOptions['problemOf'],
): string | undefined {
  const fields = [
    'rows',
    'notNull',
    ...unique.map((_, at) => `unique.${at}`),
    ...values.map(({ column }) => `values.${column}`),
  ];
  const first = problemOf('expect');
  return fields.some((field) => problemOf(`expect.${field}`) === first) ? undefined : first;
}

/** Once the change is drawn. */
function focusDrawn(id: string): void {
  requestAnimationFrame(() => document.getElementById(id)?.focus());
}

const severities = ['warning', 'error', 'info'] as const;

function drawSeverity(severity: string | undefined, onChange: (severity: string) => void): TemplateResult {
  const names = { warning: t('Warning'), error: t('Error'), info: t('Information') };
  const chosen = severities.find((each) => each === severity) ?? 'warning';
  return html`<div class="stacked">
    <span class="field-label" aria-hidden="true">${t('A broken expectation is')}</span>
    ${dropdown(t('A broken expectation is'), names[chosen], Object.values(names), (name) =>
      onChange(severities.find((each) => names[each] === name) ?? 'warning'),
    )}
  </div>`;
}

function removeButton(label: string, onRemove: () => void): TemplateResult {
  return button(icon('trash'), onRemove, { appearance: 'icon', className: 'trash', title: t('Remove'), label });
}

/** A severity stays, so that it may be chosen before what it is of; without expectations it is not written. */
function withoutNothing({ rows, severity, ...lists }: ExpectationValues): ExpectationValues | undefined {
  const isEmpty = !rows && !severity && Object.values(lists).every((list) => list.length === 0);
  if (isEmpty) return undefined;
  return { ...lists, ...(rows ? { rows } : {}), ...(severity ? { severity } : {}) };
}

function drawProblem(problem: string | undefined): TemplateResult | typeof nothing {
  return problem === undefined ? nothing : html`<p class="field-problem">${problem}</p>`;
}
