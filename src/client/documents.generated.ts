/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
/** A song at another speed (POST /music/submit/adjust-speed). What is absent is not sent. */
export type AdjustSongSpeedInput = {
  /** Clip id of a generated or uploaded song: `clipId` of a song. Wire name `clip_id`. */
  readonly clipId: string | number;
  /** Further members of the request body: a JSON object with their wire names. What has a field of its own here is refused. */
  readonly extra?: unknown;
  /** Whether the song stays as high as it was; otherwise faster is higher and slower is lower. The gateway's own default when absent. Wire name `keep_pitch`. */
  readonly keepPitch?: boolean | null | undefined;
  /** How many times as fast, 0.25 to 4: 1 is as it was, 0.5 half as fast. */
  readonly speed: number;
};

/** File kind. */
export type AssetKind =
  /** Speech or music. */
  | 'AUDIO'
  /** Still or animated image. */
  | 'IMAGE'
  /** Video. */
  | 'VIDEO';

/** A span of a video, 1 to 3 seconds long, to the millisecond. Wire: `<start>,<end>`. */
export type CharacterTimestampsInput = {
  /** Where it ends, in seconds from the beginning of the video. */
  readonly end: number;
  /** Where it begins, in seconds from the beginning of the video. */
  readonly start: number;
};

/** A video with a character taken from another video: variant 2 of POST /v1/video/create. */
export type CharacterVideoInput = {
  /** Where in that video the character is; needs `characterUrl`. Wire name `character_timestamps`. */
  readonly characterTimestamps?: CharacterTimestampsInput | null | undefined;
  /** Http(s) address of the video that the character is taken from. That fails where it shows a real person. Wire name `character_url`. */
  readonly characterUrl?: string | null | undefined;
  /** Length in seconds: 10, 15, or with a pro model 25, which is refused for models that are known as standard (`sora-2`); the gateway's own default when absent. */
  readonly duration?: number | null | undefined;
  /** Further members of the request body: a JSON object with their wire names. What has a field of its own, here or in the other variant, is refused. */
  readonly extra?: unknown;
  /** Images to go by: http(s) addresses, or base64 data URIs. */
  readonly images?: ReadonlyArray<string> | null | undefined;
  /** Model name; not empty. */
  readonly model: string;
  /** Whether it is horizontal or vertical; the gateway's own default when absent. */
  readonly orientation?: VideoOrientation | null | undefined;
  /** What happens in the video; not empty. */
  readonly prompt: string;
  /** High definition or standard. */
  readonly size: VideoSize;
};

/** What a message says: plain text, or text and images. */
export type ChatContentInput =
  {   /** Text and images, in order; at least one. */
  readonly parts: ReadonlyArray<ChatContentPartInput>; readonly text?: never; }
  |  { readonly parts?: never;   /** Plain text. */
  readonly text: string; };

/** A piece of a message. The wire `type` follows from which one is given. */
export type ChatContentPartInput =
  {   /** An image. Wire type `image_url`. */
  readonly imageUrl: ImageUrlInput; readonly text?: never; }
  |  { readonly imageUrl?: never;   /** A piece of text. Wire type `text`. */
  readonly text: string; };

/** A chat completion: every member of the gateway's chat request. What is absent is not sent. */
export type ChatInput = {
  /** Let the model think before it answers; only `true` has an effect. The same as `enable_thinking` in `extraBody`. Wire name `enable_thinking`. */
  readonly enableThinking?: boolean | null | undefined;
  /** Further members of the request body, such as the older `functions`: a JSON object with their wire names. What has a field of its own here, and `stream`, is refused. */
  readonly extra?: unknown;
  /** Options for the channel, as a JSON object: known are `enable_thinking` (a boolean, of which only `true` has an effect) and `google` (an object, such as thinking settings or response modalities). Its effect depends on channel and model. Wire name `extra_body`. */
  readonly extraBody?: unknown;
  /** Positive values make repeated wording rarer; −2 to 2. Wire name `frequency_penalty`. */
  readonly frequencyPenalty?: number | null | undefined;
  /** Makes tokens likelier or less likely: an object from token id to a number, −100 to 100. Wire name `logit_bias`. */
  readonly logitBias?: unknown;
  /** The most tokens that a reasoning model may generate; from 0. When absent the gateway may go by `maxTokens`. Wire name `max_completion_tokens`. */
  readonly maxCompletionTokens?: number | null | undefined;
  /** The most tokens to generate; from 0. Wire name `max_tokens`. */
  readonly maxTokens?: number | null | undefined;
  /** The conversation, oldest first; at least one. */
  readonly messages: ReadonlyArray<ChatMessageInput>;
  /** Model id: an open set. The token's group selects the channel, the name may be remapped, and suffixes such as `-thinking` and `-search` are read by the gateway. */
  readonly model: string;
  /** How many candidate replies, from 1; the gateway makes 1 when absent. */
  readonly n?: number | null | undefined;
  /** Whether one reply may ask for several tool calls, where the upstream can; the gateway's own default when absent. Wire name `parallel_tool_calls`. */
  readonly parallelToolCalls?: boolean | null | undefined;
  /** Positive values make repeated topics rarer; −2 to 2. Wire name `presence_penalty`. */
  readonly presencePenalty?: number | null | undefined;
  /** How hard to think, such as `low`, `medium`, `high`; a model suffix may set it too. Wire name `reasoning_effort`. */
  readonly reasoningEffort?: string | null | undefined;
  /** Constrains the reply's form; free text when absent. Wire name `response_format`. */
  readonly responseFormat?: ResponseFormatInput | null | undefined;
  /** As far as the upstream can: the same seed and request give the same reply. */
  readonly seed?: number | string | null | undefined;
  /** Texts at which generation stops; at most 4. */
  readonly stop?: ReadonlyArray<string> | null | undefined;
  /** Only for streamed replies (`startChat`, `chat`), which ask for usage unless this says otherwise. Wire name `stream_options`. */
  readonly streamOptions?: StreamOptionsInput | null | undefined;
  /** Sampling temperature, 0 to 2: higher is more varied. Adjust this or `topP`, not both. */
  readonly temperature?: number | null | undefined;
  /** Whether the model calls any of the `tools`, or the one that it must call; the gateway's own default when absent. Wire name `tool_choice`. */
  readonly toolChoice?: ToolChoiceInput | null | undefined;
  /** Functions that the model may ask to call. */
  readonly tools?: ReadonlyArray<ToolInput> | null | undefined;
  /** Nucleus sampling, 0 to 1: only the likeliest tokens that together have this probability are drawn from. Wire name `top_p`. */
  readonly topP?: number | null | undefined;
  /** An identifier of the end user for the gateway, against abuse and for statistics. */
  readonly user?: string | null | undefined;
  /** How to search the web, for models that can. Wire name `web_search_options`. */
  readonly webSearchOptions?: WebSearchOptionsInput | null | undefined;
};

/** One turn of the conversation. */
export type ChatMessageInput = {
  /** What is said. May be absent only beside `toolCalls`, and is sent as `""` then. */
  readonly content?: ChatContentInput | null | undefined;
  /** The speaker's name, where several share a role. */
  readonly name?: string | null | undefined;
  /** Reasoning text of an earlier reply, to go on from. Wire name `reasoning_content`. */
  readonly reasoningContent?: string | null | undefined;
  /** Who speaks. */
  readonly role: ChatRole;
  /** Which call a tool message answers: required when role is TOOL. Wire name `tool_call_id`. */
  readonly toolCallId?: string | number | null | undefined;
  /** What the assistant asked tools for. Wire name `tool_calls`. */
  readonly toolCalls?: ReadonlyArray<ToolCallInput> | null | undefined;
};

/** Who speaks. */
export type ChatRole =
  /** The model. Wire value `assistant`. */
  | 'ASSISTANT'
  /** Instructions, for models that take them under this name instead of `system`. Wire value `developer`. */
  | 'DEVELOPER'
  /** Instructions to the model. Wire value `system`. */
  | 'SYSTEM'
  /** A tool's result; needs `toolCallId`. Wire value `tool`. */
  | 'TOOL'
  /** The person who asks. Wire value `user`. */
  | 'USER';

/** A further recording of the voice with what is said in it, which makes the clone more like it. Both members, or none. */
export type ClonePromptInput = {
  /** Id of the recording, from a file upload at the gateway; required. Wire name `prompt_audio`. */
  readonly promptAudio?: number | string | null | undefined;
  /** What is said in the recording; required. Wire name `prompt_text`. */
  readonly promptText?: string | null | undefined;
};

/** A voice from an uploaded audio file (POST /speecha/v1/voice_clone). What is absent is not sent. */
export type CloneVoiceInput = {
  /** Append a rhythm to the preview that marks it as made by AI; the gateway's own default when absent. Wire name `aigc_watermark`. */
  readonly aigcWatermark?: boolean | null | undefined;
  /** A further recording of the voice, which makes the clone more like it. Wire name `clone_prompt`. */
  readonly clonePrompt?: ClonePromptInput | null | undefined;
  /** Further members of the request body: a JSON object with their wire names. What has a field of its own here is refused. */
  readonly extra?: unknown;
  /** Id of the audio to clone, from a file upload at the gateway, which checks it: mp3, m4a or wav, 10 seconds to 5 minutes, at most 20 MB. Wire name `file_id`. */
  readonly fileId: number | string;
  /** The language or dialect to favour, or `auto`; the gateway's own default when absent. Wire name `language_boost`. */
  readonly languageBoost?: string | null | undefined;
  /** The model that speaks the preview: `speech-2.6-hd`, `speech-2.6-turbo`, `speech-02-hd`, `speech-02-turbo`, or another that the gateway has. */
  readonly model?: string | null | undefined;
  /** Take noise out of the audio; the gateway's own default when absent. Wire name `need_noise_reduction`. */
  readonly needNoiseReduction?: boolean | null | undefined;
  /** Even out the volume of the audio; the gateway's own default when absent. Wire name `need_volume_normalization`. */
  readonly needVolumeNormalization?: boolean | null | undefined;
  /** What the preview of the voice says, at most 1000 characters; tone tags are allowed. */
  readonly text?: string | null | undefined;
  /** The id of the new voice, of your choice: 8 to 256 letters, digits, `-` and `_`; first a letter, last a letter or digit. Wire name `voice_id`. */
  readonly voiceId: string;
};

/** A file as a part of the request. Wire name `inline_data`. */
export type ContentInlineDataInput = {
  /** Its bytes in base64; not empty, and no data URI. */
  readonly data: string;
  /** Its MIME type, e.g. `image/png`. Wire name `mime_type`. */
  readonly mimeType: string;
};

/** One turn of the conversation. */
export type ContentInput = {
  /** What is said, in order; at least one. */
  readonly parts: ReadonlyArray<ContentPartInput>;
  /** Who speaks: an open set, commonly `user` and `model`. Not sent when absent. */
  readonly role?: string | null | undefined;
};

/** A piece of a turn: text or a file. */
export type ContentPartInput =
  {   /** A file. Wire name `inline_data`. */
  readonly inlineData: ContentInlineDataInput; readonly text?: never; }
  |  { readonly inlineData?: never;   /** A piece of text. */
  readonly text: string; };

