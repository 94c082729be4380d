/** A kind of id that operations need, with the placeholder that stands for it in their variables. */
export interface IdKind {
  readonly placeholder: string;
  /** The root fields whose results have it. */
  readonly madeBy: readonly string[];
  /** What to do first if there is none. */
  readonly hint: string;
  /** The operation that makes one, by its name. */
  readonly maker: string;
  /** The operation that follows what a mutation has made. Its button has the label. */
  readonly follow?: { readonly operation: string; readonly label: string } | undefined;
}

export interface LastIdsOptions {
  /** The browser's localStorage. */
  readonly storage: { getItem(key: string): string | null; setItem(key: string, value: string): void };
  readonly kinds: readonly IdKind[];
}

export interface LastIds {
  /** Remembers the ids in the JSON of a result. Returns the kinds whose objects can be followed now. */
  note(result: unknown): readonly IdKind[];
  /** Replaces placeholders, and ids that it filled in before, by the last ids. `missing`: no id of this kind was made yet. */
  fill(operation: string, variables: string): { readonly text: string; readonly missing: IdKind | undefined };
}

/**
 * Remembers the last ids that this browser has made. The source text of this function is inlined in the page, so it must be
 * self-contained.
 */
export function createLastIds({ storage, kinds }: LastIdsOptions): LastIds {
  type Fields = Readonly<Record<string, unknown>>;
  const [lastKey, filledKey] = ['gengraph:lastIds', 'gengraph:filledIds'];
  const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
  // Other windows write it too, so it is read each time.
  const read = (key: string): Record<string, string> => {
    try {
      const stored: unknown = JSON.parse(storage.getItem(key) ?? '{}');
      const entries = isFields(stored) ? Object.entries(stored) : [];
      return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
    } catch {
      return {};
    }
  };
  const write = (key: string, values: Fields): void => {
    try {
      storage.setItem(key, JSON.stringify(values));
    } catch {
      // The storage is full. The user can still paste ids.
    }
  };
  const idOf = ({ placeholder }: IdKind, made: Fields): string | undefined => {
    const [prefix = ''] = placeholder.split('_');
    const part = made[prefix];
    const partId = isFields(part) ? part['id'] : undefined;
    const generation = made['generationId'] ?? (made['__typename'] === 'Generation' ? made['id'] : undefined);
    const id = prefix === 'generation' ? generation : partId;
    return typeof id === 'string' && id.startsWith(`${prefix}_`) && /^[\w-]{1,500}$/.test(id)
      ? id
      : undefined;
  };
  const isFollowable = ({ follow }: IdKind, made: Fields): boolean => {
    const { task, status } = made;
    const isTracked = !isFields(task) || task['tracking'] !== 'NOT_TRACKABLE';
    return follow !== undefined && isTracked && /^(SUBMITTED|QUEUED|RUNNING)$/.test(String(status));
  };
  return {
    note(result) {
      const data = isFields(result) && isFields(result['data']) ? result['data'] : {};
      const last = read(lastKey);
      const followable: IdKind[] = [];
      let isChanged = false;
      for (const kind of kinds) {
        for (const field of kind.madeBy) {
          const made = data[field];
          const id = isFields(made) ? idOf(kind, made) : undefined;
          if (!isFields(made) || id === undefined) continue;
          if (isFollowable(kind, made)) followable.push(kind);
          isChanged ||= last[kind.placeholder] !== id;
          last[kind.placeholder] = id;
        }
      }
      if (isChanged) write(lastKey, last);
      return followable;
    },
    fill(operation, variables) {
      const last = read(lastKey);
      const filled = read(filledKey);
      let text = variables;
      let missing: IdKind | undefined;
      for (const kind of kinds) {
        const { placeholder } = kind;
        const id = last[placeholder];
        const key = `${operation} ${placeholder}`;
        const earlier = filled[key];
        const isFilled = earlier !== undefined && text.includes(`"${earlier}"`);
        if (id !== undefined && (isFilled || text.includes(`"${placeholder}"`))) {
          text = text.replaceAll(`"${isFilled ? earlier : placeholder}"`, `"${id}"`);
          filled[key] = id;
        } else if (text.includes(`"${placeholder}"`)) missing ??= kind;
      }
      if (text !== variables) write(filledKey, filled);
      return { text, missing };
    },
  };
}
