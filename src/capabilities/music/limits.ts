import { z } from 'zod';
import type { ExpressedRule, InputLimits } from '../../generations/check-input.ts';
import { limitedText } from '../../generations/limited-text.ts';
import { has, hasValue, notBlank } from '../../generations/rule-schemas.ts';
import { declaredBy } from '../../generations/wire-names.ts';
import { songCoverNames, songNames, songSpeedNames } from './client.ts';
import type { AdjustSongSpeedInput, CreateSongCoverInput, CreateSongInput } from './inputs.ts';

/** The gateway's document, "Limits", row Music. Lyrics have at most 3000 characters; the description has no limit. */
export const songLimits: InputLimits<CreateSongInput> = {
  members: z.object({ description: z.string().trim().min(1) }),
  ...declaredBy(songNames, { createSongCover: songCoverNames }),
};

const vocalsNeedLyrics: ExpressedRule<CreateSongCoverInput> = {
  schema: { anyOf: [hasValue('isInstrumental', true), has('lyrics', { type: 'string', ...notBlank })] },
  check({ isInstrumental, lyrics }, report) {
    if (isInstrumental || lyrics?.trim()) return;
    report(['lyrics'], {
      message: 'A cover with vocals needs its lyrics. For an instrumental, set isInstrumental.',
      limit: '1 to 3000 characters',
      received: lyrics ?? undefined,
    });
  },
};

export const songCoverLimits: InputLimits<CreateSongCoverInput> = {
  members: z.object({
    clipId: z.string().trim().min(1),
    lyrics: limitedText({ max: 3000 }).nullish(),
    style: limitedText({ max: 200 }).nullish(),
  }),
  rules: { 'A cover with vocals needs lyrics: set lyrics or isInstrumental.': vocalsNeedLyrics },
  ...declaredBy(songCoverNames, { createSong: songNames }),
};

export const songSpeedLimits: InputLimits<AdjustSongSpeedInput> = {
  members: z.object({ clipId: z.string().trim().min(1), speed: z.number().min(0.25).max(4) }),
  ...declaredBy(songSpeedNames),
};
