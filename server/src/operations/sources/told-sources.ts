import { sourceKind } from '../../connectors/source-kinds.ts';
import { parseDataSources } from '../../model/parse-data-sources.ts';
import { timeZones } from '../../model/time-zones.ts';

interface ToldSources {
  readonly dataSources: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Why there are none. */
  readonly unreadable?: string;
}

/** What stands in place of a value that is not told. */
const hidden = '(not told)';

/** Settings that name places, files, tables and columns. Values of all others may be secrets. */
const told = /^(host|database|databases|catalog|catalogs|schemas|user|path|graph|tables|name|key|keyColumn)$/;

/** Settings with such settings, or names that people give. */
const groups = /^(endpoints|scripted|watermarks|parts)$/;

/** A value that only refers to a secret or an environment variable. */
const reference = /^\$\{(?:secret|env):[\w.-]+\}$/;

/**
 * The data sources of a text without its secrets: references to them, and settings that name places and tables. Settings
 * without a value are left out, as their names may be values.
 */
export function toldSources(text: string): ToldSources {
  const { sources, problems } = parseDataSources(text);
  if (problems.length > 0) return { dataSources: {}, unreadable: 'The file has mistakes, which a person must mend.' };
  const entries = sources.sources.map(({ name, kind, timeZone, settings }) => {
    const known = sourceKind(kind?.value);
    if (!known) return [name.value, { kind: hidden }];
    const { kind: _, timeZone: __, ...own } = settings;
    const zone = timeZones.has(timeZone) ? timeZone : hidden;
    return [name.value, { kind: known.name, timeZone: zone, ...toldGroup(own) }];
  });
  return { dataSources: Object.fromEntries(entries) };
}

function toldGroup(group: Readonly<Record<string, unknown>>): object {
  const names = Object.entries(group).filter(([name, value]) => value !== null && /^[A-Za-z]\w*$/.test(name));
  return Object.fromEntries(names.map(([name, value]) => [name, toldValue(name, value)]));
}

function toldValue(name: string, value: unknown): unknown {
  if (typeof value === 'string' && reference.test(value)) return value;
  if (groups.test(name)) return toldParts(value);
  if (told.test(name)) return toldName(value);
  return typeof value === 'boolean' || isPort(name, value) ? value : hidden;
}

/** Entries of a list of groups, or names that people give, such as those of tables, with columns or files. */
function toldParts(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return hidden;
  if (Array.isArray(value)) return value.map((each: unknown) => (isGroup(each) ? toldGroup(each) : hidden));
  const members = Object.entries(value).map(([own, each]) => [own, toldName(each)] as const);
  return Object.fromEntries(members);
}

function toldName(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toldName);
  return typeof value === 'string' && !/:\/\/|[?@]/.test(value) ? value : hidden;
}

function isGroup(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isPort(name: string, value: unknown): boolean {
  return name === 'port' && typeof value === 'number';
}
