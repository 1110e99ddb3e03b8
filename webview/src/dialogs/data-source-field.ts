import { type TemplateResult, html, nothing } from 'lit';
import { drawReading } from '../catalog/draw-reading.ts';
import { type Choice, combobox } from '../ui/combobox.ts';
import { t } from '../ui/translate.ts';
import type { DialogCatalog } from './dialog-catalog.ts';

interface DataSourceOptions {
  readonly label: string;
  readonly id: string;
  readonly catalog: DialogCatalog;
  /** The written data source; by default that of the graph. */
  readonly value: string | undefined;
  readonly problem: string | undefined;
  /** The label is for screen readers only. */
  readonly unseenLabel?: true;
  /** Undefined for the data source of the graph. */
  onChange(dataSource: string | undefined): void;
}

/** The choice of a data source, where there are several. A chosen one that could not be read is read again. */
export function dataSourceField(options: DataSourceOptions): TemplateResult | typeof nothing {
  const { label, id, catalog, value, problem, unseenLabel } = options;
  const { dataSource: main } = catalog;
  const others = catalog.others();
  if (others.length === 0 && value === undefined) return nothing;
  const choices: readonly Choice[] = [
    ...(main === undefined ? [] : [{ value: main, detail: t('of the graph') }]),
    ...others.map(({ name, kind }) => ({ value: name, detail: kind })),
  ];
  const choose = (name: string): void => {
    const other = others.find((each) => each.name === name);
    if (other?.objects.kind === 'failed') catalog.readOther(other.name);
    options.onChange(name === '' || name === main ? undefined : name);
  };
  return combobox(label, value ?? main ?? '', choices, choose, {
    ...(unseenLabel && { unseenLabel }),
    placeholder: t('Data source'),
    problem,
    id,
  });
}

/** Why no data objects of a chosen data source can be offered yet. That of the graph has its notice above. */
export function drawSourceNotice(
  dataSource: string | undefined,
  catalog: DialogCatalog,
): TemplateResult | typeof nothing {
  const other = catalog.others().find(({ name }) => name === dataSource);
  if (!other) return nothing;
  return html`${drawReading(other.objects, other.name, {
    load: () => catalog.readOther(other.name),
    stop: () => catalog.stopOther(other.name),
  })}`;
}
