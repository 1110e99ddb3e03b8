import type { ApiEndpoint, KnownParameter } from '../../../../protocol/api-explorer.ts';
import type { RestEndpoint } from '../endpoints/endpoint.ts';
import type { DescribedOperation, DescribedParameter } from './openapi/described-operations.ts';
import { ownParameters } from '../endpoints/own-parameters.ts';

export interface KnownService {
  readonly endpoints: readonly RestEndpoint[];
  readonly operations: readonly DescribedOperation[];
  /** Names of headers and parameters that are always sent, such as credentials. */
  readonly sent: { readonly headers: readonly string[]; readonly parameters: readonly string[] };
}

/**
 * The endpoints of a REST service for the explorer: configured and readable documented ones by name, then every other
 * operation of the document. Secrets are omitted.
 */
export function serviceEndpoints(
  { endpoints, operations, sent }: KnownService,
  secrets: readonly string[],
): readonly ApiEndpoint[] {
  const described = operations.map((each) => describedEndpoint(withoutSent(each, sent)));
  const lists = new Map(described.filter(({ method }) => method === 'GET').map((each) => [bare(each.path), each]));
  const own = new Set(endpoints.map(({ path }) => bare(path)));
  return [
    ...endpoints.map((each) => ownEndpoint(each, lists.get(bare(each.path)), secrets)),
    ...described.filter(({ method, path }) => method !== 'GET' || !own.has(bare(path))),
  ];
}

function withoutSent(operation: DescribedOperation, { headers, parameters }: KnownService['sent']): DescribedOperation {
  const known = new Set(headers.map((name) => name.toLowerCase()));
  const isSent = ({ place, name }: DescribedParameter): boolean =>
    place === 'header' ? known.has(name.toLowerCase()) : place === 'query' && parameters.includes(name);
  return { ...operation, parameters: operation.parameters.filter((each) => !isSent(each)) };
}

function bare(path: string): string {
  return (path.split('?')[0] ?? '').replace(/^\/+|\/+$/g, '');
}

function ownEndpoint(
  endpoint: RestEndpoint,
  described: ApiEndpoint | undefined,
  secrets: readonly string[],
): ApiEndpoint {
  const { name, path } = endpoint;
  const said = new Map(described?.parameters.map((each) => [each.name, each]));
  const given = ownParameters(endpoint, secrets);
  const named = new Set(given.map((each) => each.name));
  return {
    ...described,
    label: name,
    method: 'GET',
    path: path.startsWith('/') ? path : `/${path}`,
    parameters: [
      ...given.map((each) => together(each, said.get(each.name))),
      ...[...said.values()].filter((each) => !named.has(each.name)),
    ],
  };
}

/** Settings of a parameter override the document. */
function together(given: KnownParameter, said: KnownParameter | undefined): KnownParameter {
  if (!said) return given;
  const values = [...new Set([...(given.values ?? []), ...(said.values ?? [])])];
  return { ...said, hint: said.hint || given.hint, ...(values.length > 0 && { values }) };
}

function describedEndpoint({ method, path, summary, parameters, body, otherBodies }: DescribedOperation): ApiEndpoint {
  const at = (place: DescribedParameter['place']): readonly DescribedParameter[] =>
    parameters.filter((each) => each.place === place);
  const inPath = at('path').map(knownParameter);
  const notes = [
    ...[...at('header'), ...at('cookie')]
      .filter(({ isRequired }) => isRequired)
      .map(({ name, place }) => `It wants the ${place} ${name}, which requests from here do not have.`),
    ...(otherBodies ? [`It wants a body of type ${otherBodies.join(' or ')}; bodies from here are JSON.`] : []),
  ];
  return {
    label: `${method} ${path}`,
    method,
    path,
    ...(summary !== '' && { summary }),
    parameters: at('query').map(knownParameter),
    ...(inPath.length > 0 && { pathParameters: inPath }),
    ...(body !== undefined && { body }),
    ...(notes.length > 0 && { notes }),
  };
}

function knownParameter({ name, comment, isRequired, values, value }: DescribedParameter): KnownParameter {
  return {
    name,
    hint: comment,
    ...(values.length > 0 ? { values } : value !== undefined && { values: [value] }),
    ...(isRequired && { required: true, ...(value !== undefined && { value }) }),
  };
}
