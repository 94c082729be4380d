import { z } from 'zod';
import type { CrossRule, InputLimits } from '../../generations/check-input.ts';
import { limitedText } from '../../generations/limited-text.ts';
import type { AdjustSongSpeedInput, CreateSongCoverInput, CreateSongInput } from './inputs.ts';

/** All members that the document declares for /music/submit/music, of both forms of its request. */
const submitMusicMembers = [
  'gpt_description_prompt',
  'make_instrumental',
  'mv',
  'prompt',
  'tags',
  'title',
  'cover_clip_id',
];

/** The gateway's document, "Limits", row Music. Lyrics have at most 3000 characters; the description has no limit. */
export const songLimits: InputLimits<CreateSongInput> = {
  members: z.object({ description: z.string().trim().min(1) }),
  rules: {},
  declared: submitMusicMembers,
  renamed: {
    gpt_description_prompt: 'description',
    make_instrumental: 'isInstrumental',
    mv: 'model',
    prompt: 'lyrics of createSongCover',
    tags: 'style of createSongCover',
    title: 'title of createSongCover',
    cover_clip_id: 'clipId of createSongCover',
  },
};

const vocalsNeedLyrics: CrossRule<CreateSongCoverInput> = ({ isInstrumental, lyrics }, report) => {
  if (isInstrumental || lyrics?.trim()) return;
  report(['lyrics'], {
    message: 'A cover with vocals needs its lyrics. For an instrumental, set isInstrumental.',
    limit: '1 to 3000 characters',
    received: lyrics ?? undefined,
  });
};

export const songCoverLimits: InputLimits<CreateSongCoverInput> = {
  members: z.object({
    clipId: z.string().trim().min(1),
    lyrics: limitedText({ max: 3000 }).nullish(),
    style: limitedText({ max: 200 }).nullish(),
  }),
  rules: { 'A cover with vocals needs lyrics: set lyrics or isInstrumental.': vocalsNeedLyrics },
  declared: submitMusicMembers,
  renamed: {
    prompt: 'lyrics',
    tags: 'style',
    make_instrumental: 'isInstrumental',
    mv: 'model',
    cover_clip_id: 'clipId',
    gpt_description_prompt: 'description of createSong',
  },
};

export const songSpeedLimits: InputLimits<AdjustSongSpeedInput> = {
  members: z.object({ clipId: z.string().trim().min(1), speed: z.number().min(0.25).max(4) }),
  rules: {},
  declared: ['clip_id', 'speed', 'keep_pitch'],
};
