import { readFile, rm, stat } from 'node:fs/promises';
import type { DraftOutcome } from '../../../../protocol/first-draft.ts';
import { newText } from '../../model/edits/new-text.ts';
import { type Catalog, type DataObject, findDataObject } from '../../catalog/catalog.ts';
import { sourceKind } from '../../connectors/source-kinds.ts';
import { type Draft, draftGraph, proposedDraft } from '../../draft/draft.ts';
import {
  type DraftAnswer,
  type DraftChoice,
  type DraftColumn,
  type OmittedObject,
  draftable,
} from '../../draft/draft-choice.ts';
import type { DraftElement, DraftModel } from '../../draft/draft-model.ts';
import type { SourceCounts } from '../../draft/source-counts.ts';
import type { TableInput } from '../../draft/table-sample.ts';
import { checkFileTarget, fileExists } from '../../files/write-target.ts';
import { nearestName } from '../../model/nearest-name.ts';
import {
  type ProjectContext,
  type SourcesFile,
  connectorOf,
  describeSource,
  findSource,
} from '../../project/open-project.ts';
import { checkName, writeNew } from './copy-graph.ts';
import { countKeys } from './count-keys.ts';
import { type DraftColumnChoice, assertChoicesUsed, resolveColumnChoices } from './draft-column-choices.ts';
import { OperationError } from '../operation-error.ts';
import { readSamples } from './read-samples.ts';

export interface NewGraphOptions {
  /** Names of data objects; default: all of the source. */
  readonly objects?: readonly string[] | undefined;
  /** Data sources of the draft beside the first. */
  readonly furtherSources?: readonly string[] | undefined;
  /** Name of the graph; default: that of its source. */
  readonly name?: string | undefined;
  readonly output: string;
  readonly signal: AbortSignal;
  readonly onProgress?: ((message: string) => void) | undefined;
  /** Choices already made between equally good columns. */
  readonly answers?: readonly DraftAnswer[] | undefined;
  /** Columns given beforehand for roles; refused when they cannot have these. */
  readonly given?: readonly DraftColumnChoice[] | undefined;
  /** Called once for each role with several equally good columns. If it rejects, nothing is written. */
  readonly ask?: ((choice: DraftChoice) => Promise<readonly string[]>) | undefined;
}

/** The columns that a first graph uses, open choices and omitted objects. */
export interface NewGraph {
  readonly chosen: readonly DraftColumn[];
  /** Roles with several equally good columns, of which the first was used. */
  readonly choices: readonly DraftChoice[];
  readonly leftOut: readonly OmittedObject[];
  /** What could not be read of the source, such as a file; absent without any. */
  readonly warnings?: readonly string[];
}

/** Writes a first graph of a source, with cases, activities, times and objects guessed from names, types and rows. */
export async function newGraph(
  sourcesFile: SourcesFile,
  dataSource: string,
  options: NewGraphOptions,
  projectContext: ProjectContext,
): Promise<NewGraph> {
  const { ask } = options;
  const reading = await readForDraft(sourcesFile, dataSource, options, projectContext);
  const answers = [...(options.answers ?? []), ...reading.given];
  const draft = ask ? await settled(reading.draft, answers, ask) : reading.draft(answers);
  assertChoicesUsed(draft, reading.given);
  return write(draft, reading, options, projectContext);
}

/**
 * Writes a first graph, or returns the first question without an answer and writes nothing. For callers that ask the
 * user themselves.
 */
export async function newGraphOrQuestion(
  sourcesFile: SourcesFile,
  dataSource: string,
  options: Omit<NewGraphOptions, 'ask'> & { readonly answers: readonly DraftAnswer[] },
  projectContext: ProjectContext,
): Promise<DraftOutcome> {
  const reading = await readForDraft(sourcesFile, dataSource, options, projectContext);
  const draft = reading.draft(options.answers);
  const choice = openChoice(draft, options.answers);
  if (choice) return { kind: 'question', choice };
  const { chosen, leftOut } = await write(draft, reading, options, projectContext);
  return { kind: 'written', chosen, leftOut };
}

interface DraftReading {
  readonly draft: (answers: readonly DraftAnswer[]) => Draft;
  readonly given: readonly DraftAnswer[];
  /** Data objects that were omitted before their rows were read. */
  readonly leftOut: readonly OmittedObject[];
  readonly warnings: readonly string[];
}

