import type { SettingsReader } from '../settings-reader.ts';
import type { Settings } from '../source-settings.ts';
import { answerPathForm, readAnswerPath } from './answer-path.ts';
import type { ParameterValue, RestEndpoint } from './endpoint.ts';
import type { Pagination } from './pagination.ts';
import { hasPlaceholder, templateMistake, valuesOf } from './parameter-template.ts';
import { defaultPageSize } from './detect-pagination.ts';

/** Parameters and pagination of an endpoint. Throws a `source-config` error that names the setting below `path`. */
export function readPages(
  settings: Settings,
  path: string,
  read: SettingsReader,
): Pick<RestEndpoint, 'parameters' | 'pagination'> {
  const parameters = readParameters(settings, path, read);
  const pagination = readPagination(settings, parameters, path, read);
  const style = pagination?.style === 'none' ? undefined : pagination?.style;
  for (const [name, value] of Object.entries(parameters)) {
    for (const template of valuesOf(value)) {
      const mistake = templateMistake(template, style);
      if (mistake !== undefined) throw read.wrong(`${path}parameters.${name}`, mistake);
    }
  }
  return { parameters, ...(pagination && { pagination }) };
}

function readPagination(
  settings: Settings,
  parameters: RestEndpoint['parameters'],
  path: string,
  read: SettingsReader,
): Pagination | undefined {
  const given = settings['pagination'] ?? undefined;
  if (given === 'none') return { style: 'none', pageSize: defaultPageSize, total: [] };
  if (typeof given === 'string') throw read.wrong(`${path}pagination`, 'none, or a group of settings');
  const group = read.group(settings, 'pagination', path);
  return group && readStyle(group, parameters, `${path}pagination.`, read);
}

function readStyle(
  settings: Settings,
  parameters: RestEndpoint['parameters'],
  path: string,
  read: SettingsReader,
): Pagination {
  const style = read.oneOf(settings, 'style', ['offset', 'page', 'cursor', 'link'], path);
  const limit = read.text(settings, 'limitParameter', path);
  const givenSize = read.count(settings, 'pageSize', path);
  const pageSize = givenSize ?? defaultPageSize;
  const total = readPath(settings, 'total', path, read);
  const withLimit = (name: string | undefined) => ({
    pageSize,
    total,
    ...(givenSize !== undefined && { isSizeGiven: true }),
    ...(name !== undefined && { limitParameter: name }),
  });
  const given = read.text(settings, 'parameter', path);
  // Default parameters are omitted when templates replace them.
  const own = (usual: string, name: string): string | undefined =>
    hasPlaceholder(parameters, name) ? undefined : usual;
  const parameter = given ?? (style && own(style, style));
  const placed = parameter === undefined ? {} : { parameter };
  switch (style) {
    case 'offset': {
      const overlap = read.count(settings, 'overlap', path) ?? 0;
      if (overlap >= pageSize) throw read.wrong(`${path}overlap`, 'smaller than pageSize');
      return { style, ...withLimit(limit ?? own('limit', 'pageSize')), ...placed, overlap };
    }
    case 'page': {
      const first = settings['first'] ?? 1;
      if (first !== 0 && first !== 1) throw read.wrong(`${path}first`, '0 or 1');
      return { style, ...withLimit(limit), ...placed, first };
    }
    case 'cursor': {
      const next = readPath(settings, 'next', path, read);
      if (next.length === 0) throw read.wrong(`${path}next`, 'the names that lead to the next cursor in an answer');
      return { style, ...withLimit(limit), ...placed, next };
    }
    case 'link':
      return { style, ...withLimit(limit) };
    default:
      throw read.wrong(`${path}style`, 'one of offset, page, cursor, link');
  }
}

/** The path of a value in a response. */
export function readPath(settings: Settings, setting: string, path: string, read: SettingsReader): readonly string[] {
  const steps = readAnswerPath(read.text(settings, setting, path) ?? '');
  if (!steps) throw read.wrong(path + setting, answerPathForm);
  return steps;
}

function readParameters(settings: Settings, path: string, read: SettingsReader): RestEndpoint['parameters'] {
  const group = read.group(settings, 'parameters', path) ?? {};
  return Object.fromEntries(
    Object.entries(group).map(([name, value]): readonly [string, ParameterValue] => {
      const place = `${path}parameters.`;
      if (!Array.isArray(value)) return [name, read.needed(group, name, place)];
      if (value.length === 0) throw read.wrong(place + name, 'a text or a list of texts');
      return [name, value.map((each: unknown) => read.needed({ [name]: each }, name, place))];
    }),
  );
}

/** A group of texts by name. */
export function readTexts(
  settings: Settings,
  setting: string,
  path: string,
  read: SettingsReader,
): Readonly<Record<string, string>> {
  const group = read.group(settings, setting, path) ?? {};
  return Object.fromEntries(Object.keys(group).map((name) => [name, read.needed(group, name, `${path}${setting}.`)]));
}
