import type { ParameterValue } from './endpoint.ts';
import type { Pagination } from './pagination.ts';

/** Values of one request: page position, and start time of an import. */
export interface RequestPlace {
  /** Page number, cursor or offset, according to the pagination style. */
  readonly position?: string | undefined;
  /** ISO 8601, UTC; only with `--since`. */
  readonly since?: string | undefined;
}

/** Formats of the time: ISO 8601, its date, and the time since 1970. */
const sinceForms: Readonly<Record<string, (time: Date) => string>> = {
  since: (time) => time.toISOString(),
  'since:date': (time) => time.toISOString().slice(0, 10),
  'since:seconds': (time) => String(Math.floor(time.getTime() / 1000)),
  'since:milliseconds': (time) => String(time.getTime()),
};

/** Placeholders of page positions, named after their pagination style. */
const positions = ['offset', 'page', 'cursor'];

/** The parts of a parameter: one text, or the texts of its list. */
export function valuesOf(value: ParameterValue | undefined): readonly string[] {
  return value === undefined ? [] : typeof value === 'string' ? [value] : value;
}

export function hasPlaceholder(parameters: Readonly<Record<string, ParameterValue>>, name: string): boolean {
  return Object.values(parameters)
    .flatMap(valuesOf)
    .some((template) => placeholdersOf(template).includes(name));
}

export function hasAnyPlaceholder(template: string): boolean {
  return placeholdersOf(template).length > 0;
}

/** Message about an invalid template. */
export function templateMistake(template: string, style: Pagination['style'] | undefined): string | undefined {
  const names = placeholdersOf(template);
  const known = [...Object.keys(sinceForms), 'pageSize', ...positions];
  if (names.some((name) => !known.includes(name))) {
    return `a text with no other placeholders than ${known.map(written).join(', ')}`;
  }
  const foreign = names.find((name) => positions.includes(name) && name !== style);
  if (foreign !== undefined) return `without ${written(foreign)}, or pagination of style ${foreign}`;
  if (names.includes('pageSize') && style === undefined) return `without ${written('pageSize')}, or with pagination`;
  // A page position in a parameter that is omitted without a time would be lost.
  const mixed = style !== undefined && names.includes(style) && names.some((name) => name in sinceForms);
  return mixed ? `without ${written('since')} beside ${written(style)}` : undefined;
}

/** The expanded text; undefined when a placeholder has no value: the parameter is then omitted. */
export function filledTemplate(
  template: string,
  pagination: Pagination | undefined,
  { position, since }: RequestPlace,
): string | undefined {
  const valueOf = (name: string): string | undefined => {
    if (name === 'pageSize') return pagination && String(pagination.pageSize);
    if (name === pagination?.style) return position;
    return since === undefined ? undefined : sinceForms[name]?.(new Date(since));
  };
  let isWhole = true;
  const text = template.replace(placeholder, (_, name: string) => {
    const value = valueOf(name);
    if (value === undefined) isWhole = false;
    return value ?? '';
  });
  return isWhole ? text : undefined;
}

/** Parameters sent with `--since` only. */
export function sinceParameters(
  parameters: Readonly<Record<string, ParameterValue>>,
): readonly (readonly [name: string, template: string])[] {
  return Object.entries(parameters)
    .flatMap(([name, value]) => valuesOf(value).map((template) => [name, template] as const))
    .filter(([, template]) => placeholdersOf(template).some((each) => each in sinceForms));
}

const placeholder = /\{\{\s*([^{}]*?)\s*\}\}/g;

function placeholdersOf(template: string): readonly string[] {
  return [...template.matchAll(placeholder)].map(([, name = '']) => name);
}

function written(name: string): string {
  return `{{${name}}}`;
}
