import { isRecord, type Json } from '../lib/json.ts';
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
  const pending = new Map<string, number>();
  const add = (owner: string, bytes: number): number => {
    const sum = (pending.get(owner) ?? 0) + bytes;
    if (sum > 0) pending.set(owner, sum);
    else pending.delete(owner);
    return sum;
  };
  return {
    async admit(owner, messages) {
      const bytes = sizeOfImages(messages);
      if (bytes === 0) return noRoom;
      let isHeld = true;
      const release = (): void => {
        if (isHeld) add(owner, -bytes);
        isHeld = false;
      };
      const held = add(owner, bytes);
      try {
        if (held + (await store.measureInlineImages(owner)) <= maxBytesPerOwner)
          return { isAdmitted: true, release };
      } catch (error) {
        release();
        throw error;
      }
      release();
      return noRoom;
    },
  };
}

export function isInlineImage(text: string): boolean {
  return text.length >= minMediaChars && /^data:image\/[\w.+-]+[;,]/i.test(text.slice(0, 200));
}

/** In characters, which are bytes in a data URI. */
export function sizeOfImages(value: Json | undefined): number {
  if (typeof value === 'string') return isInlineImage(value) ? value.length : 0;
  const members: readonly (Json | undefined)[] = Array.isArray(value)
    ? value
    : isRecord(value)
      ? Object.values(value)
      : [];
  return members.reduce<number>((sum, member) => sum + sizeOfImages(member), 0);
}
