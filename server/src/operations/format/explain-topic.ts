import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type KnownField, allFields } from '../../language/schema/all-fields.ts';
import { nearestNames } from '../../model/nearest-name.ts';
import { rules } from '../../model/rules.ts';

/** What is said about a field, a rule or a part of the specification. */
export interface ExplainedItem {
  readonly title: string;
  /** Markdown. */
  readonly text: string;
}

export interface Explanation {
  readonly kind: 'field' | 'rule' | 'section' | 'topics';
  readonly items: readonly ExplainedItem[];
}

/** Nothing is known about a topic. */
export class UnknownTopic extends Error {
  override name = 'UnknownTopic';
}

const ruleCodes = Object.keys(rules);

/** More are listed by their titles. */
const mostItems = 5;

/**
 * Explains the code of a rule, a section of the specification by number or words of its title, or a field by name or
 * path; without a topic, says which there are. Rejects with `UnknownTopic`, or with the file system error.
 * @param docsFolder the folder of the documents that belong to this version
 */
export async function explainTopic(topic: string | undefined, docsFolder: string): Promise<Explanation> {
  const sections = await specification(docsFolder);
  if (topic === undefined) return { kind: 'topics', items: topics(sections) };
  const wanted = topic.trim();
  if (ruleCodes.includes(wanted)) return ruleNamed(wanted, docsFolder);
  const numbered = sections.filter(({ number }) => number === wanted);
  if (numbered.length > 0) return { kind: 'section', items: [...numbered, ...partsOf(wanted, sections)] };
  const fields = allFields();
  const path = wanted.replaceAll(/\[\d*\]/g, '[]');
  const exact = fields.filter((field) => field.path === path);
  const named = exact.length > 0 ? exact : fields.filter(({ name }) => name === path);
  if (named.length > 0) return { kind: 'field', items: named.map(fieldItem) };
  const words = wanted.toLowerCase();
  const titled = sections.filter(({ title }) => title.toLowerCase().includes(words));
  if (words !== '' && titled.length > 0) return { kind: 'section', items: firstOf(titled) };
  throw unknown(wanted, [...ruleCodes, ...new Set(fields.map(({ name }) => name))]);
}

function unknown(topic: string, names: readonly string[]): UnknownTopic {
  const near = nearestNames(topic, names).slice(0, 3);
  const hint = near.length === 0 ? 'Without a topic, all are listed.' : `Did you mean ${near.join(', ')}?`;
  return new UnknownTopic(`Nothing is known about "${topic}". ${hint}`);
}

function firstOf(found: readonly Section[]): readonly ExplainedItem[] {
  const [shown, others] = [found.slice(0, mostItems), found.slice(mostItems)];
  if (others.length === 0) return shown;
  return [...shown, { title: 'Others', text: others.map(({ title }) => `* ${title}`).join('\n') }];
}

function topics(sections: readonly Section[]): readonly ExplainedItem[] {
  const list = (titles: readonly string[]): string => titles.map((title) => `* ${title}`).join('\n');
  const fields = allFields().filter(({ path }) => !/\..*\./.test(path));
  return [
    { title: 'Sections of the specification, by number', text: list(sections.map(({ title }) => title)) },
    { title: 'Rules, by code', text: list(ruleCodes) },
    { title: 'Fields, by name or path', text: list([...new Set(fields.map(({ path }) => path))]) },
  ];
}

/** A chapter says which sections it has. */
function partsOf(number: string, sections: readonly Section[]): readonly ExplainedItem[] {
  const parts = sections.filter((each) => each.number.startsWith(`${number}.`));
  return parts.length === 0 ? [] : [{ title: 'Sections', text: parts.map(({ title }) => `* ${title}`).join('\n') }];
}

interface Section extends ExplainedItem {
  readonly number: string;
}

/** The sections of the specification, such as 8 and 8.2, in their order. */
async function specification(docsFolder: string): Promise<readonly Section[]> {
  const folder = join(docsFolder, 'semantics');
  const pages = (await readdir(folder)).filter((name) => name.endsWith('.md'));
  const texts = await Promise.all(pages.map((name) => readFile(join(folder, name), 'utf8')));
  return texts
    .flatMap((text) => headed(text))
    .flatMap(({ title, text }) => {
      const [, number] = /^(\d+(?:\.\d+)?)\.? /.exec(title) ?? [];
      return number === undefined ? [] : [{ number, title, text }];
    })
    .toSorted((one, other) => one.number.localeCompare(other.number, 'en', { numeric: true }));
}

/** The rule is in `docs/rules.md`, as a unit test makes sure. */
async function ruleNamed(code: string, docsFolder: string): Promise<Explanation> {
  const text = await readFile(join(docsFolder, 'rules.md'), 'utf8');
  return { kind: 'rule', items: headed(text).filter(({ title }) => title === code) };
}

/** The parts of a page below its headings of the second and third level. */
function headed(page: string): readonly ExplainedItem[] {
  const parts = page.split(/^(?=###? )/mu).slice(1);
  return parts.map((part) => {
    const [heading = '', ...lines] = part.split('\n');
    return { title: heading.replace(/^#+ /u, '').trim(), text: lines.join('\n').trim() };
  });
}

const formats = {
  entityGraph: '*.entity.yaml',
  entitySources: 'entity-sources.yaml',
  entityTests: '*.entity.test.yaml',
};

function fieldItem({ format, path, isRequired, schema }: KnownField): ExplainedItem {
  const { description = '', examples = [], properties, items } = schema;
  const types = [schema.type ?? []].flat();
  const values = schema.enum ?? (schema.const === undefined ? [] : [schema.const]);
  const json = (all: readonly unknown[]): string => all.map((each) => JSON.stringify(each)).join(', ');
  const names = Object.keys(properties ?? items?.properties ?? {});
  return {
    title: `${path} (${formats[format]})`,
    text: [
      description,
      `${isRequired ? 'Required' : 'Optional'}${types.length === 0 ? '' : `, ${types.join(' or ')}`}.`,
      ...(values.length === 0 ? [] : [`One of ${json(values)}.`]),
      ...(names.length === 0 ? [] : [`Fields: ${names.join(', ')}.`]),
      ...(examples.length === 0 ? [] : [`Examples: ${json(examples)}`]),
    ]
      .filter((line) => line !== '')
      .join('\n'),
  };
}
