/** A JSON Schema (2020-12). */
type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * What `--allow` names: `reach`, data sources are read and graphs imported; `edit`, files of entity graphs are written;
 * `write`, graphs are built in data sources.
 */
export const permissions = ['reach', 'edit', 'write'] as const;
export type Permission = (typeof permissions)[number];

/** An argument of a tool, which becomes an option of the command. */
interface ToolArgument {
  /** A `path` is that of a data sources file of the workspace, a `revision` a name in Git. */
  readonly type: 'text' | 'path' | 'revision' | 'count' | 'place' | 'flag' | 'list';
  readonly description: string;
  /** It is no option, but stands after the operand. */
  readonly isOperand?: true;
  /** Stands in an option of its own, in one text with commas. */
  readonly isJoined?: true;
  readonly choices?: readonly string[];
  readonly isRequired?: true;
}

/** A command of the command line as a tool, or one of `edit-graph.ts`. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Absent for `read_graph`, which is none. */
  readonly command?: string;
  /** What the command is about, as its argument of this name: a file of the workspace, or the name of a data source. */
  readonly operand?: 'file' | 'source' | 'sources';
  /** The command is about the folder of the workspace. */
  readonly isAboutFolder?: true;
  /** By option of the command; the argument is called like it, in camel case. */
  readonly options?: Readonly<Record<string, ToolArgument>>;
  /** Arguments that the command does not know, named in the same way. */
  readonly ownOptions?: Readonly<Record<string, ToolArgument>>;
  /** Words of the command line that every call has. */
  readonly fixed?: readonly string[];
  /** The argument `text` is the text of the file, which need not be saved, for stdin. */
  readonly takesText?: string;
  /** The argument `edits` has edits of what the file means, for stdin in place of a text. */
  readonly takesEdits?: true;
  /** Of the answer; lists of the command are its `items`. */
  readonly answer: JsonSchema;
  /** What a server has to be started with; absent if it reads nothing but the folder. */
  readonly needs?: Permission;
  /** Where `reach` is allowed, it reads data sources, too. */
  readonly mayReach?: true;
  /** Where `write` is allowed, it writes in data sources, too. */
  readonly mayWrite?: true;
  /** The answer has rows, which are cut where they are many or long. */
  readonly hasRows?: true;
  /** Replaces the imported graph, or writes a file. */
  readonly writes?: true;
}

/** An answer to a call, which the model reads as such. */
export class ToolError extends Error {
  override name = 'ToolError';
}

const argumentSchemas: Readonly<Record<ToolArgument['type'], JsonSchema>> = {
  text: { type: 'string' },
  path: { type: 'string' },
  revision: { type: 'string' },
  count: { type: 'integer', minimum: 1 },
  place: { type: 'integer', minimum: 0 },
  flag: { type: 'boolean' },
  list: { type: 'array', items: { type: 'string' } },
};

const operandDescriptions = {
  file: 'The entity graph or file of tests: its path in the workspace, as list_graphs has it.',
  source: 'The name of a data source of the data sources file.',
  sources: 'The data sources file.',
} as const;

const editsSchema = {
  type: 'array',
  description: `Edits of what the saved file means, in place of text; all else stays as it is written. set puts a value at a path, such as {"kind":"set","path":["elements",0,"key"],"value":"id"}; null removes it, and the place after the last appends. The others are those of the canvas, which also follow names: addElement {dataObject}, configureElement {element, values}, addMasterData {dataObject}, configureMasterData {entry, values}, addRelationship {source, target, mappings: [{source, target}]}, configureRelationship {relationship, values}, duplicateElement {element}, remove {elements, relationships}, selectDataObjects {dataObjects: [{name}]}, setGraphText {field, text}. An element is named by its activity.`,
  items: { type: 'object', properties: { kind: { type: 'string' } }, required: ['kind'] },
} as const;

/** Of the arguments of a tool. */
export function inputSchema({ operand, options = {}, ownOptions = {}, takesText, takesEdits }: Tool): JsonSchema {
  const named = Object.entries({ ...options, ...ownOptions });
  return {
    type: 'object',
    properties: {
      ...(operand && { [operand]: { type: 'string', description: operandDescriptions[operand] } }),
      ...(takesText !== undefined && { text: { type: 'string', description: takesText } }),
      ...(takesEdits && { edits: editsSchema }),
      ...Object.fromEntries(
        named.map(([option, { type, description, choices }]) => [
          argumentName(option),
          { ...argumentSchemas[type], description, ...(choices && { enum: choices }) },
        ]),
      ),
    },
    required: [
      ...(operand ? [operand] : []),
      ...named.flatMap(([option, { isRequired }]) => (isRequired ? [argumentName(option)] : [])),
    ],
    additionalProperties: false,
  };
}