/** An animation from one prompt to another (POST /hosta/v1/predictions). What is absent is not sent. */
export type CreateAnimationInput = {
  /** Further members of the request's `input`: a JSON object with their wire names. What has a field of its own here is refused. */
  readonly extra?: unknown;
  /** Interpolate between the frames, for smoother motion; true when absent. Wire name `film_interpolation`. */
  readonly filmInterpolation?: boolean | null | undefined;
  /** How many frames are played in a second, 1 to 50; 20 when absent. Wire name `gif_frames_per_second`. */
  readonly gifFramesPerSecond?: number | null | undefined;
  /** Play backwards to the start before looping; false when absent. Wire name `gif_ping_pong`. */
  readonly gifPingPong?: boolean | null | undefined;
  /** How closely the frames follow the prompts, 1 to 20: higher is closer; 7.5 when absent. Wire name `guidance_scale`. */
  readonly guidanceScale?: number | null | undefined;
  /** Height in pixels, from 1; 512 when absent. */
  readonly height?: number | null | undefined;
  /** Show output before all of it is done; false when absent. Wire name `intermediate_output`. */
  readonly intermediateOutput?: boolean | null | undefined;
  /** How many frames the model makes, 2 to 50; 10 when absent. Wire name `num_animation_frames`. */
  readonly numAnimationFrames?: number | null | undefined;
  /** How many steps the model takes for a frame, 1 to 500: more is finer and slower; 50 when absent. Wire name `num_inference_steps`. */
  readonly numInferenceSteps?: number | null | undefined;
  /** How many steps are interpolated between two frames, 1 to 50; 5 when absent. Wire name `num_interpolation_steps`. */
  readonly numInterpolationSteps?: number | null | undefined;
  /** File format, in the word of the model: `gif` when absent; `mp4` is known too. Wire name `output_format`. */
  readonly outputFormat?: string | null | undefined;
  /** What it shows at its end; several prompts, gone through one after the other, are separated by `|`; not empty. Wire name `prompt_end`. */
  readonly promptEnd: string;
  /** What the animation shows at its start; not empty. Wire name `prompt_start`. */
  readonly promptStart: string;
  /** How strongly the prompts change the frames: lower is more coherent, higher more varied but jumpier; no range is documented; 0.8 when absent. Wire name `prompt_strength`. */
  readonly promptStrength?: number | null | undefined;
  /** Which hosted model runs, as the gateway refers to it; not empty. */
  readonly version: string;
  /** Width in pixels, from 1; 512 when absent. */
  readonly width?: number | null | undefined;
};

/** Images by one of two parameter sets (POST /v1/images/generations): which one depends on the model. */
export type CreateImageInput =
  {   /** Set A: size by resolution, groups, watermark. For models such as `seedream-4`. */
  readonly setA: ImageSetAInput; readonly setB?: never; }
  |  { readonly setA?: never;   /** Set B: number, quality, style. For models such as `gpt-image-1`, `dall-e-2`, `dall-e-3`. */
  readonly setB: ImageSetBInput; };

/** A video from a prompt, by an image or reference images where given (POST /v1/videos/generations). What is absent is not sent. */
export type CreateReferenceVideoInput = {
  /** Width to height of the video. Wire name `aspect_ratio`. */
  readonly aspectRatio: VideoAspectRatio;
  /** Length in seconds: 1 to 15. */
  readonly duration: number;
  /** Further members of the request body: a JSON object with their wire names. What has a field of its own here is refused. */
  readonly extra?: unknown;
  /** Model name; not empty. */
  readonly model: string;
  /** What happens in the video; not empty. */
  readonly prompt: string;
  /** One image or several reference images; made from the prompt alone when absent. */
  readonly reference?: VideoReferenceInput | null | undefined;
  /** Height of the video. */
  readonly resolution: VideoResolution;
};

/** A cover of an existing song (POST /music/submit/music). All six members are sent, empty where absent. */
export type CreateSongCoverInput = {
  /** Clip id of a generated or uploaded song: `clipId` of a song. Wire name `cover_clip_id`. */
  readonly coverClipId: string | number;
  /** Further members of the request body: a JSON object with their wire names. What has a field of its own, here or in the other form of song, is refused. */
  readonly extra?: unknown;
  /** True: an instrumental cover, whose `prompt` may be empty. False: a cover with vocals. Wire name `make_instrumental`. */
  readonly makeInstrumental?: boolean | null | undefined;
  /** Version of the music model. */
  readonly mv?: SongModel | null | undefined;
  /** Lyrics of the cover, at most 3000 characters; required with vocals, empty when absent. */
  readonly prompt?: string | null | undefined;
  /** Style of the cover, at most 200 characters; recommended, empty when absent. */
  readonly tags?: string | null | undefined;
  /** Title of the cover; empty when absent. */
  readonly title?: string | null | undefined;
};

/** A song from a description (POST /music/submit/music). */
export type CreateSongInput = {
  /** Further members of the request body: a JSON object with their wire names. What has a field of its own, here or in the other form of song, is refused. */
  readonly extra?: unknown;
  /** What the song is about and sounds like; not empty. No upper limit is documented. Wire name `gpt_description_prompt`. */
  readonly gptDescriptionPrompt: string;
  /** Make it without vocals. Always sent. Wire name `make_instrumental`. */
  readonly makeInstrumental?: boolean | null | undefined;
  /** Version of the music model. */
  readonly mv: SongModel;
};

/** Speech from text (POST /ent/v2/audio-tts). What is absent is not sent; numbers go out as text, as the gateway wants them. */
export type CreateSpeechInput = {
  /** Further members of the request body: a JSON object with their wire names. What has a field of its own here is refused. */
  readonly extra?: unknown;
  /** Data of your own, passed through and not processed; at most 1048576 characters. */
  readonly payload?: string | null | undefined;
  /** How words are pronounced: entries `<word>/<replacement>`, for Chinese a syllable with its tone (1 to 4, 5 is neutral) in parentheses for each character, as in `处理/(chu3)(li3)`. Wire name `pronunciation_dict_tone`, as the text of a JSON list. */
  readonly pronunciationDictTone?: ReadonlyArray<string> | null | undefined;
  /** What to say: 1 to 9999 characters; a line break begins a paragraph. `<#x#>` between two voiced texts is a pause of x seconds: 0.01 to 99.99, at most two decimals, never two in a row. */
  readonly text: string;
  /** What feeling it is said with; inferred from the text when absent. Wire name `voice_setting_emotion`. */
  readonly voiceSettingEmotion?: SpeechEmotion | null | undefined;
  /** How high, from −12 to 12; 0, the voice as it is, when absent. Wire name `voice_setting_pitch`. */
  readonly voiceSettingPitch?: number | null | undefined;
  /** How fast, from 0.5 (half as fast) to 2 (twice); 1 when absent. Wire name `voice_setting_speed`. */
  readonly voiceSettingSpeed?: number | null | undefined;
  /** Who says it: `voiceId` of a voice, preset or cloned. Wire name `voice_setting_voice_id`. */
  readonly voiceSettingVoiceId: string;
  /** How loud, from 0, which is normal, to 10; 0 when absent. Wire name `voice_setting_volume`. */
  readonly voiceSettingVolume?: number | null | undefined;
};

/** An access token for the gateway (POST /api/token/). All eight members of its request are sent, empty where absent. */
export type CreateTokenInput = {
  /** The only IP addresses or networks (CIDR) that may use it; all when absent. Wire name `allow_ips`, joined by line breaks. */
  readonly allowIps?: ReadonlyArray<string> | null | undefined;
  /** When it stops working, in the future and to the second; never when absent. Wire name `expired_time` (−1 for never). */
  readonly expiresAt?: string | null | undefined;
  /** Further members of the request body, such as `mj_image_mode`, `mj_custom_proxy`, `selected_groups`: a JSON object with their wire names. What has a field of its own here is refused. */
  readonly extra?: unknown;
  /** The token's own groups, by which the gateway chooses the upstream channel; the gateway's default when absent. On the wire joined by commas. */
  readonly group?: ReadonlyArray<string> | null | undefined;
  /** The only models that it may use, at least one; all when absent. Wire name `model_limits`, joined by commas. */
  readonly modelLimits?: ReadonlyArray<string> | null | undefined;
  /** Whether `modelLimits` is in force; true when it is given. Wire name `model_limits_enabled`. */
  readonly modelLimitsEnabled?: boolean | null | undefined;
  /** A name by which people tell tokens apart; not empty. */
  readonly name: string;
  /** How much it may spend. */
  readonly quota: TokenQuotaInput;
};

/** A video from picture to picture (POST /openapi/v2/video/multi_transition/generate). */
export type CreateTransitionVideoInput = {
  /** Further members of the request body, such as `motion_mode`: a JSON object with their wire names. What has a field of its own here is refused. */
  readonly extra?: unknown;
  /** Version of the transition model. */
  readonly model: TransitionVideoModel;
  /** The pictures in their order, 2 to 7. Wire name `multi_transition`. */
  readonly multiTransition: ReadonlyArray<TransitionInput>;
  /** Height of the video. */
  readonly quality: TransitionVideoQuality;
};

/** A video from images, or with a character (POST /v1/video/create). What is absent is not sent. */
export type CreateVideoInput =
  {   /** With a character taken from another video: variant 2. */
  readonly character: CharacterVideoInput; readonly images?: never; }
  |  { readonly character?: never;   /** From images: variant 1. */
  readonly images: ImagesVideoInput; };

/** What went wrong. The same words appear as `extensions.code` of top-level errors. */
export type ErrorCode =
  /** The gateway rejected the credential, or the credential lacks a permission. */
  | 'AUTHENTICATION_FAILED'
  /** The request is malformed, or has an invalid argument such as a cursor, raw id or page size. */
  | 'BAD_REQUEST'
  /** The stream was stopped because it had no subscriber for too long. Applies to streams without an idempotency key. */
  | 'DETACHED'
  /** The gateway returned an error or an unreadable reply, or could not be reached. */
  | 'GATEWAY_ERROR'
  /** The document has a GraphQL syntax error. */
  | 'GRAPHQL_PARSE_FAILED'
  /** The document is not valid for the schema. */
  | 'GRAPHQL_VALIDATION_FAILED'
  /** The idempotency key was used before with another operation or input. */
  | 'IDEMPOTENCY_CONFLICT'
  /** An internal error, or the server cannot store records. Find it in the server log by request id. */
  | 'INTERNAL'
  /** The server stopped during the stream. The saved output is kept. */
  | 'INTERRUPTED'
  /** The input violates a documented limit of the gateway. Nothing was sent or charged. */
  | 'INVALID_INPUT'
  /** The operation exceeds a limit of this API (depth, fields, aliases, tokens, characters, ids, page size, timeout). */
  | 'LIMIT_EXCEEDED'
  /** This generation cannot be canceled through this API. */
  | 'NOT_CANCELABLE'
  /** The record or task does not exist, or belongs to another caller. */
  | 'NOT_FOUND'
  /** The stream can no longer be resumed. It was not restarted. */
  | 'NOT_RESUMABLE'
  /** The gateway may have accepted the request, but its reply was lost. The request is not retried, because that could charge twice. */
  | 'OUTCOME_UNKNOWN'
  /** The quota of the access token is exhausted. */
  | 'QUOTA_EXCEEDED'
  /** The gateway limits the request rate. Retry after `retryAfterSeconds`. */
  | 'RATE_LIMITED'
  /** The server is shutting down. Retry in a moment. */
  | 'SHUTTING_DOWN'
  /** The connection to the gateway broke during the stream. The received output is kept. */
  | 'STREAM_CUT'
  /** The gateway's stream sent nothing for too long. The received output is kept. */
  | 'STREAM_STALLED'
  /** The gateway's stream ended without its end marker. The received output is kept. */
  | 'STREAM_UNFINISHED'
  /** The request has no credential. */
  | 'UNAUTHENTICATED';

/** An image whose masked part is, or whose surroundings are, painted anew (POST /hosta/v1/models/{owner}/{model_name}/predictions). What is absent is not sent. */
export type FillImageInput = {
  /** Further members of the request's `input`: a JSON object with their wire names. What has a field of its own here is refused. */
  readonly extra?: unknown;
  /** How closely the image follows the prompt, 1.5 to 100: higher is closer; 60 when absent. */
  readonly guidance?: number | null | undefined;
  /** The image to repair: an http(s) address or a base64 data URI; jpeg, png, gif or webp. Its alpha channel may be the mask. */
  readonly image: string;
  /** A black-and-white image of the same size, whose black is kept and whose white is repaired: an http(s) address or a base64 data URI; jpeg, png, gif or webp. May be absent when the image has an alpha mask (an inline image without alpha channel has none) or `outpaint` is used. */
  readonly mask?: string | null | undefined;
  /** The hosted model's name, the second part of `owner/name`: one segment of the path, at most 200 characters without slash. Wire name `model_name`. */
  readonly modelName: string;
  /** A quick way to expand the image beyond its borders, in the words of the model, such as `Zoom out 2x`; the mask is ignored then. `None` when absent: the image is not expanded. */
  readonly outpaint?: string | null | undefined;
  /** File format, in the word of the model, such as `png`; `jpg` when absent. Wire name `output_format`. */
  readonly outputFormat?: string | null | undefined;
  /** The hosted model's owner, the first part of `owner/name`: one segment of the path, at most 200 characters without slash. */
  readonly owner: string;
  /** What to show in the repaired part; not empty. */
  readonly prompt: string;
  /** Let the model enrich the prompt; false when absent. Wire name `prompt_upsampling`. */
  readonly promptUpsampling?: boolean | null | undefined;
  /** What the safety filters let through: 1, the strictest, to 6, the most permissive; 2 when absent. Wire name `safety_tolerance`. */
  readonly safetyTolerance?: number | null | undefined;
  /** How many steps the model takes, 15 to 50: more is finer and slower; 50 when absent. */
  readonly steps?: number | null | undefined;
};

