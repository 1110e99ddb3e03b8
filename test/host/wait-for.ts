/** Resolves as soon as the condition holds: for what no event announces. @param seen says at the end of the time what there is instead. */
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
