import type { ApiEndpoint } from '../../../../protocol/api-explorer.ts';
import { redactSecrets } from '../redact-secrets.ts';
import type { RestEndpoint } from './endpoint.ts';
import { hasAnyPlaceholder, valuesOf } from './parameter-template.ts';

/** Parameters of a configured endpoint; values with secrets or placeholders are omitted. */
export function ownParameters(
  { parameters, pagination }: Pick<RestEndpoint, 'parameters' | 'pagination'>,
  secrets: readonly string[],
): ApiEndpoint['parameters'] {
  const isProposed = (value: string): boolean => !hasAnyPlaceholder(value) && redactSecrets(value, secrets) === value;
  const paging = pagination
    ? [pagination.limitParameter, 'parameter' in pagination ? pagination.parameter : undefined].filter(
        (each) => each !== undefined,
      )
    : [];
  return [
    ...Object.entries(parameters).map(([each, value]) => {
      const values = valuesOf(value).filter(isProposed);
      return { name: each, hint: '', ...(values.length > 0 && { values }) };
    }),
    ...paging.map((each) => ({ name: each, hint: 'paging' })),
  ];
}