/** A request in the native format (POST /v1beta/models/{model_id}:generateContent). */
export type GenerateContentInput = {
  /** The conversation, oldest first; at least one turn. */
  readonly contents: ReadonlyArray<ContentInput>;
  /** Further members of the request body, such as `generationConfig`, `safetySettings`, `systemInstruction`, `tools`: a JSON object with their wire names. What has a field of its own here, and `stream`, is refused. */
  readonly extra?: unknown;
  /** Model id: an open set; 1 to 500 printable ASCII characters without space, `/` and `\`, since it becomes a part of the path. Wire name `model_id`. */
  readonly modelId: string;
  /** Let the model read the addresses that the text names; false when absent. Sent as `tools: [{"urlContext": {}}]`, hence not beside `tools` in `extra`. */
  readonly urlContext?: boolean | null | undefined;
};

/** Selects generations that match all given members, and any of the values in a list. */
export type GenerationFilter = {
  /** The `collection` argument of the create. */
  readonly collection?: string | number | null | undefined;
  /** Created after this time. */
  readonly createdAfter?: string | null | undefined;
  /** Created before this time. */
  readonly createdBefore?: string | null | undefined;
  /** Any of these kinds. */
  readonly kinds?: ReadonlyArray<GenerationKind> | null | undefined;
  /** Any of these requested models, at most 100. */
  readonly models?: ReadonlyArray<string> | null | undefined;
  /** Any of these statuses. */
  readonly statuses?: ReadonlyArray<TaskStatus> | null | undefined;
};

/** Kind of a generation and of its output. */
export type GenerationKind =
  /** An animation between two prompts (/hosta). */
  | 'ANIMATION'
  /** A chat completion (/v1/chat/completions). */
  | 'CHAT'
  /** Content in the native format, with URL context (/v1beta). */
  | 'CONTENT'
  /** Images in the reply (/v1/images/generations). */
  | 'IMAGE'
  /** An image with its masked area filled in, or extended beyond its borders (/hosta). */
  | 'IMAGE_FILL'
  /** A lip-sync video, created outside this API and read by its id (/videoa/v1/videos/advanced-lip-sync). */
  | 'LIP_SYNC'
  /** A video from several images, created outside this API and read by its id (/videoa/v1/videos/multi-image2video). */
  | 'MULTI_IMAGE_VIDEO'
  /** Images from the queue (/hostb/flux-lora). */
  | 'QUEUED_IMAGE'
  /** Inpainted images from the queue (/hostb/flux-lora/inpainting). */
  | 'QUEUED_INPAINTING'
  /** A video from a prompt and optional reference images (/v1/videos/generations). */
  | 'REFERENCE_VIDEO'
  /** A song from a description (/music). */
  | 'SONG'
  /** A cover of an existing song (/music). */
  | 'SONG_COVER'
  /** An existing song at another speed (/music). */
  | 'SONG_SPEED'
  /** Speech from text (/ent/v2/audio-tts). */
  | 'SPEECH'
  /** A video with transitions between images (/openapi/v2/video/multi_transition). */
  | 'TRANSITION_VIDEO'
  /** A video from images or with a character (/v1/video/create). */
  | 'VIDEO';

/** Selects a generation of the caller. */
export type GenerationSelector =
  {   /** Generation id. */
  readonly id: string | number; readonly idempotencyKey?: never; }
  |  { readonly id?: never;   /** The `idempotencyKey` of its create, for clients that never received the id. */
  readonly idempotencyKey: string | number; };

/** How closely an image is looked at. */
export type ImageDetail =
  /** The model decides. Wire value `auto`. */
  | 'AUTO'
  /** Closely, for many tokens. Wire value `high`. */
  | 'HIGH'
  /** Coarsely, for few tokens. Wire value `low`. */
  | 'LOW';

/** A size in pixels: 1024x1024 to 4096x4096 pixels in area, both included, and 1/16 to 16 in aspect ratio. Wire form `2048x1024`. */
export type ImagePixelsInput = {
  /** Height in pixels, from 1. */
  readonly height: number;
  /** Width in pixels, from 1. */
  readonly width: number;
};

/** How fine an image is made. */
export type ImageQuality =
  /** Finer detail; family C only. Wire value `hd`. */
  | 'HD';

/** A resolution by its token; the model chooses the shape. */
export type ImageResolution =
  /** Wire value `1K`. */
  | 'SIZE_1K'
  /** Wire value `2K`. */
  | 'SIZE_2K'
  /** Wire value `4K`. */
  | 'SIZE_4K';

/** How images come: by address or inline. */
export type ImageResponseFormat =
  /** Inline, in `base64`. Wire value `b64_json`. */
  | 'B64_JSON'
  /** By address. Wire value `url`. */
  | 'URL';

/** Parameter set A: size by resolution, groups of images, watermark. For models such as `seedream-4`. Images are JPEG. What is absent is not sent. */
export type ImageSetAInput = {
  /** Further members of the request body: a JSON object with their wire names. What has a field of its own, in either parameter set, and `stream`, is refused. */
  readonly extra?: unknown;
  /** Model id: an open set; not empty, and no model that is known to take `setB`. */
  readonly model: string;
  /** What to show, in Chinese or English; not empty. */
  readonly prompt: string;
  /** How the images come; URL when absent. An address is valid for 24 hours. Wire name `response_format`. */
  readonly responseFormat?: ImageResponseFormat | null | undefined;
  /** Whether the model may make a group of images instead of one; DISABLED when absent. Wire name `sequential_image_generation`. */
  readonly sequentialImageGeneration?: SequentialImageGeneration | null | undefined;
  /** How large the images are; 2048x2048 pixels when absent. */
  readonly size?: ImageSetASizeInput | null | undefined;
  /** Mark the image at the lower right as made by AI; true when absent. */
  readonly watermark?: boolean | null | undefined;
};

/** How large: by a token or in pixels, never both. */
export type ImageSetASizeInput =
  {   /** By width and height in pixels. */
  readonly pixels: ImagePixelsInput; readonly token?: never; }
  |  { readonly pixels?: never;   /** By a token, such as 2K. */
  readonly token: ImageResolution; };

/** Parameter set B: number, quality, style. For models of the families A (`gpt-image…`), B (`dall-e-2`) and C (`dall-e-3`); what a family has is checked for these names only. What is absent is not sent. */
export type ImageSetBInput = {
  /** Further members of the request body: a JSON object with their wire names. What has a field of its own, in either parameter set, and `stream`, is refused. */
  readonly extra?: unknown;
  /** Model id: an open set, but for those known to take `setA`; the gateway's own default when absent. */
  readonly model?: string | null | undefined;
  /** How many images, 1 to 10; the gateway's own default when absent. */
  readonly n?: number | null | undefined;
  /** What to show; 1 to 1000 characters. */
  readonly prompt: string;
  /** HD for finer detail, with models of family C (`dall-e-3`) only; ordinary when absent. */
  readonly quality?: ImageQuality | null | undefined;
  /** How the images come; the gateway's own default when absent. Wire name `response_format`. */
  readonly responseFormat?: ImageResponseFormat | null | undefined;
  /** How large the images are; the family's own default when absent (AUTO in family A). */
  readonly size?: ImageSetBSize | null | undefined;
  /** How the images look, with models of family C (`dall-e-3`) only; the gateway's own default when absent. */
  readonly style?: ImageStyle | null | undefined;
  /** An identifier of the end user for the gateway. */
  readonly user?: string | null | undefined;
};

/** Width x height in pixels. Which a model takes depends on its family: A (`gpt-image…`), B (`dall-e-2`), C (`dall-e-3`). */
export type ImageSetBSize =
  /** Family A, and its default: the model's choice. Wire value `auto`. */
  | 'AUTO'
  /** Family B. Wire value `256x256`. */
  | 'SIZE_256X256'
  /** Family B. Wire value `512x512`. */
  | 'SIZE_512X512'
  /** Families A, B and C. Wire value `1024x1024`. */
  | 'SIZE_1024X1024'
  /** Family A, portrait. Wire value `1024x1536`. */
  | 'SIZE_1024X1536'
  /** Family C, portrait. Wire value `1024x1792`. */
  | 'SIZE_1024X1792'
  /** Family A, landscape. Wire value `1536x1024`. */
  | 'SIZE_1536X1024'
  /** Family C, landscape. Wire value `1792x1024`. */
  | 'SIZE_1792X1024';

/** How an image looks: dramatic or natural. */
export type ImageStyle =
  /** Natural: neither hyper-real nor dramatic; family C only. Wire value `natural`. */
  | 'NATURAL'
  /** Hyper-real and dramatic; family C only. Wire value `vivid`. */
  | 'VIVID';

/** An image to look at. */
export type ImageUrlInput = {
  /** How closely to look; the gateway's own default when absent. */
  readonly detail?: ImageDetail | null | undefined;
  /** An http(s) address, or a base64 data URI. A gateway with an image proxy may replace it. */
  readonly url: string;
};

/** A video from images: variant 1 of POST /v1/video/create. */
export type ImagesVideoInput = {
  /** Length in seconds: 10 or 15. */
  readonly duration: number;
  /** Further members of the request body: a JSON object with their wire names. What has a field of its own, here or in the other variant, is refused. */
  readonly extra?: unknown;
  /** At least one: http(s) addresses, or base64 data URIs of images. */
  readonly images: ReadonlyArray<string>;
  /** Model name; not empty. */
  readonly model: string;
  /** Whether it is horizontal or vertical. */
  readonly orientation: VideoOrientation;
  /** What happens in the video; not empty. */
  readonly prompt: string;
  /** High definition or standard. */
  readonly size: VideoSize;
  /** True: without a watermark where possible, with one where that fails. False: never with one; the gateway retries when taking it off fails. Always sent, as text. */
  readonly watermark?: boolean | null | undefined;
};

/** A queued image generation (POST /hostb/flux-lora). What is absent is not sent. */
export type QueueImageInput = {
  /** Have the images looked at by the safety checker, whose word is `isNsfw`; true when absent. Wire name `enable_safety_checker`. */
  readonly enableSafetyChecker?: boolean | null | undefined;
  /** Further members of the request body: a JSON object with their wire names. What has a field of its own here is refused. */
  readonly extra?: unknown;
  /** How closely the images follow the prompt, 0 to 35: higher is closer; the gateway's own default when absent. Wire name `guidance_scale`. */
  readonly guidanceScale?: number | null | undefined;
  /** Shape and size of the images; the gateway's own default when absent. Wire name `image_size`. */
  readonly imageSize?: QueuedImageSize | null | undefined;
  /** How many images, 1 to 4; the gateway's own default when absent. Wire name `num_images`. */
  readonly numImages?: number | null | undefined;
  /** How many steps the model takes for an image, 1 to 50: more is finer and slower; the gateway's own default when absent. Wire name `num_inference_steps`. */
  readonly numInferenceSteps?: number | null | undefined;
  /** File format of the images; the gateway's own default when absent. Wire name `output_format`. */
  readonly outputFormat?: QueuedImageFormat | null | undefined;
  /** What to show; not empty. */
  readonly prompt: string;
};

/** A queued inpainting (POST /hostb/flux-lora/inpainting). What is absent is not sent. */
export type QueueInpaintingInput = {
  /** Have the images looked at by the safety checker, whose word is `isNsfw`; true when absent. Wire name `enable_safety_checker`. */
  readonly enableSafetyChecker?: boolean | null | undefined;
  /** Further members of the request body: a JSON object with their wire names. What has a field of its own here is refused. */
  readonly extra?: unknown;
  /** How closely the images follow the prompt, 0 to 35: higher is closer; the gateway's own default when absent. Wire name `guidance_scale`. */
  readonly guidanceScale?: number | null | undefined;
  /** The image to repaint: an http(s) address or a base64 data URI; jpg, jpeg, png, webp, gif or avif. Wire name `image_url`. */
  readonly imageUrl: string;
  /** The mask, which tells where to repaint: an http(s) address or a base64 data URI; jpg, jpeg, png, webp, gif or avif. Wire name `mask_url`. */
  readonly maskUrl: string;
  /** How many images, 1 to 4; the gateway's own default when absent. Wire name `num_images`. */
  readonly numImages?: number | null | undefined;
  /** How many steps the model takes for an image, 1 to 50: more is finer and slower; the gateway's own default when absent. Wire name `num_inference_steps`. */
  readonly numInferenceSteps?: number | null | undefined;
  /** File format of the images; the gateway's own default when absent. Wire name `output_format`. */
  readonly outputFormat?: QueuedImageFormat | null | undefined;
  /** What to show in the repainted part; not empty. */
  readonly prompt: string;
  /** How far the repainted part may go from the image, 0.01 to 1: higher is farther; the gateway's own default when absent. */
  readonly strength?: number | null | undefined;
};

