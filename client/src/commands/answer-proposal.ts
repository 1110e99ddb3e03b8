import type { Command } from './command.ts';

/** Applies the edit that an agent proposes, and whose difference is shown. */
export const applyProposal: Command = async ({ proposedEdits }, [proposal]) =>
  Promise.resolve(proposedEdits.answer(proposal, true));

export const refuseProposal: Command = async ({ proposedEdits }, [proposal]) =>
  Promise.resolve(proposedEdits.answer(proposal, false));
