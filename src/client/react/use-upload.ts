import { useMemo, useRef, useState } from 'react';
import type { Gengraph } from '../gengraph.ts';
import type { Outcome } from '../operate.ts';
import type { GengraphProblem } from '../problem.ts';
import { upload, type UploadedFile, type UploadOptions } from '../upload.ts';
import { useGengraph, useWith } from './context.ts';

export interface Upload {
  /** Uploads a file in place of the one before, which is canceled. It never rejects. */
  upload(file: Blob): Promise<Outcome<UploadedFile>>;
  /** Also forgets the problem. */
  cancel(): void;
  readonly isUploading: boolean;
  /** Why the last file was not taken. Null if it was canceled. */
  readonly problem: GengraphProblem | null;
}

/** Uploads one file at a time, such as that of a field. Unmounting cancels nothing. */
export function useUpload({ base }: Pick<UploadOptions, 'base'> = {}): Upload {
  const gengraph = useGengraph();
  const running = useRef<AbortController>(undefined);
  const [last, setLast] = useState<Shown>({ gengraph, state: idle });
  const actions = useMemo<Pick<Upload, 'upload' | 'cancel'>>(() => {
    const show = (state: State): void => setLast({ gengraph, state });
    return {
      async upload(file) {
        running.current?.abort();
        const { signal } = (running.current = new AbortController());
        show({ isUploading: true, problem: null });
        const outcome = await upload(gengraph, file, { signal, base });
        if (!signal.aborted) show({ isUploading: false, problem: outcome.problem ?? null });
        return outcome;
      },
      cancel() {
        running.current?.abort();
        show(idle);
      },
    };
  }, [gengraph, base]);
  return useWith(last.gengraph === gengraph ? last.state : idle, actions);
}

type State = Pick<Upload, 'isUploading' | 'problem'>;

interface Shown {
  /** An upload of another client, such as that of an earlier user, is not shown. */
  readonly gengraph: Gengraph;
  readonly state: State;
}

const idle: State = { isUploading: false, problem: null };