/** File format of a queued image. */
export type QueuedImageFormat =
  /** Wire value `jpeg`. */
  | 'JPEG'
  /** Wire value `png`. */
  | 'PNG';

/** Shape and size of a queued image. */
export type QueuedImageSize =
  /** Landscape, 4 to 3. Wire value `landscape_4_3`. */
  | 'LANDSCAPE_4_3'
  /** Landscape, 16 to 9. Wire value `landscape_16_9`. */
  | 'LANDSCAPE_16_9'
  /** Portrait, 3 to 4. Wire value `portrait_3_4`. */
  | 'PORTRAIT_3_4'
  /** A square. Wire value `square`. */
  | 'SQUARE'
  /** A square of more pixels, as far as the name tells. Wire value `square pro`. */
  | 'SQUARE_PRO';

/** An image that a video goes by. */
export type ReferenceImageInput = {
  /** An http(s) address, or the base64 data URI of an image. */
  readonly url: string;
};

/** Constrains the reply's form. */
export type ResponseFormatInput = {
  /** For JSON_SCHEMA, and required there: an object with `name` and `schema` as chat-completions models take it. Wire name `json_schema`. */
  readonly jsonSchema?: unknown;
  /** Which form the reply takes. */
  readonly type: ResponseFormatType;
};

/** What form the reply takes. */
export type ResponseFormatType =
  /** A JSON object; some message must ask for JSON by that word. Wire value `json_object`. */
  | 'JSON_OBJECT'
  /** JSON that fits `jsonSchema`. Wire value `json_schema`. */
  | 'JSON_SCHEMA'
  /** Free text. Wire value `text`. */
  | 'TEXT';

/** How much of what a web search finds is read. */
export type SearchContextSize =
  /** Much. Wire value `high`. */
  | 'HIGH'
  /** Little. Wire value `low`. */
  | 'LOW'
  /** A middling amount. Wire value `medium`. */
  | 'MEDIUM';

/** Whether a request may make several images that belong together. */
export type SequentialImageGeneration =
  /** The model decides whether to make a group, and of how many. Wire value `auto`. */
  | 'AUTO'
  /** Exactly one image. Wire value `disabled`. */
  | 'DISABLED';

/** Version of the music model. Wire name `mv`. */
export type SongModel =
  /** Wire value `song-v3-5`. */
  | 'SONG_V3_5'
  /** Wire value `song-v4`. */
  | 'SONG_V4'
  /** Wire value `song-v4-5`. */
  | 'SONG_V4_5'
  /** Wire value `song-v4-5-all`. */
  | 'SONG_V4_5_ALL'
  /** Wire value `song-v4-5+`. */
  | 'SONG_V4_5_PLUS'
  /** Wire value `song-v5`. */
  | 'SONG_V5'
  /** Wire value `song-v5-5`. */
  | 'SONG_V5_5';

/** The feeling that a voice speaks with. Normally inferred from the text. */
export type SpeechEmotion =
  /** Wire value `angry`. */
  | 'ANGRY'
  /** Wire value `calm`. */
  | 'CALM'
  /** Wire value `disgusted`. */
  | 'DISGUSTED'
  /** Wire value `fearful`. */
  | 'FEARFUL'
  /** Wire value `happy`. */
  | 'HAPPY'
  /** Wire value `sad`. */
  | 'SAD'
  /** Wire value `surprised`. */
  | 'SURPRISED';

/** What a streamed reply reports beside its text. */
export type StreamOptionsInput = {
  /** Ask for token usage at the end of the stream; true when absent. Wire name `include_usage`. */
  readonly includeUsage?: boolean | null | undefined;
};

/** Identifies a task by its gateway id. */
export type TaskHandleInput = {
  /** Kind of the task. QUEUED_IMAGE, QUEUED_INPAINTING, SONG, SONG_COVER, MULTI_IMAGE_VIDEO and LIP_SYNC can be read by gateway id. SPEECH, VIDEO, REFERENCE_VIDEO and TRANSITION_VIDEO, and ANIMATION and IMAGE_FILL created elsewhere, are NOT_TRACKABLE unless the operator configured a status endpoint. CHAT, IMAGE, CONTENT and SONG_SPEED have no tasks (null). */
  readonly kind: GenerationKind;
  /** Model of a QUEUED_IMAGE or QUEUED_INPAINTING task that was created elsewhere. Default: the gateway finds it. Omit it for other tasks. Wire name `model_name`. */
  readonly model?: string | null | undefined;
  /** Task id or request id of the gateway: 1 to 500 visible ASCII characters without slashes. */
  readonly upstreamId: string;
};

/** Status, the same for all providers. */
export type TaskStatus =
  /** Canceled. Terminal. */
  | 'CANCELED'
  /** Failed. Partial output is kept. Terminal. */
  | 'FAILED'
  /** Accepted, not started. */
  | 'QUEUED'
  /** In progress. */
  | 'RUNNING'
  /** Succeeded. Terminal. */
  | 'SUCCEEDED'
  /** A task: the gateway cannot be read, or reports a status word that is not known (`rawStatus`). Not terminal. A generation: the same, or the reply to its create was lost, which is terminal. */
  | 'UNKNOWN';

/** Whether the gateway has a status endpoint for a task. */
export type TaskTracking =
  /** It has none. The state stays as in the first reply. */
  | 'NOT_TRACKABLE'
  /** It has. Reads and watches poll it. */
  | 'POLLED';

/** How much a token may spend. */
export type TokenQuotaInput =
  {   /** Currency units: 0, or enough for one quota unit (0.000002); rounded to whole quota units. Wire name `remain_quota`. */
  readonly amount: number; readonly units?: never; readonly unlimited?: never; }
  |  { readonly amount?: never;   /** Quota units, from 0; 500000 are one currency unit. Wire name `remain_quota`. */
  readonly units: number | string; readonly unlimited?: never; }
  |  { readonly amount?: never; readonly units?: never;   /** No limit. Only `true` is accepted. Wire name `unlimited_quota`. */
  readonly unlimited: boolean; };

/** The function that a model asked for. */
export type ToolCallFunctionInput = {
  /** Its arguments as the model wrote them: JSON text. */
  readonly arguments: string;
  /** The function's name. */
  readonly name: string;
};

/** A model's earlier request to call a tool, sent back as part of the conversation. */
export type ToolCallInput = {
  /** What to call. */
  readonly function: ToolCallFunctionInput;
  /** As the model gave it; the tool message names it in `toolCallId`. */
  readonly id: string | number;
  /** Always FUNCTION. */
  readonly type?: ToolType | null | undefined;
};

/** Names one of the `tools`. */
export type ToolChoiceFunctionInput = {
  /** The function's name. */
  readonly name: string;
};

/** Whether the model calls tools, or the one that it must call. */
export type ToolChoiceInput =
  {   /** The one function of `tools` that it must call. */
  readonly function: ToolChoiceFunctionInput; readonly mode?: never; }
  |  { readonly function?: never;   /** Whether it may, must or must not call any of the `tools`; REQUIRED needs some. */
  readonly mode: ToolChoiceMode; };

/** Whether the model calls tools. */
export type ToolChoiceMode =
  /** The model decides. Wire value `auto`. */
  | 'AUTO'
  /** It may call none. Wire value `none`. */
  | 'NONE'
  /** It must call at least one. Wire value `required`. */
  | 'REQUIRED';

/** A function that the model may ask for. */
export type ToolFunctionInput = {
  /** What it does, in words for the model. */
  readonly description?: string | null | undefined;
  /** Its name; not empty. */
  readonly name: string;
  /** JSON Schema of its arguments, an object. */
  readonly parameters?: unknown;
};

/** A tool that the model may use. */
export type ToolInput = {
  /** The function that the model may ask for. */
  readonly function: ToolFunctionInput;
  /** Always FUNCTION. */
  readonly type?: ToolType | null | undefined;
};

/** What a tool is: always a function. */
export type ToolType =
  /** A function that the client runs. Wire value `function`. */
  | 'FUNCTION';

/** One picture of a transition video, and how the video goes on from there to the next. */
export type TransitionInput = {
  /** Whole seconds to the next picture, from 1; required on all but the last. */
  readonly duration?: number | null | undefined;
  /** Id of an image that was uploaded at the gateway. Wire name `img_id`. */
  readonly imgId: number | string;
  /** What happens on the way to the next picture. */
  readonly prompt?: string | null | undefined;
};

/** Version of the transition model. */
export type TransitionVideoModel =
  /** Wire value `v3.5`. */
  | 'V3_5'
  /** Wire value `v4`. */
  | 'V4'
  /** Wire value `v4.5`. */
  | 'V4_5'
  /** Wire value `v5`. */
  | 'V5';

/** Height of a transition video. */
export type TransitionVideoQuality =
  /** Wire value `360p`. */
  | 'QUALITY_360P'
  /** Wire value `540p`. */
  | 'QUALITY_540P'
  /** Wire value `720p`. */
  | 'QUALITY_720P'
  /** Wire value `1080p`. */
  | 'QUALITY_1080P';

/** Width to height of a video of `createReferenceVideo`. */
export type VideoAspectRatio =
  /** Square. Wire value `1:1`. */
  | 'ASPECT_RATIO_1_1'
  /** Vertical. Wire value `9:16`. */
  | 'ASPECT_RATIO_9_16'
  /** Horizontal. Wire value `16:9`. */
  | 'ASPECT_RATIO_16_9';

/** Whether a video is horizontal or vertical. */
export type VideoOrientation =
  /** Horizontal. Wire value `landscape`. */
  | 'LANDSCAPE'
  /** Vertical. Wire value `portrait`. */
  | 'PORTRAIT';

/** What a video goes by: one image, or several references. */
export type VideoReferenceInput =
  {   /** The image that it begins from. */
  readonly image: ReferenceImageInput; readonly referenceImages?: never; }
  |  { readonly image?: never;   /** Images of what it shows, at least one. Wire name `reference_images`. */
  readonly referenceImages: ReadonlyArray<ReferenceImageInput>; };

/** Height of a video of `createReferenceVideo`. */
export type VideoResolution =
  /** Wire value `480p`. */
  | 'RESOLUTION_480P'
  /** Wire value `720p`. */
  | 'RESOLUTION_720P';

/** How large a video of `createVideo` is. */
export type VideoSize =
  /** High definition. Wire value `large`. */
  | 'LARGE'
  /** Standard, typically 720p. Wire value `small`. */
  | 'SMALL';

/** How models search the web that can. */
export type WebSearchOptionsInput = {
  /** How much of what is found is read; MEDIUM when absent. Wire name `search_context_size`. */
  readonly searchContextSize?: SearchContextSize | null | undefined;
  /** Where the user is: an object in the form that the upstream defines. Wire name `user_location`. */
  readonly userLocation?: unknown;
};

export type ChatStreamSubscriptionVariables = Exact<{
  id: string | number;
  after?: number | null | undefined;
}>;


