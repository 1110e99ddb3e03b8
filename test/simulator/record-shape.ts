import type { SimulatedRecord } from './demo-data.ts';
import { findRecord, isDotWalk, walk, type Instance } from './instance.ts';
import { columnsOf } from './schema.ts';

/** The record as the Table API shows it: one of six shapes, fields that may not be read left out. */
export function shapeRecord(
  instance: Instance,
  table: string,
  record: SimulatedRecord,
  parameters: URLSearchParams,
  baseUrl: string,
): Record<string, unknown> {
  const asked = parameters.get('sysparm_fields');
  const fields = asked ? asked.split(',').map((field) => field.trim()) : columnsOf(table).map(({ element }) => element);
  const shaped: Record<string, unknown> = {};
  for (const field of fields) {
    const { hiddenFields, mayReadField } = instance.settings;
    if (!isDotWalk(table, field) || hiddenFields.has(`${table}.${field}`) || !mayReadField(table, field, record))
      continue;
    shaped[field] = shapeValue(instance, walk(instance, table, record, field), parameters, baseUrl);
  }
  return shaped;
}

function shapeValue(
  instance: Instance,
  { value, type, reference }: { readonly value: string; readonly type: string; readonly reference?: string },
  parameters: URLSearchParams,
  baseUrl: string,
): unknown {
  const display = parameters.get('sysparm_display_value') ?? 'false';
  const withLink = parameters.get('sysparm_exclude_reference_link') !== 'true';
  const shown = displayValue(instance, value, type, reference);
  const link = `${baseUrl}/api/now/table/${reference ?? ''}/${value}`;
  if (display === 'all') {
    if (reference === undefined || value === '' || !withLink) return { display_value: shown, value };
    return { display_value: shown, link, value };
  }
  if (reference === undefined || value === '' || !withLink) return display === 'true' ? shown : value;
  return display === 'true' ? { display_value: shown, link } : { link, value };
}

function displayValue(instance: Instance, value: string, type: string, reference: string | undefined): string {
  if (value === '') return '';
  if (reference !== undefined) {
    const target = findRecord(instance, reference, value);
    return target?.['name'] ?? target?.['number'] ?? value;
  }
  if (type === 'glide_date_time' || type === 'due_date') {
    const parts = new Intl.DateTimeFormat('en-GB', {
      timeZone: instance.settings.userTimeZone,
      dateStyle: 'short',
      timeStyle: 'medium',
    });
    return parts.format(new Date(`${value.replace(' ', 'T')}Z`)).replace(',', '');
  }
  if (type === 'glide_duration') return `${Math.round(Date.parse(`${value.replace(' ', 'T')}Z`) / 60_000)} Minutes`;
  return value;
}