async function readForDraft(
  sourcesFile: SourcesFile,
  dataSource: string,
  options: NewGraphOptions,
  projectContext: ProjectContext,
): Promise<DraftReading> {
  const { objects, name = dataSource, output, given = [], furtherSources = [] } = options;
  checkName(output);
  await checkNewGraph(output);
  const parts: SourcePart[] = [];
  for (const each of new Set([dataSource, ...furtherSources])) {
    const taken = new Set(parts.flatMap(({ inputs }) => inputs.map(({ object }) => object.name)));
    const isAlone = furtherSources.length === 0;
    parts.push(
      await readSource(sourcesFile, each, { ...options, isFirst: parts.length === 0, isAlone, taken }, projectContext),
    );
  }
  const [first] = parts;
  if (!first) throw new Error('A draft has at least one data source.');
  const warnings = parts.flatMap((part) => part.warnings);
  const inputs = parts.flatMap((part) => part.inputs);
  const unknown = objects?.find((wanted) => !parts.some((part) => part.named.has(wanted)));
  if (unknown !== undefined)
    throw unknownObject(
      unknown,
      parts.map(({ catalog }) => catalog),
    );
  if (inputs.length === 0) throw nothingToDraft(first.catalog);
  const placed = resolveColumnChoices(
    given,
    inputs.map(({ object }) => object),
  );
  const { catalog, whole } = first;
  if (whole)
    return { draft: () => proposedDraft({ name, catalog, inputs }, whole), given: placed, leftOut: [], warnings };
  const counts = {
    shares: new Map(parts.flatMap((part) => [...part.counts.shares])),
    repeated: new Set(parts.flatMap((part) => [...part.counts.repeated])),
  };
  const special = new Map(parts.flatMap((part) => [...part.special]));
  const areNamed = objects !== undefined;
  return {
    draft: (answers) => draftGraph({ name, catalog, inputs, areNamed, special, answers, counts }),
    given: placed,
    leftOut: parts.flatMap((part) => part.leftOut),
    warnings,
  };
}

/** What is read of one data source of a draft. */
interface SourcePart {
  readonly catalog: Catalog;
  readonly inputs: readonly TableInput[];
  readonly counts: SourceCounts;
  readonly special: ReadonlyMap<string, DraftElement>;
  /** The graph that the source contains. */
  readonly whole?: DraftModel | undefined;
  readonly leftOut: readonly OmittedObject[];
  readonly warnings: readonly string[];
  /** Names that the user gave and the source has. */
  readonly named: ReadonlySet<string>;
}

async function readSource(
  sourcesFile: SourcesFile,
  dataSource: string,
  {
    objects,
    signal,
    onProgress,
    isFirst,
    isAlone,
    taken,
  }: NewGraphOptions & {
    readonly isFirst: boolean;
    readonly isAlone: boolean;
    /** Names of data objects of the sources before. */
    readonly taken: ReadonlySet<string>;
  },
  projectContext: ProjectContext,
): Promise<SourcePart> {
  const source = findSource(sourcesFile, dataSource);
  const connector = await connectorOf(sourcesFile, source, projectContext);
  try {
    const catalog = await describeSource(sourcesFile, source, connector, projectContext, { signal });
    const { warnings, dialect } = catalog;
    const known = objects?.filter((name) => findDataObject(catalog, name));
    const chosen = chosenObjects(catalog, isAlone ? objects : known);
    const part = { catalog, warnings, leftOut: chosen.leftOut, named: new Set(known) };
    const noCounts = { shares: new Map<string, number>(), repeated: new Set<string>() };
    const whole = await connector.proposeGraph?.({ signal });
    if (whole && !isAlone) throw noPartOfOthers(dataSource);
    if (whole) {
      // Chosen data objects are used completely, without the usual omissions of a first graph.
      const inputs = (objects ? chosen.objects : catalog.objects).map((object) => ({ object }));
      return { ...part, leftOut: [], whole, inputs, counts: noCounts, special: new Map() };
    }
    const read = await readSamples(connector, catalog, chosen.objects, { signal, onProgress, isAlone });
    const rename = (name: string): string => uniqueName(name, dataSource, taken);
    const inputs = read.map(({ object, sample }): TableInput => {
      const place = isFirst ? undefined : { dataSource, dialect, name: object.name };
      return { object: isFirst ? object : renamedObject(object, rename), sample, place };
    });
    const counts = await countKeys(connector, catalog, inputs, { signal, onProgress });
    const special = new Map(
      [...specialElements(catalog, chosen.objects)].map(([name, element]) => [
        rename(name),
        { ...element, dataObject: rename(name) },
      ]),
    );
    return { ...part, inputs, counts, special };
  } finally {
    await connector.close();
  }
}

/** A name that no data object of the sources before has. */
function uniqueName(name: string, dataSource: string, taken: ReadonlySet<string>): string {
  return taken.has(name) ? uniqueName(`${dataSource}.${name}`, dataSource, taken) : name;
}

function renamedObject(object: DataObject, rename: (name: string) => string): DataObject {
  const foreignKeys = object.foreignKeys.map(({ references, ...key }) => ({
    ...key,
    references: { ...references, dataObject: rename(references.dataObject) },
  }));
  return { ...object, name: rename(object.name), foreignKeys };
}

