import { branchesOf, type Conversation, type Turn } from './conversation.ts';

export interface BranchesProps {
  readonly conversation: Conversation;
  readonly turn: Turn;
  readonly onShow: (turn: Turn) => void;
}

/** Steps through the other answers, and the other messages, at the place of a turn. */
export function Branches({ conversation, turn, onShow }: BranchesProps) {
  const branches = branchesOf(conversation, turn);
  const at = branches.findIndex(({ key }) => key === turn.key);
  const step = (label: string, sign: string, to: Turn | undefined) => (
    <button type="button" aria-label={label} disabled={!to} onClick={() => to && onShow(to)}>
      {sign}
    </button>
  );
  return branches.length > 1 ? (
    <span className="branches">
      {step('Previous branch', '‹', branches[at - 1])} {at + 1} of {branches.length}{' '}
      {step('Next branch', '›', branches[at + 1])}
    </span>
  ) : null;
}
