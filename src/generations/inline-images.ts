import { Tally } from '../lib/fairness/tally.ts';
import { type Json, stringsIn } from '../lib/json.ts';
import { once } from '../lib/once.ts';
import type { Store } from '../store/store.ts';
import { minMediaChars } from './without-media.ts';

/** Decides which requests are recorded with their inline images. */
export interface InlineImages {
  /** Call `release` once the request is recorded, or is not. */
  admit(owner: string, messages: Json | undefined): Promise<ImageRoom>;
}

export interface ImageRoom {
  /** False also for a request without inline images. */
  readonly isAdmitted: boolean;
  release(): void;
}

export interface InlineImagesOptions {
  readonly store: Pick<Store, 'measureInlineImages'>;
  readonly maxBytesPerOwner: number;
}

const noRoom: ImageRoom = { isAdmitted: false, release() {} };

/** Counts what this process is about to record too, so that concurrent creates share the limit. */
export function createInlineImages({ store, maxBytesPerOwner }: InlineImagesOptions): InlineImages {
  const pending = new Tally();
  return {
    async admit(owner, messages) {
      const bytes = sizeOfImages(messages);
      if (bytes === 0) return noRoom;
      pending.add(owner, bytes);
      const release = once(() => pending.add(owner, -bytes));
      const held = pending.of(owner);
      let isAdmitted = false;
      try {
        isAdmitted = held + (await store.measureInlineImages(owner)) <= maxBytesPerOwner;
      } finally {
        if (!isAdmitted) release();
      }
      return isAdmitted ? { isAdmitted, release } : noRoom;
    },
  };
}

export function isInlineImage(text: string): boolean {
  return text.length >= minMediaChars && /^data:image\/[\w.+-]+[;,]/i.test(text.slice(0, 200));
}

/** In characters, which are bytes in a data URI. */
export function sizeOfImages(value: Json | undefined): number {
  const images = stringsIn(value).filter(isInlineImage);
  return images.reduce((sum, { length }) => sum + length, 0);
}