async function write(
  draft: Draft,
  reading: DraftReading,
  { output, signal }: NewGraphOptions,
  projectContext: ProjectContext,
): Promise<NewGraph> {
  signal.throwIfAborted();
  await writeInto(output, draft.text, projectContext);
  const { warnings } = reading;
  return {
    chosen: draft.chosen,
    choices: draft.choices,
    leftOut: [...draft.leftOut, ...reading.leftOut],
    ...(warnings.length > 0 && { warnings }),
  };
}

/** An event log says what its graph is, and nothing is guessed about it. */
function noPartOfOthers(dataSource: string): OperationError {
  return new OperationError({
    code: 'unknown-data-object',
    message: `${dataSource} is an event log, which cannot be drafted together with other data sources.`,
    remedy: `Write its own graph with entity-graph new ${dataSource}, and add its elements to the other graph.`,
  });
}

/** A graph without elements would look like success. */
function nothingToDraft({ dataSource, warnings }: Catalog): OperationError {
  const why = warnings.length === 0 ? '' : ` ${warnings.join(' ')}`;
  return new OperationError({
    code: 'unknown-data-object',
    message: `${dataSource} has no table or file to make a graph of.${why}`,
    remedy: `Correct its settings in the data sources file, until entity-graph objects ${dataSource} lists what the graph is about.`,
  });
}

/** Asks one thing after the other: an answer may settle or raise other questions. */
async function settled(
  draft: DraftReading['draft'],
  answers: readonly DraftAnswer[],
  ask: NonNullable<NewGraphOptions['ask']>,
): Promise<Draft> {
  for (let known = answers; ;) {
    const made = draft(known);
    const choice = openChoice(made, known);
    if (!choice) return made;
    const { dataObject, role } = choice;
    known = [...known, { dataObject, role, columns: await ask(choice) }];
  }
}

function openChoice({ choices }: Draft, answers: readonly DraftAnswer[]): DraftChoice | undefined {
  return choices.find(
    ({ dataObject, role }) => !answers.some((answer) => answer.dataObject === dataObject && answer.role === role),
  );
}

/** Writes a graph without elements. */
export async function newEmptyGraph(
  output: string,
  { name, dataSource }: { readonly name: string; readonly dataSource: string },
  projectContext: ProjectContext,
): Promise<void> {
  checkName(output);
  await checkNewGraph(output);
  // JSON strings are valid YAML, so any name is safe.
  const text = `version: 1\nname: ${JSON.stringify(name)}\ndataSource: ${JSON.stringify(dataSource)}\n`;
  await writeInto(output, newText({ version: 1, name, dataSource }, text), projectContext);
}

function specialElements(catalog: Catalog, objects: readonly DataObject[]): ReadonlyMap<string, DraftElement> {
  const special = sourceKind(catalog.kind)?.scaffoldElement;
  return new Map(
    objects.flatMap((object) => {
      const element = special?.(object, objects);
      if (!element) return [];
      const { startTimestamp, key, ...rest } = element;
      const drafted: DraftElement = {
        ...rest,
        key: key === undefined ? undefined : [key],
        start: { column: startTimestamp },
        objects: [],
        reasons: {},
      };
      return [[object.name, drafted] as const];
    }),
  );
}

function chosenObjects(catalog: Catalog, names: readonly string[] | undefined): ReturnType<typeof draftable> {
  if (!names) return draftable(catalog);
  const objects = names.map((name) => {
    const object = findDataObject(catalog, name);
    if (object) return object;
    throw unknownObject(name, [catalog]);
  });
  return { objects, leftOut: [] };
}

function unknownObject(name: string, catalogs: readonly Catalog[]): OperationError {
  const nearest = nearestName(
    name,
    catalogs.flatMap(({ objects }) => objects.map((each) => each.name)),
  );
  return new OperationError({
    code: 'unknown-data-object',
    message: `${name} is not a data object of ${catalogs.map(({ dataSource }) => dataSource).join(' or ')}.`,
    ...(nearest === undefined ? {} : { remedy: `Did you mean ${nearest}?` }),
  });
}

/** Longer files are not looked into. */
const mostBlankBytes = 1000;

/** A file that holds nothing, as an editor creates it, counts as new. */
async function checkNewGraph(output: string): Promise<void> {
  const { exists, real } = await checkFileTarget(output);
  if (exists && !(await isBlank(real))) throw fileExists(output);
}

async function isBlank(path: string): Promise<boolean> {
  const { size } = await stat(path);
  return size <= mostBlankBytes && (await readFile(path, 'utf8')).trim() === '';
}

/** Writes a new file, also in place of a blank one. */
async function writeInto(output: string, text: string, projectContext: ProjectContext): Promise<void> {
  const { exists, real } = await checkFileTarget(output);
  if (exists && (await isBlank(real))) await rm(real);
  await writeNew(output, text, projectContext);
}
