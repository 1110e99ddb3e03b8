import type { EndpointMethod } from '../../../../../protocol/platform-actions.ts';
import { bodySkeleton } from './body-skeleton.ts';
import type { Described, OpenApiDocument } from './document.ts';
import { serverPath } from './server-path.ts';

/** An operation of a document. */
export interface DescribedOperation {
  readonly method: EndpointMethod;
  /** Path with parameters in braces, as in the document. */
  readonly path: string;
  /** One-line summary. */
  readonly summary: string;
  readonly parameters: readonly DescribedParameter[];
  /** Initial JSON body, indented; absent without a schema. */
  readonly body?: string;
  /** Content types of the body, if JSON is none of them. */
  readonly otherBodies?: readonly string[];
}

export interface DescribedParameter {
  readonly name: string;
  readonly place: 'path' | 'query' | 'header' | 'cookie';
  readonly isRequired: boolean;
  /** One-line description. */
  readonly comment: string;
  /** All allowed values; empty if not restricted. */
  readonly values: readonly string[];
  /** Its default, or an example. */
  readonly value?: string;
}

const methods: readonly EndpointMethod[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** All operations of a document, by path in document order. */
export function describedOperations(document: OpenApiDocument, basePath = '/'): readonly DescribedOperation[] {
  const prefix = serverPath(document.root, basePath);
  return Object.entries(document.object(document.root['paths']) ?? {}).flatMap(([path, item]) => {
    const shared = path.startsWith('/') ? document.object(item) : undefined;
    if (!shared) return [];
    return methods.flatMap((method): readonly DescribedOperation[] => {
      const operation = document.object(shared[method.toLowerCase()]);
      if (!operation) return [];
      const given = parametersOf(document, [shared, operation]);
      const parameters = given.map((each) => parameterOf(document, each)).filter((each) => each !== undefined);
      const summary = firstLine([operation['summary'], operation['description'], operation['operationId']]);
      const body = method === 'GET' ? {} : bodyOf(document, operation, given, method);
      return [{ method, path: `${prefix}${path}`, summary, parameters, ...body }];
    });
  });
}

/** Operation parameters override path parameters. */
function parametersOf(document: OpenApiDocument, places: readonly Described[]): readonly Described[] {
  const found = new Map<string, Described>();
  for (const { parameters } of places) {
    for (const each of Array.isArray(parameters) ? (parameters as readonly unknown[]) : []) {
      const parameter = document.object(each);
      if (typeof parameter?.['name'] === 'string')
        found.set(JSON.stringify([parameter['in'], parameter['name']]), parameter);
    }
  }
  return [...found.values()];
}

/** Undefined for body parameters. */
function parameterOf(document: OpenApiDocument, given: Described): DescribedParameter | undefined {
  const { name, in: place, required, description } = given;
  if (typeof name !== 'string' || (place !== 'path' && place !== 'query' && place !== 'header' && place !== 'cookie')) {
    return undefined;
  }
  // Version 2.0 puts schema properties on the parameter itself.
  const schema = document.object(given['schema']) ?? given;
  const one = document.object(schema['items']) ?? schema;
  const value = [given['default'], given['example'], schema['default'], schema['example']].find(isScalar);
  return {
    name,
    place,
    isRequired: required === true || place === 'path',
    comment: firstLine([description, schema['description']]),
    values: valuesOf(one),
    ...(value !== undefined && { value: String(value) }),
  };
}

function valuesOf({ enum: values, type }: Described): readonly string[] {
  if (Array.isArray(values)) return values.filter(isScalar).map(String);
  return type === 'boolean' ? ['true', 'false'] : [];
}

function isScalar(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

function bodyOf(
  document: OpenApiDocument,
  operation: Described,
  parameters: readonly Described[],
  method: EndpointMethod,
): Pick<DescribedOperation, 'body' | 'otherBodies'> {
  const isPart = method === 'PATCH';
  // Version 2.0 has bodies and forms among the parameters.
  const own = parameters.find((each) => each['in'] === 'body');
  if (own) return { body: bodyText(bodySkeleton(document, own['schema'], isPart)) };
  if (parameters.some((each) => each['in'] === 'formData')) return { otherBodies: ['multipart/form-data'] };
  const content = document.object(document.object(operation['requestBody'])?.['content']);
  if (!content) return {};
  const types = Object.keys(content);
  const json = types.find((type) => /^(?:application\/(?:[\w.+-]*\+)?json\b|\*\/\*|application\/\*)/i.test(type));
  if (json === undefined) return types.length > 0 ? { otherBodies: types } : {};
  const media = document.object(content[json]) ?? {};
  const example = isPart ? undefined : exampleOf(document, media);
  return { body: bodyText(example ?? bodySkeleton(document, media['schema'], isPart)) };
}

function exampleOf(document: OpenApiDocument, { example, examples }: Described): unknown {
  const [first] = Object.values(document.object(examples) ?? {});
  return example ?? document.object(first)?.['value'];
}

function bodyText(value: unknown): string {
  return JSON.stringify(value, undefined, 2);
}

function firstLine(texts: readonly unknown[]): string {
  const text = texts.find((each): each is string => typeof each === 'string' && each.trim() !== '') ?? '';
  return text.trim().split(/\r?\n/)[0] ?? '';
}