/**
 * The options of a call as arguments of the command line. Rejects with a `ToolError` for arguments that do not fit.
 * @param place the absolute path of a data sources file of the workspace; rejects with a `ToolError` for others
 */
export async function optionsOf(
  tool: Tool,
  given: Readonly<Record<string, unknown>>,
  place: (path: string) => Promise<string>,
): Promise<readonly string[]> {
  const own = tool.ownOptions ?? {};
  const options = Object.entries({ ...tool.options, ...own });
  const known = [
    ...(tool.operand ? [tool.operand] : []),
    ...(tool.takesText === undefined ? [] : ['text']),
    ...(tool.takesEdits ? ['edits'] : []),
    ...options.map(([option]) => argumentName(option)),
  ];
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const has = known.length === 0 ? 'none' : known.join(', ');
    throw new ToolError(`${tool.name} has no argument ${unknown}. It has: ${has}.`);
  }
  const found = options.map(async ([option, argument]) => {
    const name = argumentName(option);
    const value = given[name];
    if (value === undefined || value === null) {
      if (argument.isRequired) throw new ToolError(`${tool.name} needs ${name}: ${argument.description}`);
      return [];
    }
    if (!fits(value, argument)) {
      const what = argument.choices ? `one of ${argument.choices.join(', ')}` : expected[argument.type];
      throw new ToolError(`${name} of ${tool.name} is ${what}.`);
    }
    if (argument.isOperand || option in own) return [];
    if (argument.type === 'flag') return value === true ? [`--${option}`] : [];
    if (argument.type === 'path') return [`--${option}=${await place(String(value))}`];
    if (argument.isJoined) return [`--${option}=${(value as readonly string[]).join(',')}`];
    return (Array.isArray(value) ? value : [value]).map((each) => `--${option}=${String(each)}`);
  });
  return (await Promise.all(found)).flat();
}

/** The text of the operand. Throws `ToolError`. */
export function operandOf(tool: Tool, given: Readonly<Record<string, unknown>>): string | undefined {
  if (!tool.operand) return undefined;
  const value = given[tool.operand];
  if (typeof value === 'string' && value !== '' && !value.includes('\0')) return value;
  throw new ToolError(`${tool.name} needs ${tool.operand}: ${operandDescriptions[tool.operand]}`);
}

/** What stands after the operand of a call whose options fit. Throws `ToolError`. */
export function furtherOperands(tool: Tool, given: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(tool.options ?? {}).flatMap(([option, { isOperand }]) => {
    const value = isOperand ? given[argumentName(option)] : undefined;
    return value === undefined || value === null ? [] : [value].flat().map(String);
  });
}

/** The edits of a file as JSON, if they are given. Throws `ToolError`. */
export function editsOf(tool: Tool, given: Readonly<Record<string, unknown>>): string | undefined {
  const { edits, text } = given;
  if (!tool.takesEdits || edits === undefined || edits === null) return undefined;
  if (text !== undefined && text !== null) throw new ToolError(`${tool.name} takes text or edits, not both.`);
  if (Array.isArray(edits)) return JSON.stringify(edits);
  throw new ToolError(`edits of ${tool.name} is a list of edits.`);
}

/** The text of a file, if it is given. Throws `ToolError`. */
export function textOf(tool: Tool, given: Readonly<Record<string, unknown>>): string | undefined {
  const { text } = given;
  if (tool.takesText === undefined || text === undefined || text === null) return undefined;
  if (typeof text === 'string') return text;
  throw new ToolError(`text of ${tool.name} is a text: ${tool.takesText}`);
}

/** `entity-type` is the argument `entityType`. */
function argumentName(option: string): string {
  return option.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

const expected: Readonly<Record<ToolArgument['type'], string>> = {
  text: 'a text',
  path: 'a text',
  revision: 'last, a commit or a branch',
  count: 'a whole number of at least 1',
  place: 'a whole number of at least 0',
  flag: 'true or false',
  list: 'a list of texts',
};

function fits(value: unknown, { type, choices }: ToolArgument): boolean {
  switch (type) {
    case 'text':
    case 'path':
      return typeof value === 'string' && !value.includes('\0') && (choices?.includes(value) ?? true);
    case 'revision':
      // Not the path of a file.
      return typeof value === 'string' && /^(?!.*\.\.)[\w][\w./@{}^~+-]*$/.test(value);
    case 'count':
      return Number.isSafeInteger(value) && Number(value) >= 1;
    case 'place':
      return Number.isSafeInteger(value) && Number(value) >= 0;
    case 'flag':
      return typeof value === 'boolean';
    case 'list':
      return Array.isArray(value) && value.every((each) => typeof each === 'string' && !each.includes('\0'));
  }
}
