/**
 * Resolves as soon as the condition holds: for changes without an event.
 * @param seen describes the state on timeout.
 */
export async function waitFor(
  what: string,
  condition: () => boolean | Promise<boolean>,
  seen: () => unknown = () => undefined,
): Promise<void> {
  const end = Date.now() + 60_000;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`Waited in vain until ${what}. ${JSON.stringify(seen()) ?? ''}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