export type ChatStreamSubscription = { readonly chatStream:
    | { readonly __typename: 'ChatCanceled', readonly generationId: string | null, readonly sequence: number }
    | { readonly __typename: 'ChatCompleted', readonly generationId: string | null, readonly sequence: number, readonly generation: { readonly status: TaskStatus, readonly usage: { readonly promptTokens: number | null, readonly completionTokens: number | null, readonly totalTokens: number | null } | null } | null }
    | { readonly __typename: 'ChatDelta', readonly fromSequence: number, readonly generationId: string | null, readonly sequence: number, readonly choices: ReadonlyArray<{ readonly index: number, readonly role: ChatRole | null, readonly content: string | null, readonly reasoningContent: string | null, readonly finishReason: string | null }> }
    | { readonly __typename: 'ChatFailed', readonly generationId: string | null, readonly sequence: number, readonly error:
        | { readonly code: ErrorCode, readonly message: string }
        | { readonly code: ErrorCode, readonly message: string }
        | { readonly code: ErrorCode, readonly message: string }
        | { readonly code: ErrorCode, readonly message: string }
        | { readonly code: ErrorCode, readonly message: string }
        | { readonly code: ErrorCode, readonly message: string }
        | { readonly code: ErrorCode, readonly message: string }
        | { readonly code: ErrorCode, readonly message: string }
        | { readonly code: ErrorCode, readonly message: string }
        | { readonly code: ErrorCode, readonly message: string }
       }
    | { readonly __typename: 'ChatSnapshot', readonly generationId: string | null, readonly sequence: number, readonly soFar: { readonly choices: ReadonlyArray<{ readonly index: number, readonly finishReason: string | null, readonly message: { readonly role: ChatRole | null, readonly content: string | null, readonly reasoningContent: string | null } }> } }
   };

export type ChatSubscriptionVariables = Exact<{
  input: ChatInput;
  idempotencyKey?: string | number | null | undefined;
}>;


export type ChatSubscription = { readonly chat:
    | { readonly __typename: 'ChatCanceled', readonly generationId: string | null, readonly sequence: number, readonly soFar: { readonly choices: ReadonlyArray<{ readonly finishReason: string | null, readonly message: { readonly content: string | null } }> } }
    | { readonly __typename: 'ChatCompleted', readonly generationId: string | null, readonly sequence: number, readonly generation: { readonly usage: { readonly totalTokens: number | null } | null } | null, readonly soFar: { readonly choices: ReadonlyArray<{ readonly finishReason: string | null, readonly message: { readonly content: string | null } }> } }
    | { readonly __typename: 'ChatDelta', readonly generationId: string | null, readonly sequence: number, readonly soFar: { readonly choices: ReadonlyArray<{ readonly finishReason: string | null, readonly message: { readonly content: string | null } }> } }
    | { readonly __typename: 'ChatFailed', readonly generationId: string | null, readonly sequence: number, readonly error:
        | { readonly code: ErrorCode, readonly message: string }
        | { readonly code: ErrorCode, readonly message: string }
        | { readonly code: ErrorCode, readonly message: string }
        | { readonly code: ErrorCode, readonly message: string }
        | { readonly code: ErrorCode, readonly message: string }
        | { readonly code: ErrorCode, readonly message: string }
        | { readonly code: ErrorCode, readonly message: string }
        | { readonly code: ErrorCode, readonly message: string }
        | { readonly code: ErrorCode, readonly message: string }
        | { readonly code: ErrorCode, readonly message: string }
      , readonly soFar: { readonly choices: ReadonlyArray<{ readonly finishReason: string | null, readonly message: { readonly content: string | null } }> } }
    | { readonly __typename: 'ChatSnapshot', readonly generationId: string | null, readonly sequence: number, readonly soFar: { readonly choices: ReadonlyArray<{ readonly finishReason: string | null, readonly message: { readonly content: string | null } }> } }
   };

export type CreateChatCompletionMutationVariables = Exact<{
  input: ChatInput;
  idempotencyKey?: string | number | null | undefined;
}>;


