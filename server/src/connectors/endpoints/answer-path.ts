/** Explains the form of a path in messages. */
export const answerPathForm =
  'names separated by dots, with [0] or [-1] for a place in a list, such as result[0].items, or header:NAME';

/**
 * The names and places of a path such as `$.result[0].items`, from the outside in; those of lists are numbers, from the end if
 * negative. A header
 * of the response, such as `header:X-Total-Count`, is one name in lower case. Undefined for another form.
 */
export function readAnswerPath(text: string): readonly string[] | undefined {
  if (text.startsWith(headerMark)) {
    return headerPattern.test(text.slice(headerMark.length)) ? [text.toLowerCase()] : undefined;
  }
  const steps: string[] = [];
  for (const part of text.replace(/^\$(?=[.[]|$)/, '').split('.')) {
    const [, name, places = ''] = /^([^[\]]*)((?:\[-?\d+\])*)$/.exec(part) ?? [];
    if (name === undefined) return undefined;
    if (name !== '') steps.push(name);
    steps.push(...Array.from(places.matchAll(/-?\d+/g), ([place]) => place));
  }
  return steps;
}

/** The name of the header that a path leads to; undefined for a path into the body. */
export function headerOf([first = '']: readonly string[]): string | undefined {
  return first.startsWith(headerMark) ? first.slice(headerMark.length) : undefined;
}

const headerMark = 'header:';

/** A token of RFC 9110, section 5.6.2. */
export const headerPattern = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;
