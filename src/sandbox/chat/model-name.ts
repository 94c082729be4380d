/** A requested model name and its suffixes. */
export interface ModelName {
  /** The name without the suffixes that the gateway parses. It selects the channel. */
  readonly base: string;
  readonly isThinking: boolean;
  readonly isSearch: boolean;
  /** From a suffix like `-high`, which reasoning models have. */
  readonly effort: string | undefined;
}

/** Parses the suffixes `-thinking` and `-search`, in any order, and `-low`, `-medium`, `-high` of reasoning models. */
export function parseModelName(requested: string): ModelName {
  let base = requested;
  let isThinking = false;
  let isSearch = false;
  let effort: string | undefined;
  for (;;) {
    const match = /^(.+)-(thinking|search|low|medium|high)$/.exec(base);
    const rest = match?.[1];
    const suffix = match?.[2];
    if (rest === undefined || suffix === undefined) break;
    if (suffix === 'thinking') isThinking = true;
    else if (suffix === 'search') isSearch = true;
    // Suffixes like `-high` are part of the name of any other model.
    else if (/^(o\d|gpt-5)/.test(rest)) effort = suffix;
    else break;
    base = rest;
  }
  return { base, isThinking, isSearch, effort };
}