export type CreateChatCompletionMutation = { readonly createChatCompletion:
    | { readonly __typename: 'AuthenticationError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'GatewayError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'Generation', readonly id: string, readonly status: TaskStatus, readonly output:
        | { readonly model: string | null, readonly choices: ReadonlyArray<{ readonly finishReason: string | null, readonly message: { readonly content: string | null, readonly toolCalls: ReadonlyArray<{ readonly name: string | null, readonly arguments: string | null }> | null } }> }
        | Record<PropertyKey, never>
       | null, readonly usage: { readonly promptTokens: number | null, readonly completionTokens: number | null, readonly totalTokens: number | null } | null }
    | { readonly __typename: 'IdempotencyConflictError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'InvalidInputError', readonly code: ErrorCode, readonly message: string, readonly issues: ReadonlyArray<{ readonly path: ReadonlyArray<string>, readonly message: string, readonly limit: string | null, readonly received: string | null }> }
    | { readonly __typename: 'OutcomeUnknownError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'QuotaError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'RateLimitError', readonly code: ErrorCode, readonly message: string }
   };

export type StartChatMutationVariables = Exact<{
  input: ChatInput;
  idempotencyKey?: string | number | null | undefined;
  collection?: string | number | null | undefined;
}>;


export type StartChatMutation = { readonly startChat:
    | { readonly __typename: 'AuthenticationError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'GatewayError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'Generation', readonly id: string, readonly status: TaskStatus, readonly model: string | null, readonly createdAt: string }
    | { readonly __typename: 'IdempotencyConflictError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'InvalidInputError', readonly code: ErrorCode, readonly message: string, readonly issues: ReadonlyArray<{ readonly path: ReadonlyArray<string>, readonly message: string, readonly limit: string | null, readonly received: string | null }> }
    | { readonly __typename: 'OutcomeUnknownError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'QuotaError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'RateLimitError', readonly code: ErrorCode, readonly message: string }
   };

export type GenerateContentMutationVariables = Exact<{
  input: GenerateContentInput;
  idempotencyKey?: string | number | null | undefined;
}>;


export type GenerateContentMutation = { readonly generateContent:
    | { readonly __typename: 'AuthenticationError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'GatewayError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'Generation', readonly id: string, readonly status: TaskStatus, readonly output:
        | { readonly text: string | null, readonly candidates: ReadonlyArray<{ readonly finishReason: string | null, readonly urlContextMetadata: { readonly urlMetadata: ReadonlyArray<{ readonly retrievedUrl: string | null, readonly urlRetrievalStatus: string | null }> } | null }> }
        | Record<PropertyKey, never>
       | null, readonly usage: { readonly promptTokens: number | null, readonly completionTokens: number | null, readonly totalTokens: number | null } | null, readonly error: { readonly code: ErrorCode, readonly message: string, readonly upstreamCode: string | null } | null }
    | { readonly __typename: 'IdempotencyConflictError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'InvalidInputError', readonly code: ErrorCode, readonly message: string, readonly issues: ReadonlyArray<{ readonly path: ReadonlyArray<string>, readonly message: string, readonly limit: string | null, readonly received: string | null }> }
    | { readonly __typename: 'OutcomeUnknownError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'QuotaError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'RateLimitError', readonly code: ErrorCode, readonly message: string }
   };

export type QueueImageMutationVariables = Exact<{
  input: QueueImageInput;
  idempotencyKey?: string | number | null | undefined;
}>;


export type QueueImageMutation = { readonly queueImage:
    | { readonly __typename: 'AuthenticationError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'GatewayError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'Generation', readonly id: string, readonly status: TaskStatus, readonly task: { readonly id: string, readonly tracking: TaskTracking } | null }
    | { readonly __typename: 'IdempotencyConflictError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'InvalidInputError', readonly code: ErrorCode, readonly message: string, readonly issues: ReadonlyArray<{ readonly path: ReadonlyArray<string>, readonly message: string }> }
    | { readonly __typename: 'OutcomeUnknownError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'QuotaError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'RateLimitError', readonly code: ErrorCode, readonly message: string }
   };

export type QueueInpaintingMutationVariables = Exact<{
  input: QueueInpaintingInput;
  idempotencyKey?: string | number | null | undefined;
}>;


export type QueueInpaintingMutation = { readonly queueInpainting:
    | { readonly __typename: 'AuthenticationError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'GatewayError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'Generation', readonly id: string, readonly status: TaskStatus, readonly task: { readonly id: string, readonly tracking: TaskTracking } | null }
    | { readonly __typename: 'IdempotencyConflictError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'InvalidInputError', readonly code: ErrorCode, readonly message: string, readonly issues: ReadonlyArray<{ readonly path: ReadonlyArray<string>, readonly message: string }> }
    | { readonly __typename: 'OutcomeUnknownError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'QuotaError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'RateLimitError', readonly code: ErrorCode, readonly message: string }
   };

export type CreateImageMutationVariables = Exact<{
  input: CreateImageInput;
  idempotencyKey?: string | number | null | undefined;
}>;


export type CreateImageMutation = { readonly createImage:
    | { readonly __typename: 'AuthenticationError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'GatewayError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'Generation', readonly id: string, readonly status: TaskStatus, readonly output:
        | { readonly created: string | null, readonly images: ReadonlyArray<{ readonly url: string | null, readonly expiresAt: string | null, readonly width: number | null, readonly height: number | null, readonly contentType: string | null, readonly revisedPrompt: string | null }>, readonly failures: ReadonlyArray<{ readonly index: number | null, readonly message: string }> }
        | Record<PropertyKey, never>
       | null, readonly usage: { readonly totalTokens: number | null } | null, readonly error: { readonly code: ErrorCode, readonly message: string } | null }
    | { readonly __typename: 'IdempotencyConflictError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'InvalidInputError', readonly code: ErrorCode, readonly message: string, readonly issues: ReadonlyArray<{ readonly path: ReadonlyArray<string>, readonly message: string, readonly limit: string | null, readonly received: string | null }> }
    | { readonly __typename: 'OutcomeUnknownError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'QuotaError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'RateLimitError', readonly code: ErrorCode, readonly message: string }
   };

export type ImageStreamSubscriptionVariables = Exact<{
  input: ImageSetAInput;
  idempotencyKey?: string | number | null | undefined;
}>;


export type ImageStreamSubscription = { readonly imageStream:
    | { readonly __typename: 'ImageCanceled', readonly generationId: string | null, readonly sequence: number, readonly soFar: { readonly images: ReadonlyArray<{ readonly index: number | null, readonly url: string | null, readonly width: number | null, readonly height: number | null, readonly expiresAt: string | null }>, readonly failures: ReadonlyArray<{ readonly index: number | null, readonly message: string }> } }
    | { readonly __typename: 'ImageCompleted', readonly generationId: string | null, readonly sequence: number, readonly generation: { readonly status: TaskStatus, readonly usage: { readonly outputTokens: number | null, readonly totalTokens: number | null } | null } | null, readonly soFar: { readonly images: ReadonlyArray<{ readonly index: number | null, readonly url: string | null, readonly width: number | null, readonly height: number | null, readonly expiresAt: string | null }>, readonly failures: ReadonlyArray<{ readonly index: number | null, readonly message: string }> } }
    | { readonly __typename: 'ImageDelta', readonly fromSequence: number, readonly generationId: string | null, readonly sequence: number, readonly images: ReadonlyArray<{ readonly index: number | null, readonly url: string | null }>, readonly soFar: { readonly images: ReadonlyArray<{ readonly index: number | null, readonly url: string | null, readonly width: number | null, readonly height: number | null, readonly expiresAt: string | null }>, readonly failures: ReadonlyArray<{ readonly index: number | null, readonly message: string }> } }
    | { readonly __typename: 'ImageFailed', readonly generationId: string | null, readonly sequence: number, readonly error:
        | { readonly __typename: 'AuthenticationError', readonly code: ErrorCode, readonly message: string }
        | { readonly __typename: 'GatewayError', readonly code: ErrorCode, readonly message: string }
        | { readonly __typename: 'IdempotencyConflictError', readonly code: ErrorCode, readonly message: string }
        | { readonly __typename: 'InvalidInputError', readonly code: ErrorCode, readonly message: string, readonly issues: ReadonlyArray<{ readonly path: ReadonlyArray<string>, readonly message: string, readonly limit: string | null, readonly received: string | null }> }
        | { readonly __typename: 'NotCancelableError', readonly code: ErrorCode, readonly message: string }
        | { readonly __typename: 'NotFoundError', readonly code: ErrorCode, readonly message: string }
        | { readonly __typename: 'OutcomeUnknownError', readonly code: ErrorCode, readonly message: string }
        | { readonly __typename: 'QuotaError', readonly code: ErrorCode, readonly message: string }
        | { readonly __typename: 'RateLimitError', readonly code: ErrorCode, readonly message: string }
        | { readonly __typename: 'StreamError', readonly code: ErrorCode, readonly message: string }
      , readonly soFar: { readonly images: ReadonlyArray<{ readonly index: number | null, readonly url: string | null, readonly width: number | null, readonly height: number | null, readonly expiresAt: string | null }>, readonly failures: ReadonlyArray<{ readonly index: number | null, readonly message: string }> } }
    | { readonly __typename: 'ImageSnapshot', readonly generationId: string | null, readonly sequence: number, readonly soFar: { readonly images: ReadonlyArray<{ readonly index: number | null, readonly url: string | null, readonly width: number | null, readonly height: number | null, readonly expiresAt: string | null }>, readonly failures: ReadonlyArray<{ readonly index: number | null, readonly message: string }> } }
   };

export type AdjustSongSpeedMutationVariables = Exact<{
  input: AdjustSongSpeedInput;
  idempotencyKey?: string | number | null | undefined;
}>;


export type AdjustSongSpeedMutation = { readonly adjustSongSpeed:
    | { readonly __typename: 'AuthenticationError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'GatewayError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'Generation', readonly id: string, readonly status: TaskStatus, readonly output:
        | { readonly __typename: 'ChatCompletion' }
        | { readonly __typename: 'ContentResponse' }
        | { readonly __typename: 'ImageSet' }
        | { readonly __typename: 'PredictionOutput' }
        | { readonly __typename: 'SongList', readonly songs: ReadonlyArray<{ readonly clipId: string | null, readonly title: string | null, readonly audioUrl: string | null, readonly durationSeconds: number | null }> }
        | { readonly __typename: 'SpeechClip' }
        | { readonly __typename: 'Video' }
       | null }
    | { readonly __typename: 'IdempotencyConflictError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'InvalidInputError', readonly code: ErrorCode, readonly message: string, readonly issues: ReadonlyArray<{ readonly path: ReadonlyArray<string>, readonly message: string }> }
    | { readonly __typename: 'OutcomeUnknownError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'QuotaError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'RateLimitError', readonly code: ErrorCode, readonly message: string }
   };

export type CreateSongCoverMutationVariables = Exact<{
  input: CreateSongCoverInput;
  idempotencyKey?: string | number | null | undefined;
}>;


export type CreateSongCoverMutation = { readonly createSongCover:
    | { readonly __typename: 'AuthenticationError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'GatewayError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'Generation', readonly id: string, readonly status: TaskStatus, readonly task: { readonly id: string, readonly tracking: TaskTracking } | null }
    | { readonly __typename: 'IdempotencyConflictError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'InvalidInputError', readonly code: ErrorCode, readonly message: string, readonly issues: ReadonlyArray<{ readonly path: ReadonlyArray<string>, readonly message: string }> }
    | { readonly __typename: 'OutcomeUnknownError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'QuotaError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'RateLimitError', readonly code: ErrorCode, readonly message: string }
   };

export type CreateSongMutationVariables = Exact<{
  input: CreateSongInput;
  idempotencyKey?: string | number | null | undefined;
}>;


export type CreateSongMutation = { readonly createSong:
    | { readonly __typename: 'AuthenticationError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'GatewayError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'Generation', readonly id: string, readonly status: TaskStatus, readonly task: { readonly id: string, readonly tracking: TaskTracking } | null }
    | { readonly __typename: 'IdempotencyConflictError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'InvalidInputError', readonly code: ErrorCode, readonly message: string, readonly issues: ReadonlyArray<{ readonly path: ReadonlyArray<string>, readonly message: string }> }
    | { readonly __typename: 'OutcomeUnknownError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'QuotaError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'RateLimitError', readonly code: ErrorCode, readonly message: string }
   };

export type CreateAnimationMutationVariables = Exact<{
  input: CreateAnimationInput;
  idempotencyKey?: string | number | null | undefined;
}>;


export type CreateAnimationMutation = { readonly createAnimation:
    | { readonly __typename: 'AuthenticationError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'GatewayError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'Generation', readonly id: string, readonly status: TaskStatus, readonly task: { readonly id: string, readonly tracking: TaskTracking } | null }
    | { readonly __typename: 'IdempotencyConflictError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'InvalidInputError', readonly code: ErrorCode, readonly message: string, readonly issues: ReadonlyArray<{ readonly path: ReadonlyArray<string>, readonly message: string }> }
    | { readonly __typename: 'OutcomeUnknownError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'QuotaError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'RateLimitError', readonly code: ErrorCode, readonly message: string }
   };

export type FillImageMutationVariables = Exact<{
  input: FillImageInput;
  idempotencyKey?: string | number | null | undefined;
}>;


export type FillImageMutation = { readonly fillImage:
    | { readonly __typename: 'AuthenticationError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'GatewayError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'Generation', readonly id: string, readonly status: TaskStatus, readonly task: { readonly id: string, readonly tracking: TaskTracking } | null }
    | { readonly __typename: 'IdempotencyConflictError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'InvalidInputError', readonly code: ErrorCode, readonly message: string, readonly issues: ReadonlyArray<{ readonly path: ReadonlyArray<string>, readonly message: string }> }
    | { readonly __typename: 'OutcomeUnknownError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'QuotaError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'RateLimitError', readonly code: ErrorCode, readonly message: string }
   };

export type CreateSpeechMutationVariables = Exact<{
  input: CreateSpeechInput;
  idempotencyKey?: string | number | null | undefined;
}>;


export type CreateSpeechMutation = { readonly createSpeech:
    | { readonly __typename: 'AuthenticationError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'GatewayError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'Generation', readonly id: string, readonly status: TaskStatus, readonly output:
        | { readonly audioUrl: string | null, readonly durationSeconds: number | null, readonly model: string | null, readonly credits: number | string | null }
        | Record<PropertyKey, never>
       | null, readonly task: { readonly id: string, readonly tracking: TaskTracking } | null }
    | { readonly __typename: 'IdempotencyConflictError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'InvalidInputError', readonly code: ErrorCode, readonly message: string, readonly issues: ReadonlyArray<{ readonly path: ReadonlyArray<string>, readonly message: string, readonly limit: string | null, readonly received: string | null }> }
    | { readonly __typename: 'OutcomeUnknownError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'QuotaError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'RateLimitError', readonly code: ErrorCode, readonly message: string }
   };

export type AccessTokensQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type AccessTokensQuery = { readonly accessTokens: { readonly edges: ReadonlyArray<{ readonly node: { readonly id: string, readonly name: string, readonly quotaAmount: number | null, readonly modelLimits: ReadonlyArray<string> | null, readonly expiresAt: string | null, readonly createdAt: string } }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } };

export type CreateTokenMutationVariables = Exact<{
  input: CreateTokenInput;
  idempotencyKey?: string | number | null | undefined;
}>;


export type CreateTokenMutation = { readonly createToken:
    | { readonly __typename: 'AuthenticationError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'CreatedToken', readonly key: string | null, readonly token: { readonly id: string, readonly name: string, readonly quotaAmount: number | null, readonly expiresAt: string | null } }
    | { readonly __typename: 'GatewayError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'IdempotencyConflictError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'InvalidInputError', readonly code: ErrorCode, readonly message: string, readonly issues: ReadonlyArray<{ readonly path: ReadonlyArray<string>, readonly message: string }> }
    | { readonly __typename: 'OutcomeUnknownError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'QuotaError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'RateLimitError', readonly code: ErrorCode, readonly message: string }
   };

export type CreateReferenceVideoMutationVariables = Exact<{
  input: CreateReferenceVideoInput;
  idempotencyKey?: string | number | null | undefined;
}>;


export type CreateReferenceVideoMutation = { readonly createReferenceVideo:
    | { readonly __typename: 'AuthenticationError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'GatewayError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'Generation', readonly id: string, readonly status: TaskStatus, readonly model: string | null, readonly task: { readonly id: string, readonly tracking: TaskTracking } | null }
    | { readonly __typename: 'IdempotencyConflictError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'InvalidInputError', readonly code: ErrorCode, readonly message: string, readonly issues: ReadonlyArray<{ readonly path: ReadonlyArray<string>, readonly message: string, readonly limit: string | null, readonly received: string | null }> }
    | { readonly __typename: 'OutcomeUnknownError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'QuotaError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'RateLimitError', readonly code: ErrorCode, readonly message: string }
   };

export type CreateTransitionVideoMutationVariables = Exact<{
  input: CreateTransitionVideoInput;
  idempotencyKey?: string | number | null | undefined;
}>;


export type CreateTransitionVideoMutation = { readonly createTransitionVideo:
    | { readonly __typename: 'AuthenticationError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'GatewayError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'Generation', readonly id: string, readonly status: TaskStatus, readonly model: string | null, readonly task: { readonly id: string, readonly tracking: TaskTracking } | null }
    | { readonly __typename: 'IdempotencyConflictError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'InvalidInputError', readonly code: ErrorCode, readonly message: string, readonly issues: ReadonlyArray<{ readonly path: ReadonlyArray<string>, readonly message: string, readonly limit: string | null, readonly received: string | null }> }
    | { readonly __typename: 'OutcomeUnknownError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'QuotaError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'RateLimitError', readonly code: ErrorCode, readonly message: string }
   };

export type CreateVideoMutationVariables = Exact<{
  input: CreateVideoInput;
  idempotencyKey?: string | number | null | undefined;
}>;


export type CreateVideoMutation = { readonly createVideo:
    | { readonly __typename: 'AuthenticationError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'GatewayError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'Generation', readonly id: string, readonly status: TaskStatus, readonly model: string | null, readonly task: { readonly id: string, readonly tracking: TaskTracking } | null }
    | { readonly __typename: 'IdempotencyConflictError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'InvalidInputError', readonly code: ErrorCode, readonly message: string, readonly issues: ReadonlyArray<{ readonly path: ReadonlyArray<string>, readonly message: string, readonly limit: string | null, readonly received: string | null }> }
    | { readonly __typename: 'OutcomeUnknownError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'QuotaError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'RateLimitError', readonly code: ErrorCode, readonly message: string }
   };

export type CloneVoiceMutationVariables = Exact<{
  input: CloneVoiceInput;
  idempotencyKey?: string | number | null | undefined;
}>;


export type CloneVoiceMutation = { readonly cloneVoice:
    | { readonly __typename: 'AuthenticationError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'ClonedVoice', readonly voice: { readonly id: string, readonly voiceId: string }, readonly preview: { readonly url: string | null } | null }
    | { readonly __typename: 'GatewayError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'IdempotencyConflictError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'InvalidInputError', readonly code: ErrorCode, readonly message: string, readonly issues: ReadonlyArray<{ readonly path: ReadonlyArray<string>, readonly message: string, readonly limit: string | null, readonly received: string | null }> }
    | { readonly __typename: 'OutcomeUnknownError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'QuotaError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'RateLimitError', readonly code: ErrorCode, readonly message: string }
   };

export type TwoVoicesQueryVariables = Exact<{ [key: string]: never; }>;


export type TwoVoicesQuery = { readonly voices: { readonly edges: ReadonlyArray<{ readonly node: { readonly id: string, readonly name: string | null, readonly language: string | null } }>, readonly pageInfo: { readonly hasNextPage: boolean } } };

export type VoiceQueryVariables = Exact<{
  id: string | number;
}>;


export type VoiceQuery = { readonly voice: { readonly id: string, readonly voiceId: string, readonly name: string | null, readonly language: string | null, readonly gender: string | null, readonly owner: string | null, readonly previewUrl: string | null } | null };

export type VoicesQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type VoicesQuery = { readonly voices: { readonly edges: ReadonlyArray<{ readonly node: { readonly id: string, readonly voiceId: string, readonly name: string | null, readonly language: string | null, readonly previewUrl: string | null } }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } };

export type AwaitGenerationQueryVariables = Exact<{
  id: string | number;
  timeoutSeconds?: number | null | undefined;
}>;


export type AwaitGenerationQuery = { readonly awaitGeneration: { readonly id: string, readonly kind: GenerationKind, readonly status: TaskStatus, readonly isTerminal: boolean, readonly assets: ReadonlyArray<{ readonly kind: AssetKind, readonly url: string | null }>, readonly error: { readonly code: ErrorCode, readonly message: string } | null } | null };

export type CancelGenerationMutationVariables = Exact<{
  by: GenerationSelector;
}>;


export type CancelGenerationMutation = { readonly cancelGeneration:
    | { readonly __typename: 'AuthenticationError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'GatewayError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'Generation', readonly id: string, readonly status: TaskStatus, readonly finishedAt: string | null }
    | { readonly __typename: 'InvalidInputError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'NotCancelableError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'NotFoundError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'QuotaError', readonly code: ErrorCode, readonly message: string }
    | { readonly __typename: 'RateLimitError', readonly code: ErrorCode, readonly message: string }
   };

export type ForgetGenerationsMutationVariables = Exact<{
  ids: ReadonlyArray<string | number> | string | number;
}>;


export type ForgetGenerationsMutation = { readonly forgetGenerations: ReadonlyArray<string> };

export type GenerationChangedSubscriptionVariables = Exact<{
  filter?: GenerationFilter | null | undefined;
}>;


export type GenerationChangedSubscription = { readonly generationChanged: { readonly id: string, readonly kind: GenerationKind, readonly status: TaskStatus, readonly prompt: string | null, readonly assets: ReadonlyArray<{ readonly kind: AssetKind, readonly url: string | null }> } };

export type GenerationQueryVariables = Exact<{
  id: string | number;
}>;


export type GenerationQuery = { readonly generation: { readonly id: string, readonly kind: GenerationKind, readonly status: TaskStatus, readonly prompt: string | null, readonly isTerminal: boolean, readonly isCancelable: boolean, readonly createdAt: string, readonly finishedAt: string | null, readonly output:
      | { readonly __typename: 'ChatCompletion', readonly choices: ReadonlyArray<{ readonly message: { readonly content: string | null } }> }
      | { readonly __typename: 'ContentResponse' }
      | { readonly __typename: 'ImageSet' }
      | { readonly __typename: 'PredictionOutput' }
      | { readonly __typename: 'SongList' }
      | { readonly __typename: 'SpeechClip' }
      | { readonly __typename: 'Video' }
     | null, readonly assets: ReadonlyArray<{ readonly kind: AssetKind, readonly url: string | null }>, readonly error: { readonly code: ErrorCode, readonly message: string } | null } | null };

export type GenerationsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  filter?: GenerationFilter | null | undefined;
}>;


export type GenerationsQuery = { readonly generations: { readonly edges: ReadonlyArray<{ readonly cursor: string, readonly node: { readonly id: string, readonly kind: GenerationKind, readonly status: TaskStatus, readonly model: string | null, readonly prompt: string | null, readonly createdAt: string } }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } };

export type NodeQueryVariables = Exact<{
  id: string | number;
}>;


export type NodeQuery = { readonly node:
    | { readonly __typename: 'AccessToken', readonly id: string }
    | { readonly __typename: 'Generation', readonly kind: GenerationKind, readonly status: TaskStatus, readonly id: string }
    | { readonly __typename: 'Task', readonly id: string }
    | { readonly __typename: 'Voice', readonly name: string | null, readonly language: string | null, readonly id: string }
   | null };

export type NodesQueryVariables = Exact<{
  ids: ReadonlyArray<string | number> | string | number;
}>;


export type NodesQuery = { readonly nodes: ReadonlyArray<
    | { readonly __typename: 'AccessToken', readonly id: string }
    | { readonly __typename: 'Generation', readonly kind: GenerationKind, readonly status: TaskStatus, readonly id: string }
    | { readonly __typename: 'Task', readonly id: string }
    | { readonly __typename: 'Voice', readonly name: string | null, readonly language: string | null, readonly id: string }
   | null> };

export type TaskByHandleQueryVariables = Exact<{
  handle: TaskHandleInput;
}>;


export type TaskByHandleQuery = { readonly taskByHandle: { readonly id: string, readonly kind: GenerationKind, readonly upstreamId: string, readonly status: TaskStatus, readonly progress: number | null, readonly tracking: TaskTracking } | null };

export type TaskProgressSubscriptionVariables = Exact<{
  id: string | number;
}>;


export type TaskProgressSubscription = { readonly taskProgress: { readonly id: string, readonly status: TaskStatus, readonly progress: number | null, readonly queuePosition: number | null, readonly isTerminal: boolean, readonly generation: { readonly assets: ReadonlyArray<{ readonly kind: AssetKind, readonly url: string | null }> } | null, readonly error: { readonly message: string } | null, readonly readFailure: { readonly message: string } | null } };

export type TaskQueryVariables = Exact<{
  id: string | number;
}>;


export type TaskQuery = { readonly task: { readonly id: string, readonly kind: GenerationKind, readonly status: TaskStatus, readonly rawStatus: string | null, readonly progress: number | null, readonly queuePosition: number | null, readonly isTerminal: boolean, readonly tracking: TaskTracking, readonly output:
      | { readonly __typename: 'ChatCompletion' }
      | { readonly __typename: 'ContentResponse' }
      | { readonly __typename: 'ImageSet', readonly images: ReadonlyArray<{ readonly url: string | null, readonly width: number | null, readonly height: number | null }> }
      | { readonly __typename: 'PredictionOutput', readonly files: ReadonlyArray<{ readonly kind: AssetKind, readonly url: string | null }> }
      | { readonly __typename: 'SongList', readonly songs: ReadonlyArray<{ readonly clipId: string | null, readonly title: string | null, readonly audioUrl: string | null }> }
      | { readonly __typename: 'SpeechClip', readonly audioUrl: string | null, readonly durationSeconds: number | null }
      | { readonly __typename: 'Video', readonly url: string | null, readonly durationSeconds: number | null, readonly thumbnailUrl: string | null }
     | null, readonly error: { readonly code: ErrorCode, readonly message: string } | null, readonly generation: { readonly id: string, readonly assets: ReadonlyArray<{ readonly kind: AssetKind, readonly url: string | null }> } | null } | null };

export type TasksProgressSubscriptionVariables = Exact<{
  ids: ReadonlyArray<string | number> | string | number;
}>;


export type TasksProgressSubscription = { readonly tasksProgress: { readonly id: string, readonly kind: GenerationKind, readonly status: TaskStatus, readonly progress: number | null, readonly isTerminal: boolean, readonly generation: { readonly assets: ReadonlyArray<{ readonly kind: AssetKind, readonly url: string | null }> } | null, readonly error: { readonly message: string } | null } };

export type TasksQueryVariables = Exact<{
  ids: ReadonlyArray<string | number> | string | number;
}>;


export type TasksQuery = { readonly tasks: ReadonlyArray<{ readonly id: string, readonly kind: GenerationKind, readonly status: TaskStatus, readonly progress: number | null, readonly isTerminal: boolean, readonly error: { readonly message: string } | null } | null> };


export const ChatStreamDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"ChatStream"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"chatStream"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"generationId"}},{"kind":"Field","name":{"kind":"Name","value":"sequence"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ChatSnapshot"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"soFar"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"choices"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"message"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"role"}},{"kind":"Field","name":{"kind":"Name","value":"content"}},{"kind":"Field","name":{"kind":"Name","value":"reasoningContent"}}]}},{"kind":"Field","name":{"kind":"Name","value":"finishReason"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ChatDelta"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"fromSequence"}},{"kind":"Field","name":{"kind":"Name","value":"choices"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"role"}},{"kind":"Field","name":{"kind":"Name","value":"content"}},{"kind":"Field","name":{"kind":"Name","value":"reasoningContent"}},{"kind":"Field","name":{"kind":"Name","value":"finishReason"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ChatCompleted"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"generation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"usage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"promptTokens"}},{"kind":"Field","name":{"kind":"Name","value":"completionTokens"}},{"kind":"Field","name":{"kind":"Name","value":"totalTokens"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ChatFailed"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]}}]}}]} as unknown as DocumentNode<ChatStreamSubscription, ChatStreamSubscriptionVariables>;
export const ChatDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"Chat"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ChatInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"chat"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}},{"kind":"Argument","name":{"kind":"Name","value":"idempotencyKey"},"value":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"generationId"}},{"kind":"Field","name":{"kind":"Name","value":"sequence"}},{"kind":"Field","name":{"kind":"Name","value":"soFar"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"choices"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"message"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"content"}}]}},{"kind":"Field","name":{"kind":"Name","value":"finishReason"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ChatCompleted"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"generation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"usage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalTokens"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ChatFailed"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]}}]}}]} as unknown as DocumentNode<ChatSubscription, ChatSubscriptionVariables>;
export const CreateChatCompletionDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateChatCompletion"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ChatInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createChatCompletion"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}},{"kind":"Argument","name":{"kind":"Name","value":"idempotencyKey"},"value":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Generation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"output"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ChatCompletion"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"model"}},{"kind":"Field","name":{"kind":"Name","value":"choices"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"message"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"content"}},{"kind":"Field","name":{"kind":"Name","value":"toolCalls"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"arguments"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"finishReason"}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"usage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"promptTokens"}},{"kind":"Field","name":{"kind":"Name","value":"completionTokens"}},{"kind":"Field","name":{"kind":"Name","value":"totalTokens"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"GengraphError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidInputError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"limit"}},{"kind":"Field","name":{"kind":"Name","value":"received"}}]}}]}}]}}]}}]} as unknown as DocumentNode<CreateChatCompletionMutation, CreateChatCompletionMutationVariables>;
export const StartChatDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"StartChat"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ChatInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"collection"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"startChat"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}},{"kind":"Argument","name":{"kind":"Name","value":"idempotencyKey"},"value":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}}},{"kind":"Argument","name":{"kind":"Name","value":"collection"},"value":{"kind":"Variable","name":{"kind":"Name","value":"collection"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Generation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"model"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"GengraphError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidInputError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"limit"}},{"kind":"Field","name":{"kind":"Name","value":"received"}}]}}]}}]}}]}}]} as unknown as DocumentNode<StartChatMutation, StartChatMutationVariables>;
export const GenerateContentDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"GenerateContent"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"GenerateContentInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"generateContent"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}},{"kind":"Argument","name":{"kind":"Name","value":"idempotencyKey"},"value":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Generation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"output"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ContentResponse"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"candidates"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"finishReason"}},{"kind":"Field","name":{"kind":"Name","value":"urlContextMetadata"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"urlMetadata"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retrievedUrl"}},{"kind":"Field","name":{"kind":"Name","value":"urlRetrievalStatus"}}]}}]}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"usage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"promptTokens"}},{"kind":"Field","name":{"kind":"Name","value":"completionTokens"}},{"kind":"Field","name":{"kind":"Name","value":"totalTokens"}}]}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"upstreamCode"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"GengraphError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidInputError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"limit"}},{"kind":"Field","name":{"kind":"Name","value":"received"}}]}}]}}]}}]}}]} as unknown as DocumentNode<GenerateContentMutation, GenerateContentMutationVariables>;
export const QueueImageDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"QueueImage"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"QueueImageInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"queueImage"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}},{"kind":"Argument","name":{"kind":"Name","value":"idempotencyKey"},"value":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Generation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"task"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"tracking"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"GengraphError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidInputError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]}}]}}]} as unknown as DocumentNode<QueueImageMutation, QueueImageMutationVariables>;
export const QueueInpaintingDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"QueueInpainting"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"QueueInpaintingInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"queueInpainting"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}},{"kind":"Argument","name":{"kind":"Name","value":"idempotencyKey"},"value":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Generation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"task"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"tracking"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"GengraphError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidInputError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]}}]}}]} as unknown as DocumentNode<QueueInpaintingMutation, QueueInpaintingMutationVariables>;
export const CreateImageDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateImage"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateImageInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createImage"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}},{"kind":"Argument","name":{"kind":"Name","value":"idempotencyKey"},"value":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Generation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"output"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ImageSet"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"created"}},{"kind":"Field","name":{"kind":"Name","value":"images"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"width"}},{"kind":"Field","name":{"kind":"Name","value":"height"}},{"kind":"Field","name":{"kind":"Name","value":"contentType"}},{"kind":"Field","name":{"kind":"Name","value":"revisedPrompt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"failures"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"usage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalTokens"}}]}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"GengraphError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidInputError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"limit"}},{"kind":"Field","name":{"kind":"Name","value":"received"}}]}}]}}]}}]}}]} as unknown as DocumentNode<CreateImageMutation, CreateImageMutationVariables>;
export const ImageStreamDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"ImageStream"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ImageSetAInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"imageStream"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}},{"kind":"Argument","name":{"kind":"Name","value":"idempotencyKey"},"value":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"generationId"}},{"kind":"Field","name":{"kind":"Name","value":"sequence"}},{"kind":"Field","name":{"kind":"Name","value":"soFar"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"images"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"width"}},{"kind":"Field","name":{"kind":"Name","value":"height"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"failures"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ImageDelta"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"fromSequence"}},{"kind":"Field","name":{"kind":"Name","value":"images"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"url"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ImageCompleted"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"generation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"usage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"outputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"totalTokens"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ImageFailed"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidInputError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"limit"}},{"kind":"Field","name":{"kind":"Name","value":"received"}}]}}]}}]}}]}}]}}]}}]} as unknown as DocumentNode<ImageStreamSubscription, ImageStreamSubscriptionVariables>;
export const AdjustSongSpeedDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"AdjustSongSpeed"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"AdjustSongSpeedInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"adjustSongSpeed"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}},{"kind":"Argument","name":{"kind":"Name","value":"idempotencyKey"},"value":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Generation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"output"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SongList"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"songs"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"clipId"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"audioUrl"}},{"kind":"Field","name":{"kind":"Name","value":"durationSeconds"}}]}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"GengraphError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidInputError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]}}]}}]} as unknown as DocumentNode<AdjustSongSpeedMutation, AdjustSongSpeedMutationVariables>;
export const CreateSongCoverDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateSongCover"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateSongCoverInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createSongCover"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}},{"kind":"Argument","name":{"kind":"Name","value":"idempotencyKey"},"value":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Generation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"task"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"tracking"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"GengraphError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidInputError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]}}]}}]} as unknown as DocumentNode<CreateSongCoverMutation, CreateSongCoverMutationVariables>;
export const CreateSongDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateSong"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateSongInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createSong"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}},{"kind":"Argument","name":{"kind":"Name","value":"idempotencyKey"},"value":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Generation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"task"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"tracking"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"GengraphError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidInputError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]}}]}}]} as unknown as DocumentNode<CreateSongMutation, CreateSongMutationVariables>;
export const CreateAnimationDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateAnimation"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateAnimationInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createAnimation"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}},{"kind":"Argument","name":{"kind":"Name","value":"idempotencyKey"},"value":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Generation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"task"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"tracking"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"GengraphError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidInputError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]}}]}}]} as unknown as DocumentNode<CreateAnimationMutation, CreateAnimationMutationVariables>;
export const FillImageDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"FillImage"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"FillImageInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"fillImage"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}},{"kind":"Argument","name":{"kind":"Name","value":"idempotencyKey"},"value":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Generation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"task"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"tracking"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"GengraphError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidInputError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]}}]}}]} as unknown as DocumentNode<FillImageMutation, FillImageMutationVariables>;
export const CreateSpeechDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateSpeech"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateSpeechInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createSpeech"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}},{"kind":"Argument","name":{"kind":"Name","value":"idempotencyKey"},"value":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Generation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"output"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SpeechClip"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"audioUrl"}},{"kind":"Field","name":{"kind":"Name","value":"durationSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"model"}},{"kind":"Field","name":{"kind":"Name","value":"credits"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"task"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"tracking"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"GengraphError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidInputError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"limit"}},{"kind":"Field","name":{"kind":"Name","value":"received"}}]}}]}}]}}]}}]} as unknown as DocumentNode<CreateSpeechMutation, CreateSpeechMutationVariables>;
export const AccessTokensDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"AccessTokens"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"accessTokens"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"edges"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"node"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"quotaAmount"}},{"kind":"Field","name":{"kind":"Name","value":"modelLimits"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}}]} as unknown as DocumentNode<AccessTokensQuery, AccessTokensQueryVariables>;
export const CreateTokenDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateToken"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateTokenInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createToken"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}},{"kind":"Argument","name":{"kind":"Name","value":"idempotencyKey"},"value":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"CreatedToken"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"token"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"quotaAmount"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"GengraphError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidInputError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]}}]}}]} as unknown as DocumentNode<CreateTokenMutation, CreateTokenMutationVariables>;
export const CreateReferenceVideoDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateReferenceVideo"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateReferenceVideoInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createReferenceVideo"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}},{"kind":"Argument","name":{"kind":"Name","value":"idempotencyKey"},"value":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Generation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"model"}},{"kind":"Field","name":{"kind":"Name","value":"task"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"tracking"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"GengraphError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidInputError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"limit"}},{"kind":"Field","name":{"kind":"Name","value":"received"}}]}}]}}]}}]}}]} as unknown as DocumentNode<CreateReferenceVideoMutation, CreateReferenceVideoMutationVariables>;
export const CreateTransitionVideoDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateTransitionVideo"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateTransitionVideoInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createTransitionVideo"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}},{"kind":"Argument","name":{"kind":"Name","value":"idempotencyKey"},"value":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Generation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"model"}},{"kind":"Field","name":{"kind":"Name","value":"task"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"tracking"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"GengraphError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidInputError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"limit"}},{"kind":"Field","name":{"kind":"Name","value":"received"}}]}}]}}]}}]}}]} as unknown as DocumentNode<CreateTransitionVideoMutation, CreateTransitionVideoMutationVariables>;
export const CreateVideoDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateVideo"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateVideoInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createVideo"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}},{"kind":"Argument","name":{"kind":"Name","value":"idempotencyKey"},"value":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Generation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"model"}},{"kind":"Field","name":{"kind":"Name","value":"task"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"tracking"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"GengraphError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidInputError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"limit"}},{"kind":"Field","name":{"kind":"Name","value":"received"}}]}}]}}]}}]}}]} as unknown as DocumentNode<CreateVideoMutation, CreateVideoMutationVariables>;
export const CloneVoiceDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CloneVoice"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CloneVoiceInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cloneVoice"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}},{"kind":"Argument","name":{"kind":"Name","value":"idempotencyKey"},"value":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ClonedVoice"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"voice"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"voiceId"}}]}},{"kind":"Field","name":{"kind":"Name","value":"preview"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"url"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"GengraphError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidInputError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"limit"}},{"kind":"Field","name":{"kind":"Name","value":"received"}}]}}]}}]}}]}}]} as unknown as DocumentNode<CloneVoiceMutation, CloneVoiceMutationVariables>;
export const TwoVoicesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"TwoVoices"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"voices"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"2"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"edges"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"node"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"language"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}}]}}]}}]}}]} as unknown as DocumentNode<TwoVoicesQuery, TwoVoicesQueryVariables>;
export const VoiceDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Voice"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"voice"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"voiceId"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"language"}},{"kind":"Field","name":{"kind":"Name","value":"gender"}},{"kind":"Field","name":{"kind":"Name","value":"owner"}},{"kind":"Field","name":{"kind":"Name","value":"previewUrl"}}]}}]}}]} as unknown as DocumentNode<VoiceQuery, VoiceQueryVariables>;
export const VoicesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Voices"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"voices"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"edges"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"node"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"voiceId"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"language"}},{"kind":"Field","name":{"kind":"Name","value":"previewUrl"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}}]} as unknown as DocumentNode<VoicesQuery, VoicesQueryVariables>;
export const AwaitGenerationDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"AwaitGeneration"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"timeoutSeconds"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"awaitGeneration"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"timeoutSeconds"},"value":{"kind":"Variable","name":{"kind":"Name","value":"timeoutSeconds"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"isTerminal"}},{"kind":"Field","name":{"kind":"Name","value":"assets"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"url"}}]}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]}}]} as unknown as DocumentNode<AwaitGenerationQuery, AwaitGenerationQueryVariables>;
export const CancelGenerationDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CancelGeneration"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"by"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"GenerationSelector"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cancelGeneration"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"by"},"value":{"kind":"Variable","name":{"kind":"Name","value":"by"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Generation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"finishedAt"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"GengraphError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]}}]} as unknown as DocumentNode<CancelGenerationMutation, CancelGenerationMutationVariables>;
export const ForgetGenerationsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ForgetGenerations"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"ids"}},"type":{"kind":"NonNullType","type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"forgetGenerations"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"ids"},"value":{"kind":"Variable","name":{"kind":"Name","value":"ids"}}}]}]}}]} as unknown as DocumentNode<ForgetGenerationsMutation, ForgetGenerationsMutationVariables>;
export const GenerationChangedDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"GenerationChanged"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"GenerationFilter"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"generationChanged"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"prompt"}},{"kind":"Field","name":{"kind":"Name","value":"assets"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"url"}}]}}]}}]}}]} as unknown as DocumentNode<GenerationChangedSubscription, GenerationChangedSubscriptionVariables>;
export const GenerationDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Generation"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"generation"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"prompt"}},{"kind":"Field","name":{"kind":"Name","value":"isTerminal"}},{"kind":"Field","name":{"kind":"Name","value":"isCancelable"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"finishedAt"}},{"kind":"Field","name":{"kind":"Name","value":"output"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ChatCompletion"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"choices"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"message"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"content"}}]}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"assets"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"url"}}]}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]}}]} as unknown as DocumentNode<GenerationQuery, GenerationQueryVariables>;
export const GenerationsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Generations"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"GenerationFilter"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"generations"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"edges"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cursor"}},{"kind":"Field","name":{"kind":"Name","value":"node"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"model"}},{"kind":"Field","name":{"kind":"Name","value":"prompt"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}}]} as unknown as DocumentNode<GenerationsQuery, GenerationsQueryVariables>;
export const NodeDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Node"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"node"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Voice"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"language"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Generation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}}]}}]} as unknown as DocumentNode<NodeQuery, NodeQueryVariables>;
export const NodesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Nodes"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"ids"}},"type":{"kind":"NonNullType","type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"ids"},"value":{"kind":"Variable","name":{"kind":"Name","value":"ids"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Voice"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"language"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Generation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}}]}}]} as unknown as DocumentNode<NodesQuery, NodesQueryVariables>;
export const TaskByHandleDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"TaskByHandle"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"handle"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"TaskHandleInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"taskByHandle"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"handle"},"value":{"kind":"Variable","name":{"kind":"Name","value":"handle"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"upstreamId"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"progress"}},{"kind":"Field","name":{"kind":"Name","value":"tracking"}}]}}]}}]} as unknown as DocumentNode<TaskByHandleQuery, TaskByHandleQueryVariables>;
export const TaskProgressDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"TaskProgress"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"taskProgress"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"progress"}},{"kind":"Field","name":{"kind":"Name","value":"queuePosition"}},{"kind":"Field","name":{"kind":"Name","value":"isTerminal"}},{"kind":"Field","name":{"kind":"Name","value":"generation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"assets"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"url"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"Field","name":{"kind":"Name","value":"readFailure"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]}}]} as unknown as DocumentNode<TaskProgressSubscription, TaskProgressSubscriptionVariables>;
export const TaskDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Task"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"task"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"rawStatus"}},{"kind":"Field","name":{"kind":"Name","value":"progress"}},{"kind":"Field","name":{"kind":"Name","value":"queuePosition"}},{"kind":"Field","name":{"kind":"Name","value":"isTerminal"}},{"kind":"Field","name":{"kind":"Name","value":"tracking"}},{"kind":"Field","name":{"kind":"Name","value":"output"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ImageSet"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"images"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"width"}},{"kind":"Field","name":{"kind":"Name","value":"height"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SongList"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"songs"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"clipId"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"audioUrl"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PredictionOutput"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"files"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"url"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SpeechClip"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"audioUrl"}},{"kind":"Field","name":{"kind":"Name","value":"durationSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Video"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"durationSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"thumbnailUrl"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"Field","name":{"kind":"Name","value":"generation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"assets"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"url"}}]}}]}}]}}]}}]} as unknown as DocumentNode<TaskQuery, TaskQueryVariables>;
export const TasksProgressDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"TasksProgress"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"ids"}},"type":{"kind":"NonNullType","type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"tasksProgress"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"ids"},"value":{"kind":"Variable","name":{"kind":"Name","value":"ids"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"progress"}},{"kind":"Field","name":{"kind":"Name","value":"isTerminal"}},{"kind":"Field","name":{"kind":"Name","value":"generation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"assets"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"url"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]}}]} as unknown as DocumentNode<TasksProgressSubscription, TasksProgressSubscriptionVariables>;
export const TasksDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Tasks"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"ids"}},"type":{"kind":"NonNullType","type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"tasks"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"ids"},"value":{"kind":"Variable","name":{"kind":"Name","value":"ids"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"progress"}},{"kind":"Field","name":{"kind":"Name","value":"isTerminal"}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]}}]} as unknown as DocumentNode<TasksQuery, TasksQueryVariables>;