import { readFile, rm, stat } from 'node:fs/promises';
import type { DraftOutcome, FurtherSource } from '../../../../protocol/first-draft.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import { type Draft, draftGraph, proposedDraft } from '../../draft/draft.ts';
import type { DraftAnswer, DraftChoice, DraftColumn, OmittedObject } from '../../draft/draft-choice.ts';
import { checkFileTarget, fileExists } from '../../files/write-target.ts';
import { newText } from '../../model/edits/new-text.ts';
import type { ProjectContext, SourcesFile } from '../../project/open-project.ts';
import { OperationError } from '../operation-error.ts';
import { checkName, writeNew } from './copy-graph.ts';
import { type DraftColumnChoice, assertChoicesUsed, resolveColumnChoices } from './draft-column-choices.ts';
import { type SourcePart, readSource, unknownObject } from './read-source.ts';

export interface NewGraphOptions {
  /** Names of data objects; default: all of the source. */
  readonly objects?: readonly string[] | undefined;
  /** Data sources of the draft beside the first. */
  readonly furtherSources?: readonly FurtherSource[] | undefined;
  /** Name of the graph; default: that of its source. */
  readonly name?: string | undefined;
  readonly output: string;
  /** The graph may exist: its draft is made again, and the caller writes it. */
  readonly isRepeated?: boolean | undefined;
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

/**
 * Writes a first graph of a source, with cases, activities, times and objects guessed from names, types and rows. Throws
 * an `OperationError` that says why when nothing of the source can be part of it.
 */
export async function newGraph(
  sourcesFile: SourcesFile,
  dataSource: string,
  options: NewGraphOptions,
  projectContext: ProjectContext,
): Promise<NewGraph> {
  const { draft, reading } = await draftOf(sourcesFile, dataSource, options, projectContext);
  return write(draft, reading, options, projectContext);
}

/** The same with its text, which is not written. The output only says where it belongs. */
export async function draftedGraph(
  sourcesFile: SourcesFile,
  dataSource: string,
  options: Omit<NewGraphOptions, 'isRepeated'>,
  projectContext: ProjectContext,
): Promise<NewGraph & { readonly text: string }> {
  const unwritten = { ...options, isRepeated: true };
  const { draft, reading } = await draftOf(sourcesFile, dataSource, unwritten, projectContext);
  return { text: draft.text, ...told(draft, reading) };
}

async function draftOf(
  sourcesFile: SourcesFile,
  dataSource: string,
  options: NewGraphOptions,
  projectContext: ProjectContext,
): Promise<{ readonly draft: Draft; readonly reading: DraftReading }> {
  const { ask } = options;
  const reading = await readForDraft(sourcesFile, dataSource, options, projectContext);
  const answers = [...(options.answers ?? []), ...reading.given];
  const draft = ask ? await settled(reading.draft, answers, ask) : reading.draft(answers);
  assertChoicesUsed(draft, reading.given);
  if (draft.model.elements.length + draft.model.entities.length === 0) throw nothingDrafted(draft, reading);
  return { draft, reading };
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

/** A first graph that is not written: equally good columns are left to the caller, who can give an answer for each. */
export async function draftNewGraph(
  sourcesFile: SourcesFile,
  dataSource: string,
  options: Omit<NewGraphOptions, 'ask'> & { readonly answers: readonly DraftAnswer[] },
  projectContext: ProjectContext,
): Promise<Pick<Draft, 'text' | 'chosen'> & { readonly choice?: DraftChoice | undefined }> {
  const reading = await readForDraft(sourcesFile, dataSource, options, projectContext);
  const draft = reading.draft(options.answers);
  assertChoicesUsed(draft, options.answers);
  return { text: draft.text, chosen: draft.chosen, choice: openChoice(draft, options.answers) };
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
  if (options.isRepeated !== true) await checkNewGraph(output);
  const parts: SourcePart[] = [];
  const isAlone = furtherSources.length === 0;
  const sources = new Map<string, FurtherSource>();
  for (const each of [{ dataSource }, ...furtherSources]) {
    if (!sources.has(each.dataSource)) sources.set(each.dataSource, each);
  }
  for (const each of sources.values()) {
    const taken = new Set(parts.flatMap(({ inputs }) => inputs.map(({ object }) => object.name)));
    const isFirst = parts.length === 0;
    const ofDraft = { ...options, ownObjects: each.objects, isFirst, isAlone, taken };
    parts.push(await readSource(sourcesFile, each.dataSource, ofDraft, projectContext));
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

async function write(
  draft: Draft,
  reading: DraftReading,
  { output, signal }: NewGraphOptions,
  projectContext: ProjectContext,
): Promise<NewGraph> {
  signal.throwIfAborted();
  await writeInto(output, draft.text, projectContext);
  return told(draft, reading);
}

function told(draft: Draft, { leftOut, warnings }: DraftReading): NewGraph {
  return {
    chosen: draft.chosen,
    choices: draft.choices,
    leftOut: [...draft.leftOut, ...leftOut],
    ...(warnings.length > 0 && { warnings }),
  };
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

function nothingDrafted({ leftOut }: Draft, reading: DraftReading): OperationError {
  const why = [...leftOut, ...reading.leftOut].map(({ dataObject, reason }) => `${dataObject}: ${reason}.`);
  const more = why.length - mostReasons;
  const shown = [...why.slice(0, mostReasons), ...(more > 0 ? [`${more} more.`] : [])];
  return new OperationError({
    code: 'unknown-data-object',
    message: ['No table or file has events that can be drafted.', ...shown].join(' '),
    remedy: 'Mend what is said of one of them, choose its columns with --choose, or write the graph by hand.',
  });
}

/** Reasons of data objects in one message. */
const mostReasons = 5;

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
