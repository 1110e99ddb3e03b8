import { sourceKind } from '../../connectors/source-kinds.ts';
import { parseDataSources } from '../../model/parse-data-sources.ts';
import { timeZones } from '../../model/time-zones.ts';

interface ShownSources {
  readonly dataSources: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Why there are none. */
  readonly unreadable?: string;
}

/** What stands in place of a value that is not shown. */
const hidden = '(not told)';

/** Settings that name places, files, tables and columns. Values of all others may be secrets. */
const shown = /^(host|database|databases|catalog|catalogs|schemas|user|path|graph|tables|name|key|keyColumn)$/;

/** Groups of settings: their keys are names of settings again, or names that people give, such as those of data objects. */
const groups = /^(endpoints|scripted|watermarks|parts)$/;

/** A value that only refers to a secret or an environment variable. */
const reference = /^\$\{(?:secret|env):[\w.-]+\}$/;

/**
 * The data sources of a text without its secrets: references to them, and settings that name places and tables. Settings
 * without a value are left out, as their names may be values.
 */
export function sourcesWithoutSecrets(text: string): ShownSources {
  const { sources, problems } = parseDataSources(text);
  if (problems.length > 0) return { dataSources: {}, unreadable: 'The file has mistakes, which validate lists.' };
  const entries = sources.sources.map(({ name, kind, timeZone, settings }) => {
    const known = sourceKind(kind?.value);
    if (!known) return [name.value, { kind: hidden }];
    const { kind: _, timeZone: __, ...own } = settings;
    const zone = timeZones.has(timeZone) ? timeZone : hidden;
    return [name.value, { kind: known.name, timeZone: zone, ...shownGroup(own) }];
  });
  return { dataSources: Object.fromEntries(entries) };
}

function shownGroup(group: Readonly<Record<string, unknown>>): object {
  const names = Object.entries(group).filter(([name, value]) => value !== null && /^[A-Za-z]\w*$/.test(name));
  return Object.fromEntries(names.map(([name, value]) => [name, shownValue(name, value)]));
}

function shownValue(name: string, value: unknown): unknown {
  if (typeof value === 'string' && reference.test(value)) return value;
  if (groups.test(name)) return shownParts(value);
  if (shown.test(name)) return shownName(value);
  return typeof value === 'boolean' || isPort(name, value) ? value : hidden;
}

/** Entries of a list of groups, or names that people give, such as those of tables, with columns or files. */
function shownParts(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return hidden;
  if (Array.isArray(value)) return value.map((each: unknown) => (isGroup(each) ? shownGroup(each) : hidden));
  const members = Object.entries(value).map(([own, each]) => [own, shownName(each)] as const);
  return Object.fromEntries(members);
}

function shownName(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shownName);
  return typeof value === 'string' && !/:\/\/|[?@]/.test(value) ? value : hidden;
}

function isGroup(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isPort(name: string, value: unknown): boolean {
  return name === 'port' && typeof value === 'number';
}
