/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from './typed-document-node.ts';
/** Quota. */
export type AccessTokenQuotaInput =
  {   /** Currency units, in steps of 0.000002. */
  readonly amount: number; readonly isUnlimited?: never; readonly units?: never; }
  |  { readonly amount?: never;   /** No limit. Only `true` is accepted. */
  readonly isUnlimited: boolean; readonly units?: never; }
  |  { readonly amount?: never; readonly isUnlimited?: never;   /** From 0; 500000 are one currency unit. */
  readonly units: number | string; };

/** An existing song at another speed. */
export type AdjustSongSpeedInput = {
  /** `Song.clipId`, or the id of a direct upload to the gateway. */
  readonly clipId: string | number;
  readonly extra?: unknown;
  /** Preserve the pitch. */
  readonly keepPitch?: boolean | null | undefined;
  /** Speed factor, 0.25 to 4. 0.5 is half as fast. */
  readonly speed: number;
};

/** File kind. */
export type AssetKind =
  /** Speech or music. */
  | 'AUDIO'
  /** Still or animated image. */
  | 'IMAGE'
  | 'VIDEO';

/** Relation of a file to the requested result. */
export type AssetRole =
  /** Cover picture of a song. */
  | 'COVER'
  /** Video of a song. */
  | 'MUSIC_VIDEO'
  /** Sample of a voice. */
  | 'PREVIEW'
  /** The requested result, or a part of it. */
  | 'PRIMARY'
  /** Still image of a video. */
  | 'THUMBNAIL';

/** A span of 1 to 3 seconds, with a precision of 1 ms. */
export type CharacterTimestampsInput = {
  /** From the beginning of the video. */
  readonly endSeconds: number;
  /** From the beginning of the video. */
  readonly startSeconds: number;
};

/** Content of a message. */
export type ChatContentInput =
  {   /** In order, at least one. */
  readonly parts: ReadonlyArray<ChatContentPartInput>; readonly text?: never; }
  |  { readonly parts?: never;   /** Plain text. */
  readonly text: string; };

/** Part of a message. */
export type ChatContentPartInput =
  {   /** Image. */
  readonly imageUrl: ImageUrlInput; readonly text?: never; }
  |  { readonly imageUrl?: never;   readonly text: string; };

/** A chat completion. */
export type ChatInput = {
  /** Candidate to continue. Default: 0. */
  readonly continueChoice?: number | null | undefined;
  /** Id of an earlier chat: its thread precedes `messages`. See `Generation.canContinue`. */
  readonly continueFrom?: string | number | null | undefined;
  /** Continue a partial reply, without its tool calls. */
  readonly continuePartial?: boolean | null | undefined;
  /** Number of candidate replies, from 1. Default: 1. */
  readonly count?: number | null | undefined;
  /** Enable thinking. Only true has an effect. */
  readonly enableThinking?: boolean | null | undefined;
  /** Other members, by wire name, such as `functions`. */
  readonly extra?: unknown;
  /** An object for the upstream, by wire name: `enable_thinking` (boolean), `google` (object), or other members without a field here. */
  readonly extraBody?: unknown;
  /** Penalty for repeated wording, −2 to 2. */
  readonly frequencyPenalty?: number | null | undefined;
  /** Bias per token: an object from token id to a number, −100 to 100. */
  readonly logitBias?: unknown;
  /** As `maxTokens`, for reasoning models. */
  readonly maxCompletionTokens?: number | null | undefined;
  /** Maximum of generated tokens. */
  readonly maxTokens?: number | null | undefined;
  /** Oldest first, at least one. */
  readonly messages: ReadonlyArray<ChatMessageInput>;
  /** Model id, up to 200 characters. The gateway may map it to another model, and interprets suffixes such as `-thinking`. */
  readonly model: string;
  /** Allow several tool calls in one reply. */
  readonly parallelToolCalls?: boolean | null | undefined;
  /** Penalty for repeated topics, −2 to 2. */
  readonly presencePenalty?: number | null | undefined;
  /** Such as `low`, `medium` or `high`. A suffix of the model id may set it too. */
  readonly reasoningEffort?: string | null | undefined;
  /** Default: free text. */
  readonly responseFormat?: ResponseFormatInput | null | undefined;
  /** For repeatable replies, if supported upstream. */
  readonly seed?: number | string | null | undefined;
  /** Texts that end the reply, at most 4. */
  readonly stop?: ReadonlyArray<string> | null | undefined;
  /** For `startChat` and `streamChat`. */
  readonly streamOptions?: StreamOptionsInput | null | undefined;
  /** From 0 to 2. Higher values vary more. Best without `topP`. */
  readonly temperature?: number | null | undefined;
  readonly toolChoice?: ToolChoiceInput | null | undefined;
  /** Tools that the model may call. */
  readonly tools?: ReadonlyArray<ToolInput> | null | undefined;
  /** Nucleus sampling, 0 to 1. */
  readonly topP?: number | null | undefined;
  /** Your id of the end user, for abuse detection at the gateway. */
  readonly user?: string | null | undefined;
  readonly webSearchOptions?: WebSearchOptionsInput | null | undefined;
};

/** Message of a conversation. */
export type ChatMessageInput = {
  /** Content. Required unless `toolCalls` is set. */
  readonly content?: ChatContentInput | null | undefined;
  /** Distinguishes authors with the same role. */
  readonly name?: string | null | undefined;
  /** From an earlier reply. */
  readonly reasoningContent?: string | null | undefined;
  readonly role: ChatRole;
  /** The answered tool call, from before this message. Required when `role` is TOOL. */
  readonly toolCallId?: string | number | null | undefined;
  /** Tool calls of an ASSISTANT message. */
  readonly toolCalls?: ReadonlyArray<ToolCallInput> | null | undefined;
};

/** Author of a message. */
export type ChatRole =
  /** The model. */
  | 'ASSISTANT'
  /** Instead of SYSTEM, for some models. */
  | 'DEVELOPER'
  /** Instructions to the model. */
  | 'SYSTEM'
  /** Result of a tool call. Requires `toolCallId`. */
  | 'TOOL'
  /** The end user. */
  | 'USER';

/** A voice from an uploaded audio file. */
export type CloneVoiceInput = {
  readonly extra?: unknown;
  /** Id of a file uploaded directly to the gateway: mp3, m4a or wav, 10 seconds to 5 minutes, up to 20 MB. */
  readonly fileId: number | string;
  /** Language or dialect, or `auto`. */
  readonly language?: string | null | undefined;
  /** Normalize the volume. */
  readonly normalizeVolume?: boolean | null | undefined;
  /** Such as `speech-2.6-hd` or `speech-02-turbo`. */
  readonly previewModel?: string | null | undefined;
  /** Preview text, up to 1000 characters. Tone tags are allowed. */
  readonly previewText?: string | null | undefined;
  readonly reduceNoise?: boolean | null | undefined;
  /** A further recording, for more similarity. */
  readonly sample?: VoiceSampleInput | null | undefined;
  /** Your id for the voice: 8 to 256 letters, digits, `-`, `_`; first a letter, last a letter or digit. */
  readonly voiceId: string;
  /** Audible AI marker in the preview. */
  readonly watermark?: boolean | null | undefined;
};

/** Inline file. */
export type ContentInlineDataInput = {
  /** Base64 data, not empty, without a data URI prefix. */
  readonly data: string;
  /** MIME type, such as `image/png`. */
  readonly mimeType: string;
};

/** Part of a turn: text or a file. */
export type ContentPartInput =
  {   /** File. */
  readonly inlineData: ContentInlineDataInput; readonly text?: never; }
  |  { readonly inlineData?: never;   readonly text: string; };

/** Turn of the conversation. */
export type ContentTurnInput = {
  /** Parts in order, at least one. */
  readonly parts: ReadonlyArray<ContentPartInput>;
  /** Author, usually `user` or `model`. */
  readonly role?: string | null | undefined;
};

/** An access token for the gateway. */
export type CreateAccessTokenInput = {
  /** Addresses or networks (CIDR), at least one. Default: all. */
  readonly allowedIps?: ReadonlyArray<string> | null | undefined;
  /** Allowed models, at least one. Default: all. */
  readonly allowedModels?: ReadonlyArray<string> | null | undefined;
  /** Whether `allowedModels` applies. Default: true when it is set. */
  readonly enforceAllowedModels?: boolean | null | undefined;
  /** In the future, in whole seconds. Default: never. */
  readonly expiresAt?: string | null | undefined;
  /** Other members, by wire name, such as `selected_groups`. */
  readonly extra?: unknown;
  /** Groups that select the upstream channel. Default: the gateway's. */
  readonly groups?: ReadonlyArray<string> | null | undefined;
  /** Display name. Not empty. */
  readonly name: string;
  readonly quota: AccessTokenQuotaInput;
};

/** An animation between two prompts. */
export type CreateAnimationInput = {
  /** Other members of `input`, by wire name. */
  readonly extra?: unknown;
  /** Generated frames, 2 to 50. Default 10. */
  readonly frameCount?: number | null | undefined;
  /** Frames per second, 1 to 50. Default 20. */
  readonly framesPerSecond?: number | null | undefined;
  /** How closely frames follow the prompts, 1 to 20. Default 7.5. */
  readonly guidanceScale?: number | null | undefined;
  /** In pixels. Default 512. */
  readonly height?: number | null | undefined;
  /** Return partial output while running. Default false. */
  readonly intermediateOutput?: boolean | null | undefined;
  /** Interpolate between frames. Default true. */
  readonly interpolateFrames?: boolean | null | undefined;
  /** Interpolation steps between frames, 1 to 50. Default 5. */
  readonly interpolationSteps?: number | null | undefined;
  /** Reference of the hosted model, 1 to 200 characters. */
  readonly modelVersion: string;
  /** File format, such as `mp4`. Default `gif`. */
  readonly outputFormat?: string | null | undefined;
  /** Play backward to the start before looping. Default false. */
  readonly pingPong?: boolean | null | undefined;
  /** Prompt at the end, or several in sequence separated by `|`. Not empty. */
  readonly promptEnd: string;
  /** Prompt at the start. Not empty. */
  readonly promptStart: string;
  /** Lower is more coherent, higher is more varied and less smooth. Default 0.8. */
  readonly promptStrength?: number | null | undefined;
  /** Per frame, 1 to 500. More is finer and slower. Default 50. */
  readonly steps?: number | null | undefined;
  /** In pixels. Default 512. */
  readonly width?: number | null | undefined;
};

/** Choose the form by the model. */
export type CreateImageInput =
  {   /** Choose the number of images, HD quality and the style. */
  readonly byCount: ImageByCountInput; readonly byResolution?: never; }
  |  { readonly byCount?: never;   /** Choose 1K, 2K, 4K or pixels, the watermark, and one image or a group. */
  readonly byResolution: ImageByResolutionInput; };

/** A video from a prompt and optional images. */
export type CreateReferenceVideoInput = {
  readonly aspectRatio: VideoAspectRatio;
  /** Length, 1 to 15. */
  readonly durationSeconds: number;
  readonly extra?: unknown;
  /** 1 to 200 characters. */
  readonly model: string;
  /** Not empty. */
  readonly prompt: string;
  /** Default: the prompt alone. */
  readonly reference?: VideoReferenceInput | null | undefined;
  readonly resolution: VideoResolution;
};

/** A cover of an existing song. */
export type CreateSongCoverInput = {
  /** `Song.clipId`, or the id of a direct upload to the gateway. */
  readonly clipId: string | number;
  readonly extra?: unknown;
  /** If false, `lyrics` is required. */
  readonly isInstrumental?: boolean | null | undefined;
  /** Up to 3000 characters. Required unless `isInstrumental`. */
  readonly lyrics?: string | null | undefined;
  readonly model?: SongModel | null | undefined;
  /** Style, up to 200 characters. Recommended. */
  readonly style?: string | null | undefined;
  /** Title of the cover. */
  readonly title?: string | null | undefined;
};

/** A song from a description. */
export type CreateSongInput = {
  /** Topic and style, not empty. The gateway documents no lyrics for a new song. */
  readonly description: string;
  readonly extra?: unknown;
  /** Without vocals. */
  readonly isInstrumental?: boolean | null | undefined;
  readonly model: SongModel;
};

/** A speech synthesis. */
export type CreateSpeechInput = {
  readonly extra?: unknown;
  /** Your own data, passed through. Up to 1048576 characters. */
  readonly payload?: string | null | undefined;
  /** Each `<word>/<replacement>`. For Chinese, a syllable with its tone (5 is neutral) per character: `处理/(chu3)(li3)`. */
  readonly pronunciations?: ReadonlyArray<string> | null | undefined;
  /** Text to speak, 1 to 9999 characters. A line break starts a paragraph. `<#x#>` between two spoken texts pauses for x seconds, 0.01 to 99.99. */
  readonly text: string;
  readonly voice: SpeechVoiceInput;
};

/** A video with transitions between images. */
export type CreateTransitionVideoInput = {
  /** Other members, by wire name, such as `motion_mode`. */
  readonly extra?: unknown;
  /** The images in order, 2 to 7. */
  readonly frames: ReadonlyArray<TransitionFrameInput>;
  readonly model: TransitionVideoModel;
  readonly resolution: TransitionVideoResolution;
};

/** A file to upload. */
export type CreateUploadInput = {
  /** MIME type: image, video or audio. */
  readonly contentType: string;
  /** Exact size. */
  readonly sizeBytes: number;
};

/** A video from images, or from a prompt. */
export type CreateVideoInput =
  {   readonly fromImages: VideoFromImagesInput; readonly withCharacter?: never; }
  |  { readonly fromImages?: never;   /** From a prompt, with an optional character. */
  readonly withCharacter: VideoWithCharacterInput; };

/** A webhook, and the ends that it gets. Omitted lists: all. */
export type CreateWebhookInput = {
  /** At most 100, like every list. */
  readonly collections?: ReadonlyArray<string | number> | null | undefined;
  /** Whether events have the prompt and the text. */
  readonly includeContent?: boolean | null | undefined;
  readonly kinds?: ReadonlyArray<GenerationKind> | null | undefined;
  /** SUCCEEDED, FAILED, CANCELED or UNKNOWN. */
  readonly statuses?: ReadonlyArray<TaskStatus> | null | undefined;
  /** https, of a host that the operator allows. */
  readonly url: string;
};

/** State of a delivery. */
export type DeliveryState =
  /** The receiver answered with 2xx. */
  | 'DELIVERED'
  /** Given up. */
  | 'FAILED'
  /** Waits for its first or next attempt. */
  | 'PENDING';

/** For programs. Also `extensions.code` of top-level errors. */
export type ErrorCode =
  /** The gateway rejected the credential or its permissions. */
  | 'AUTHENTICATION_FAILED'
  /** Tokens cannot be checked now: the key set of their issuer cannot be read or lacks a new key. */
  | 'AUTH_UNAVAILABLE'
  /** A malformed request, or an invalid argument such as a cursor. */
  | 'BAD_REQUEST'
  /** A stream without an idempotency key had no subscriber for too long. */
  | 'DETACHED'
  /** The token lacks a scope, or the server forbids it. */
  | 'FORBIDDEN'
  /** The gateway returned an error or an unreadable reply, or is unreachable. */
  | 'GATEWAY_ERROR'
  /** The document has a GraphQL syntax error. */
  | 'GRAPHQL_PARSE_FAILED'
  /** The document is not valid for the schema. */
  | 'GRAPHQL_VALIDATION_FAILED'
  /** The idempotency key was used before with another operation or input. */
  | 'IDEMPOTENCY_CONFLICT'
  /** An internal error. The server log has the details by request id. */
  | 'INTERNAL'
  /** The server stopped. Saved output is kept. */
  | 'INTERRUPTED'
  /** The input violates documented limits. Nothing was sent or charged. */
  | 'INVALID_INPUT'
  /** The operation exceeds a limit of this API, such as depth or page size. */
  | 'LIMIT_EXCEEDED'
  /** The generation cannot be canceled now, or at all: see `retry`. */
  | 'NOT_CANCELABLE'
  /** `continueFrom` cannot be continued. Nothing was sent. */
  | 'NOT_CONTINUABLE'
  /** No such object, or it belongs to another caller. */
  | 'NOT_FOUND'
  /** The stream can no longer be followed. It was not started again. */
  | 'NOT_RESUMABLE'
  /** The gateway may have charged the request, but its reply was lost. */
  | 'OUTCOME_UNKNOWN'
  /** The server runs only trusted documents. Send a `documentId`. */
  | 'PERSISTED_DOCUMENT_ID_REQUIRED'
  /** No trusted document has this `documentId`. */
  | 'PERSISTED_DOCUMENT_NOT_FOUND'
  /** The quota of the key is exhausted. */
  | 'QUOTA_EXCEEDED'
  /** Too many requests for the gateway (HTTP 429), or a limit of this API. Retry after `retryAfterSeconds`. */
  | 'RATE_LIMITED'
  /** The server cannot read or write its records now. */
  | 'RECORDS_UNAVAILABLE'
  /** The body of the request arrived too slowly. */
  | 'REQUEST_TIMEOUT'
  /** The gateway rejected the server's own key. */
  | 'SERVER_KEY_REFUSED'
  /** The server is shutting down. Retry in a moment. */
  | 'SHUTTING_DOWN'
  /** The connection to the gateway broke. Received output is kept. */
  | 'STREAM_CUT'
  /** The gateway sent nothing for too long. Received output is kept. */
  | 'STREAM_STALLED'
  /** The stream ended without its end marker. Received output is kept. */
  | 'STREAM_UNFINISHED'
  /** The credential or `new-api-user` is missing, not valid or expired. */
  | 'UNAUTHENTICATED';

/** An image to fill in or extend. */
export type FillImageInput = {
  /** Other members of `input`, by wire name. */
  readonly extra?: unknown;
  /** How closely the image follows the prompt, 1.5 to 100. Default 60. */
  readonly guidanceScale?: number | null | undefined;
  /** URL or base64 data URI; jpeg, png, gif or webp. Its alpha channel can be the mask. */
  readonly image: string;
  /** Image of the same size: black is kept, white is filled. URL or base64 data URI; jpeg, png, gif or webp. Optional with an alpha channel or `outpaint`. */
  readonly mask?: string | null | undefined;
  /** `name` in `owner/name`, limited as `modelOwner`. */
  readonly modelName: string;
  /** `owner` in `owner/name` of the hosted model: 1 to 100 characters, no slash. */
  readonly modelOwner: string;
  /** Extends the image beyond its borders instead, such as `Zoom out 2x`. Default `None`. */
  readonly outpaint?: string | null | undefined;
  /** File format, such as `png`. Default `jpg`. */
  readonly outputFormat?: string | null | undefined;
  /** For the filled area, not empty. */
  readonly prompt: string;
  /** Let the model extend the prompt. Default false. */
  readonly promptUpsampling?: boolean | null | undefined;
  /** Safety filter, 1 (strictest) to 6 (most permissive). Default 2. */
  readonly safetyTolerance?: number | null | undefined;
  /** More is finer and slower, 15 to 50. Default 50. */
  readonly steps?: number | null | undefined;
};

/** Request in the native format. */
export type GenerateContentInput = {
  /** Oldest first, at least one. */
  readonly contents: ReadonlyArray<ContentTurnInput>;
  /** Other members, such as `generationConfig`, `safetySettings`, `systemInstruction` or `tools`. */
  readonly extra?: unknown;
  /** Model id, 1 to 200 printable ASCII characters without space, `/` and `\`. */
  readonly model: string;
  /** Let the model read URLs in the text. Excludes `tools` in `extra`. Default: false. */
  readonly urlContext?: boolean | null | undefined;
};

/** Matches every given field, and any value of a list. */
export type GenerationFilter = {
  readonly collection?: string | number | null | undefined;
  readonly createdAfter?: string | null | undefined;
  readonly createdBefore?: string | null | undefined;
  readonly kinds?: ReadonlyArray<GenerationKind> | null | undefined;
  /** Any of these models as sent, at most 100. */
  readonly models?: ReadonlyArray<string> | null | undefined;
  /** Only chats that continue no other. Not with `statuses` or `models`. */
  readonly onlyFirstTurns?: boolean | null | undefined;
  readonly statuses?: ReadonlyArray<TaskStatus> | null | undefined;
};

/** Kind of a generation and of its output. */
export type GenerationKind =
  | 'ANIMATION'
  /** A chat completion. */
  | 'CHAT'
  /** Content in the native format. */
  | 'CONTENT'
  | 'IMAGE'
  | 'IMAGE_FILL'
  /** A lip-sync video created outside this API. */
  | 'LIP_SYNC'
  /** A video created outside this API. */
  | 'MULTI_IMAGE_VIDEO'
  | 'QUEUED_IMAGE'
  | 'QUEUED_INPAINTING'
  | 'REFERENCE_VIDEO'
  | 'SONG'
  | 'SONG_COVER'
  /** An existing song at another speed. Usually without a task. */
  | 'SONG_SPEED'
  | 'SPEECH'
  | 'TRANSITION_VIDEO'
  /** A video from images or with a character. */
  | 'VIDEO';

/** Order of generations. Equal times are ordered by id. */
export type GenerationOrder = {
  readonly direction?: OrderDirection | null | undefined;
  readonly field?: GenerationOrderField | null | undefined;
};

/** Field to sort generations by. */
export type GenerationOrderField =
  | 'CREATED_AT';

/** Selects a generation of the caller. */
export type GenerationSelector =
  {   readonly id: string | number; readonly idempotencyKey?: never; }
  |  { readonly id?: never;   /** The `idempotencyKey` of its create, until the key expires. */
  readonly idempotencyKey: string | number; };

/** For `gpt-image…`, `dall-e-2` and `dall-e-3`. Limits of one model are checked only for these names. */
export type ImageByCountInput = {
  /** Number of images, 1 to 10. */
  readonly count?: number | null | undefined;
  /** Default: chosen by the model. */
  readonly delivery?: ImageDelivery | null | undefined;
  readonly extra?: unknown;
  /** Model id, up to 200 characters. Models known to need `byResolution` are refused. */
  readonly model?: string | null | undefined;
  /** Prompt, 1 to 1000 characters. */
  readonly prompt: string;
  /** Only `dall-e-3`. Default: standard quality. */
  readonly quality?: ImageQuality | null | undefined;
  /** Default: set by the model (`gpt-image…`: AUTO). */
  readonly size?: ImageSize | null | undefined;
  /** Only `dall-e-3`. */
  readonly style?: ImageStyle | null | undefined;
  /** Id of the end user. */
  readonly user?: string | null | undefined;
};

/** For models such as `seedream-4`. Images are JPEG. The only form that streams (`streamImages`). */
export type ImageByResolutionInput = {
  /** Default: URL, which is valid for 24 hours. */
  readonly delivery?: ImageDelivery | null | undefined;
  readonly extra?: unknown;
  /** For several images: AUTO, with the number in the prompt. Default: DISABLED. */
  readonly imageGroup?: ImageGroupPolicy | null | undefined;
  /** Model id, 1 to 200 characters. Models known to need `byCount` are refused. */
  readonly model: string;
  /** Prompt in Chinese or English, not empty. */
  readonly prompt: string;
  /** Default: 2048x2048 pixels. */
  readonly size?: ImageResolutionOrPixelsInput | null | undefined;
  /** Mark images as AI-generated at the lower right. Default: true. */
  readonly watermark?: boolean | null | undefined;
};

/** Delivery of images. */
export type ImageDelivery =
  /** Inline, in `base64`. */
  | 'BASE64'
  /** As a URL. */
  | 'URL';

/** Resolution at which the model reads an image. */
export type ImageDetail =
  /** The model decides. */
  | 'AUTO'
  /** High resolution, more tokens. */
  | 'HIGH'
  /** Low resolution, fewer tokens. */
  | 'LOW';

/** One image, or several related ones. */
export type ImageGroupPolicy =
  /** The model decides how many images, from the prompt. */
  | 'AUTO'
  /** Exactly one image. */
  | 'DISABLED';

/** Size in pixels. The area must be 1024x1024 to 4096x4096 pixels, the aspect ratio 1/16 to 16. */
export type ImagePixelsInput = {
  /** Height, 256 to 16384. */
  readonly height: number;
  /** Width, 256 to 16384. */
  readonly width: number;
};

/** Image quality. */
export type ImageQuality =
  /** Finer detail. */
  | 'HD';

/** Resolution. */
export type ImageResolution =
  /** 1K resolution. */
  | 'RESOLUTION_1K'
  /** 2K resolution. */
  | 'RESOLUTION_2K'
  /** 4K resolution. */
  | 'RESOLUTION_4K';

/** Image size. */
export type ImageResolutionOrPixelsInput =
  {   readonly pixels: ImagePixelsInput; readonly resolution?: never; }
  |  { readonly pixels?: never;   /** The model chooses width and height. */
  readonly resolution: ImageResolution; };

/** Width x height in pixels. Each model accepts only some of them. */
export type ImageSize =
  /** The model decides. Only `gpt-image…`. */
  | 'AUTO'
  /** Only `dall-e-2`. */
  | 'SIZE_256X256'
  /** Only `dall-e-2`. */
  | 'SIZE_512X512'
  /** Every model. */
  | 'SIZE_1024X1024'
  /** Portrait. Only `gpt-image…`. */
  | 'SIZE_1024X1536'
  /** Portrait. Only `dall-e-3`. */
  | 'SIZE_1024X1792'
  /** Landscape. Only `gpt-image…`. */
  | 'SIZE_1536X1024'
  /** Landscape. Only `dall-e-3`. */
  | 'SIZE_1792X1024';

/** Image style. */
export type ImageStyle =
  | 'NATURAL'
  /** Hyper-real and dramatic. */
  | 'VIVID';

/** Image in a message. */
export type ImageUrlInput = {
  readonly detail?: ImageDetail | null | undefined;
  /** URL or base64 data URI. A gateway with an image proxy may replace it. */
  readonly url: string;
};

/** Limit for one caller. */
export type LimitName =
  /** Creates per day (UTC). */
  | 'CREATES_PER_DAY'
  | 'CREATES_PER_MINUTE'
  /** Records, if none can be deleted. Not in `viewer`. */
  | 'RECORDS'
  /** Unfinished, trackable generations. */
  | 'RUNNING'
  /** Reported tokens per day (UTC). */
  | 'TOKENS_PER_DAY';

/** Why `continueFrom` cannot be this generation. */
export type NotContinuableReason =
  /** An earlier turn was deleted. */
  | 'ANCESTOR_DELETED'
  /** Inline media was not recorded. */
  | 'MEDIA_NOT_RECORDED'
  /** Only chats continue. */
  | 'NOT_A_CHAT'
  /** No reply arrived. */
  | 'NO_REPLY'
  /** Failed or canceled: set `continuePartial`. */
  | 'PARTIAL_REPLY'
  /** It has not ended. */
  | 'RUNNING'
  /** A long text was not recorded. */
  | 'TEXT_NOT_RECORDED'
  /** Too many bytes in the thread. */
  | 'TOO_LARGE'
  /** The thread has 1,000 turns. */
  | 'TOO_MANY_TURNS'
  /** An invalid tool call, or `functionCall`. */
  | 'UNSUPPORTED_REPLY';

/** Direction of a sort order. */
export type OrderDirection =
  /** Ascending: oldest first. */
  | 'ASC'
  /** Descending: newest first. */
  | 'DESC';

/** Images to queue. */
export type QueueImageInput = {
  /** Number of images, 1 to 4. */
  readonly count?: number | null | undefined;
  /** Sets `isNsfw`. Default: true. */
  readonly enableSafetyChecker?: boolean | null | undefined;
  readonly extra?: unknown;
  /** How closely the image follows the prompt, 0 to 35. */
  readonly guidanceScale?: number | null | undefined;
  readonly outputFormat?: QueuedImageFormat | null | undefined;
  /** Prompt, not empty. */
  readonly prompt: string;
  readonly size?: QueuedImageSize | null | undefined;
  /** More steps are finer and slower, 1 to 50. */
  readonly steps?: number | null | undefined;
};

/** An area of an image to repaint. */
export type QueueInpaintingInput = {
  /** Number of images, 1 to 4. */
  readonly count?: number | null | undefined;
  /** Sets `isNsfw`. Default: true. */
  readonly enableSafetyChecker?: boolean | null | undefined;
  readonly extra?: unknown;
  /** How closely the image follows the prompt, 0 to 35. */
  readonly guidanceScale?: number | null | undefined;
  /** URL or base64 data URI; jpeg, png, webp, gif or avif. */
  readonly image: string;
  /** Area to repaint. URL or base64 data URI; jpeg, png, webp, gif or avif. */
  readonly mask: string;
  readonly outputFormat?: QueuedImageFormat | null | undefined;
  /** For the repainted area, not empty. */
  readonly prompt: string;
  /** More steps are finer and slower, 1 to 50. */
  readonly steps?: number | null | undefined;
  /** Higher values differ more from the image, 0.01 to 1. */
  readonly strength?: number | null | undefined;
};

/** Image file format. */
export type QueuedImageFormat =
  | 'JPEG'
  | 'PNG';

/** Size preset. */
export type QueuedImageSize =
  | 'LANDSCAPE_4_3'
  | 'LANDSCAPE_16_9'
  | 'PORTRAIT_3_4'
  | 'SQUARE'
  /** Larger square. */
  | 'SQUARE_PRO';

/** Format of the reply. */
export type ResponseFormatInput = {
  /** For JSON_SCHEMA, such as `{"name": "city", "strict": true, "schema": {"type": "object"}}`. */
  readonly jsonSchema?: unknown;
  readonly type: ResponseFormatType;
};

/** Format of the reply. */
export type ResponseFormatType =
  /** A JSON object. A message must contain the word "JSON". */
  | 'JSON_OBJECT'
  /** JSON that conforms to `jsonSchema`. */
  | 'JSON_SCHEMA'
  /** Free text. */
  | 'TEXT';

/** Also `extensions.retry` of top-level errors. */
export type RetryAdvice =
  /** Add quota to the account or token. This request was not charged. */
  | 'ADD_QUOTA'
  /** Use another credential, or one with more rights. This request was not charged. */
  | 'AUTHENTICATE'
  /** Change the request: the same one fails again. It was not charged. */
  | 'FIX_INPUT'
  /** This request was not charged. Retry with the same idempotency key after `retryAfterSeconds`, or later. */
  | 'LATER'
  /** A new key may charge again: ask the user first. */
  | 'MAY_CHARGE_AGAIN'
  /** A retry is pointless. */
  | 'NEVER'
  /** Retry with a new idempotency key. This request was not sent or charged. */
  | 'NEW_KEY'
  /** This request was not charged. Retry with the same idempotency key. */
  | 'SAFE'
  /** Unknown whether it was charged. Retry with the same idempotency key, never with a new one. */
  | 'SAME_KEY';

/** Amount of web search results that the model reads. */
export type SearchContextSize =
  /** Many results. */
  | 'HIGH'
  /** Few results. */
  | 'LOW'
  /** Moderate. */
  | 'MEDIUM';

/** Why a generation was not deleted. */
export type SkipReason =
  /** Call again: one call deletes 1000 turns. */
  | 'MORE_TURNS'
  /** Unknown, deleted before, or of another caller. */
  | 'NOT_FOUND'
  /** A running stream or, with a `RUNNING` limit, a running task. */
  | 'RUNNING';

/** Music model version. */
export type SongModel =
  | 'SONG_V3_5'
  | 'SONG_V4'
  | 'SONG_V4_5'
  | 'SONG_V4_5_ALL'
  /** `song-v4-5+`. */
  | 'SONG_V4_5_PLUS'
  | 'SONG_V5'
  | 'SONG_V5_5';

/** Emotion of a voice. */
export type SpeechEmotion =
  | 'ANGRY'
  | 'CALM'
  | 'DISGUSTED'
  | 'FEARFUL'
  | 'HAPPY'
  | 'SAD'
  | 'SURPRISED';

/** A voice and how it speaks. */
export type SpeechVoiceInput = {
  /** Default: inferred from the text. */
  readonly emotion?: SpeechEmotion | null | undefined;
  /** `Voice.voiceId` or `Voice.id`. */
  readonly id: string | number;
  /** From −12 to 12. Default: 0, the original voice. */
  readonly pitch?: number | null | undefined;
  /** Factor, 0.5 to 2. Default: 1. */
  readonly speed?: number | null | undefined;
  /** From 0 to 10. Default: 0, the normal volume. */
  readonly volume?: number | null | undefined;
};

/** Options for streamed replies. */
export type StreamOptionsInput = {
  /** Usage at the end. Always true with a `TOKENS_PER_DAY` limit. */
  readonly includeUsage?: boolean | null | undefined;
};

/** Identifies a task by its gateway id. */
export type TaskHandleInput = {
  /** Readable by gateway id: QUEUED_IMAGE, QUEUED_INPAINTING, SONG, SONG_COVER, SONG_SPEED, MULTI_IMAGE_VIDEO, LIP_SYNC. Without tasks (null): CHAT, IMAGE, CONTENT. NOT_TRACKABLE if created elsewhere: ANIMATION, IMAGE_FILL. NOT_TRACKABLE by default: all others. */
  readonly kind: GenerationKind;
  /** Only for QUEUED_IMAGE and QUEUED_INPAINTING, limited as `upstreamId`. Default: the gateway finds it. */
  readonly model?: string | null | undefined;
  /** The gateway's task id or request id: 1 to 500 visible ASCII characters without slashes. */
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
  /** Accepted, but the gateway has no status endpoint for it (NOT_TRACKABLE): find the result at the gateway, by `Task.upstreamId`. Terminal; `finishedAt` is null. */
  | 'SUBMITTED'
  /** Succeeded. Terminal. */
  | 'SUCCEEDED'
  /** Unreadable or unknown status word (`rawStatus`). Terminal only if the reply to the create was lost, or for a NOT_TRACKABLE task created elsewhere. */
  | 'UNKNOWN';

/** Whether the gateway can report the state of a task. */
export type TaskTracking =
  /** The gateway has no status endpoint. */
  | 'NOT_TRACKABLE'
  /** The gateway has a status endpoint. */
  | 'POLLED';

/** Function call. */
export type ToolCallFunctionInput = {
  /** JSON text. */
  readonly arguments: string;
  readonly name: string;
};

/** Tool call from an earlier reply. */
export type ToolCallInput = {
  /** From the reply. */
  readonly extraContent?: unknown;
  readonly function: ToolCallFunctionInput;
  /** From the reply. The TOOL message repeats it in `toolCallId`. */
  readonly id: string | number;
  /** Always FUNCTION. */
  readonly type?: ToolType | null | undefined;
};

/** Function from `tools`. */
export type ToolChoiceFunctionInput = {
  readonly name: string;
};

/** Policy for tool calls, or one required function. */
export type ToolChoiceInput =
  {   /** Function that the model must call. */
  readonly function: ToolChoiceFunctionInput; readonly mode?: never; }
  |  { readonly function?: never;   /** REQUIRED needs at least one tool. */
  readonly mode: ToolChoiceMode; };

/** Policy for tool calls. */
export type ToolChoiceMode =
  /** The model decides. */
  | 'AUTO'
  /** No tool calls. */
  | 'NONE'
  /** At least one tool call. */
  | 'REQUIRED';

/** Function that the model may call. */
export type ToolFunctionInput = {
  /** Purpose, for the model. */
  readonly description?: string | null | undefined;
  /** Name, not empty. */
  readonly name: string;
  /** JSON Schema of the arguments, an object. */
  readonly parameters?: unknown;
};

/** Tool that the model may call. */
export type ToolInput = {
  readonly function: ToolFunctionInput;
  /** Always FUNCTION. */
  readonly type?: ToolType | null | undefined;
};

/** Kind of tool. */
export type ToolType =
  /** A function that the client runs. */
  | 'FUNCTION';

/** An image, with the transition to the next. */
export type TransitionFrameInput = {
  /** Until the next image, from 1. Required except for the last. */
  readonly durationSeconds?: number | null | undefined;
  /** Id of an image uploaded directly to the gateway. */
  readonly imageId: number | string;
  /** For the transition to the next image. */
  readonly prompt?: string | null | undefined;
};

/** Transition model version. */
export type TransitionVideoModel =
  /** Version 3.5. */
  | 'V3_5'
  /** Version 4. */
  | 'V4'
  /** Version 4.5. */
  | 'V4_5'
  /** Version 5. */
  | 'V5';

/** Height of a video. */
export type TransitionVideoResolution =
  /** 360 lines. */
  | 'RESOLUTION_360P'
  /** 540 lines. */
  | 'RESOLUTION_540P'
  /** 720 lines. */
  | 'RESOLUTION_720P'
  /** 1080 lines. */
  | 'RESOLUTION_1080P';

/** Dimension by which `usageTotals` groups. */
export type UsageDimension =
  | 'COLLECTION'
  /** Day of the create, in UTC. */
  | 'DAY'
  /** Kind of the generation. */
  | 'KIND'
  /** Requested model. */
  | 'MODEL';

/** Matches every given field, and any value of a list. */
export type UsageFilter = {
  readonly collection?: string | number | null | undefined;
  /** First day of creation, in UTC. Default: 29 days before `toDay`. */
  readonly fromDay?: string | null | undefined;
  readonly kinds?: ReadonlyArray<GenerationKind> | null | undefined;
  /** Any of these models as sent, at most 100. */
  readonly models?: ReadonlyArray<string> | null | undefined;
  /** Last day of creation, in UTC, at most 365 days after `fromDay`. Default: today. */
  readonly toDay?: string | null | undefined;
};

/** Aspect ratio. */
export type VideoAspectRatio =
  /** Square. */
  | 'ASPECT_RATIO_1_1'
  /** Vertical. */
  | 'ASPECT_RATIO_9_16'
  /** Horizontal. */
  | 'ASPECT_RATIO_16_9';

/** A video from images. */
export type VideoFromImagesInput = {
  /** Accept a watermark if its removal fails. False: the gateway retries until it succeeds. */
  readonly allowWatermark?: boolean | null | undefined;
  /** Length: 10 or 15. */
  readonly durationSeconds: number;
  readonly extra?: unknown;
  /** At least one http(s) URL or base64 data URI. */
  readonly images: ReadonlyArray<string>;
  /** 1 to 200 characters. */
  readonly model: string;
  readonly orientation: VideoOrientation;
  /** Not empty. */
  readonly prompt: string;
  readonly size: VideoSize;
};

/** Orientation of a video. */
export type VideoOrientation =
  /** Horizontal. */
  | 'LANDSCAPE'
  /** Vertical. */
  | 'PORTRAIT';

/** One start image, or several reference images: http(s) URLs or base64 data URIs. */
export type VideoReferenceInput =
  {   /** First frame of the video. */
  readonly image: string; readonly images?: never; }
  |  { readonly image?: never;   /** Reference images, at least one. */
  readonly images: ReadonlyArray<string>; };

/** Height of a video. */
export type VideoResolution =
  /** 480 lines. */
  | 'RESOLUTION_480P'
  /** 720 lines. */
  | 'RESOLUTION_720P';

/** Size of a video. */
export type VideoSize =
  /** High definition. */
  | 'LARGE'
  /** Standard, typically 720p. */
  | 'SMALL';

/** A video from a prompt, with optional images and character. */
export type VideoWithCharacterInput = {
  /** Span of that video with the character. Needs `characterUrl`. */
  readonly characterTimestamps?: CharacterTimestampsInput | null | undefined;
  /** Http(s) URL of the video with the character. Fails if the video shows a real person. */
  readonly characterUrl?: string | null | undefined;
  /** Length: 10, 15, or 25 with a pro model. */
  readonly durationSeconds?: number | null | undefined;
  readonly extra?: unknown;
  /** Reference images: http(s) URLs or base64 data URIs. */
  readonly images?: ReadonlyArray<string> | null | undefined;
  /** 1 to 200 characters. */
  readonly model: string;
  readonly orientation?: VideoOrientation | null | undefined;
  /** Not empty. */
  readonly prompt: string;
  readonly size: VideoSize;
};

/** Matches every given field, and any value of a list, in any case. Searches the first 10000 voices. */
export type VoiceFilter = {
  /** Any of these genders, as the gateway spells them, at most 100. */
  readonly genders?: ReadonlyArray<string> | null | undefined;
  /** Any of these languages, at most 100. `en` also matches `en-US`. */
  readonly languages?: ReadonlyArray<string> | null | undefined;
  /** Words that all occur in the name, description, style or tags. Up to 200 characters. */
  readonly query?: string | null | undefined;
};

/** A further recording of the voice, with its words. */
export type VoiceSampleInput = {
  /** Id of a file uploaded directly to the gateway. */
  readonly fileId: number | string;
  /** Words of the recording. Not empty. */
  readonly transcript: string;
};

/** For models with web search. */
export type WebSearchOptionsInput = {
  /** Default: MEDIUM. */
  readonly searchContextSize?: SearchContextSize | null | undefined;
  /** Location of the user, an object that the upstream defines. */
  readonly userLocation?: unknown;
};

export type CreateAnimationMutationVariables = Exact<{
  input: CreateAnimationInput;
  idempotencyKey?: string | number | null | undefined;
  collection?: string | number | null | undefined;
}>;


export type CreateAnimationMutation = { readonly createAnimation:
    | { readonly __typename: 'AuthenticationError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'GatewayError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'Generation', readonly id: string, readonly status: TaskStatus, readonly task: { readonly id: string, readonly tracking: TaskTracking } | null }
    | { readonly __typename: 'IdempotencyConflictError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'InvalidInputError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null, readonly issues: ReadonlyArray<{ readonly path: ReadonlyArray<string>, readonly message: string, readonly limit: string | null, readonly received: string | null }> }
    | { readonly __typename: 'NotContinuableError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'OutcomeUnknownError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'QuotaError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'RateLimitError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'ServerKeyError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
   | null };

export type RedeliverWebhookEventsMutationVariables = Exact<{
  webhookId: string | number;
  eventIds?: ReadonlyArray<string | number> | string | number | null | undefined;
}>;


export type RedeliverWebhookEventsMutation = { readonly redeliverWebhookEvents: ReadonlyArray<{ readonly eventId: string, readonly state: DeliveryState, readonly attempts: number }> | null };

export type UsageTotalsQueryVariables = Exact<{
  filter?: UsageFilter | null | undefined;
  groupBy?: ReadonlyArray<UsageDimension> | UsageDimension;
}>;


export type UsageTotalsQuery = { readonly usageTotals: ReadonlyArray<{ readonly day: string | null, readonly kind: GenerationKind | null, readonly model: string | null, readonly collection: string | null, readonly isOther: boolean, readonly generations: number | string, readonly succeeded: number | string, readonly failed: number | string, readonly canceled: number | string, readonly unknown: number | string, readonly withUsage: number | string, readonly promptTokens: number | string, readonly completionTokens: number | string, readonly totalTokens: number | string }> | null };

export type AccessTokensQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type AccessTokensQuery = { readonly accessTokens: { readonly edges: ReadonlyArray<{ readonly node: { readonly id: string, readonly name: string, readonly quotaAmount: number | null, readonly allowedModels: ReadonlyArray<string> | null, readonly expiresAt: string | null, readonly createdAt: string } }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } | null };

export type FindVoicesQueryVariables = Exact<{
  filter?: VoiceFilter | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type FindVoicesQuery = { readonly voices: { readonly totalCount: number, readonly isTotalCapped: boolean, readonly edges: ReadonlyArray<{ readonly node: { readonly id: string, readonly voiceId: string, readonly name: string, readonly language: string | null, readonly gender: string | null } }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } | null };

export type GenerationChangedSubscriptionVariables = Exact<{
  after?: string | null | undefined;
  filter?: GenerationFilter | null | undefined;
}>;


export type GenerationChangedSubscription = { readonly generationChanged:
    | { readonly __typename: 'FeedReset', readonly cursor: string }
    | { readonly __typename: 'GenerationChanged', readonly generationId: string, readonly matchesFilter: boolean, readonly cursor: string, readonly generation: { readonly id: string, readonly kind: GenerationKind, readonly status: TaskStatus, readonly isTerminal: boolean, readonly isCancelable: boolean, readonly collection: string | null, readonly model: string | null, readonly prompt: string | null, readonly createdAt: string, readonly finishedAt: string | null, readonly firstTurn: { readonly id: string } | null, readonly assets: ReadonlyArray<{ readonly kind: AssetKind, readonly role: AssetRole, readonly index: number, readonly title: string | null, readonly url: string | null, readonly contentType: string | null, readonly width: number | null, readonly height: number | null, readonly durationSeconds: number | null, readonly expiresAt: string | null }>, readonly error: { readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null } | null, readonly task: { readonly id: string } | null } }
    | { readonly __typename: 'GenerationDeleted', readonly generationId: string, readonly cursor: string }
   };

export type VoicesQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type VoicesQuery = { readonly voices: { readonly edges: ReadonlyArray<{ readonly node: { readonly id: string, readonly voiceId: string, readonly name: string, readonly language: string | null, readonly previewUrl: string | null } }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } | null };

export type DeleteGenerationsMutationVariables = Exact<{
  ids: ReadonlyArray<string | number> | string | number;
}>;


export type DeleteGenerationsMutation = { readonly deleteGenerations: { readonly deletedIds: ReadonlyArray<string>, readonly skipped: ReadonlyArray<{ readonly id: string, readonly reason: SkipReason }> } | null };

export type TasksProgressSubscriptionVariables = Exact<{
  ids: ReadonlyArray<string | number> | string | number;
}>;


export type TasksProgressSubscription = { readonly tasksProgress: { readonly id: string, readonly kind: GenerationKind, readonly status: TaskStatus, readonly progress: number | null, readonly isTerminal: boolean, readonly generation: { readonly id: string, readonly assets: ReadonlyArray<{ readonly kind: AssetKind, readonly role: AssetRole, readonly index: number, readonly title: string | null, readonly url: string | null, readonly contentType: string | null, readonly width: number | null, readonly height: number | null, readonly durationSeconds: number | null, readonly expiresAt: string | null }> } | null, readonly error: { readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null } | null } };

export type CreateReferenceVideoMutationVariables = Exact<{
  input: CreateReferenceVideoInput;
  idempotencyKey?: string | number | null | undefined;
  collection?: string | number | null | undefined;
}>;


export type CreateReferenceVideoMutation = { readonly createReferenceVideo:
    | { readonly __typename: 'AuthenticationError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'GatewayError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'Generation', readonly id: string, readonly status: TaskStatus, readonly model: string | null, readonly task: { readonly id: string, readonly tracking: TaskTracking } | null }
    | { readonly __typename: 'IdempotencyConflictError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'InvalidInputError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null, readonly issues: ReadonlyArray<{ readonly path: ReadonlyArray<string>, readonly message: string, readonly limit: string | null, readonly received: string | null }> }
    | { readonly __typename: 'NotContinuableError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'OutcomeUnknownError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'QuotaError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'RateLimitError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'ServerKeyError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
   | null };

export type CreateSpeechMutationVariables = Exact<{
  input: CreateSpeechInput;
  idempotencyKey?: string | number | null | undefined;
  collection?: string | number | null | undefined;
}>;


export type CreateSpeechMutation = { readonly createSpeech:
    | { readonly __typename: 'AuthenticationError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'GatewayError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'Generation', readonly id: string, readonly status: TaskStatus, readonly output:
        | { readonly url: string | null, readonly durationSeconds: number | null, readonly model: string | null, readonly credits: number | string | null }
        | Record<PropertyKey, never>
       | null, readonly task: { readonly id: string, readonly tracking: TaskTracking } | null }
    | { readonly __typename: 'IdempotencyConflictError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'InvalidInputError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null, readonly issues: ReadonlyArray<{ readonly path: ReadonlyArray<string>, readonly message: string, readonly limit: string | null, readonly received: string | null }> }
    | { readonly __typename: 'NotContinuableError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'OutcomeUnknownError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'QuotaError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'RateLimitError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'ServerKeyError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
   | null };

export type VoiceQueryVariables = Exact<{
  id: string | number;
}>;


export type VoiceQuery = { readonly voice: { readonly id: string, readonly voiceId: string, readonly name: string, readonly language: string | null, readonly gender: string | null, readonly provider: string | null, readonly previewUrl: string | null } | null };

export type StartChatMutationVariables = Exact<{
  input: ChatInput;
  idempotencyKey?: string | number | null | undefined;
  collection?: string | number | null | undefined;
}>;


export type StartChatMutation = { readonly startChat:
    | { readonly __typename: 'AuthenticationError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'GatewayError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'Generation', readonly id: string, readonly status: TaskStatus, readonly model: string | null, readonly createdAt: string }
    | { readonly __typename: 'IdempotencyConflictError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'InvalidInputError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null, readonly issues: ReadonlyArray<{ readonly path: ReadonlyArray<string>, readonly message: string, readonly limit: string | null, readonly received: string | null }> }
    | { readonly __typename: 'NotContinuableError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'OutcomeUnknownError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'QuotaError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'RateLimitError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'ServerKeyError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
   | null };

export type CreateSongCoverMutationVariables = Exact<{
  input: CreateSongCoverInput;
  idempotencyKey?: string | number | null | undefined;
  collection?: string | number | null | undefined;
}>;


export type CreateSongCoverMutation = { readonly createSongCover:
    | { readonly __typename: 'AuthenticationError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'GatewayError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'Generation', readonly id: string, readonly status: TaskStatus, readonly task: { readonly id: string, readonly tracking: TaskTracking } | null }
    | { readonly __typename: 'IdempotencyConflictError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'InvalidInputError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null, readonly issues: ReadonlyArray<{ readonly path: ReadonlyArray<string>, readonly message: string, readonly limit: string | null, readonly received: string | null }> }
    | { readonly __typename: 'NotContinuableError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'OutcomeUnknownError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'QuotaError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'RateLimitError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'ServerKeyError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
   | null };

export type DeleteWebhookMutationVariables = Exact<{
  id: string | number;
}>;


export type DeleteWebhookMutation = { readonly deleteWebhook: boolean | null };

export type CreateUploadMutationVariables = Exact<{
  input: CreateUploadInput;
}>;


export type CreateUploadMutation = { readonly createUpload:
    | { readonly __typename: 'FileUpload', readonly id: string, readonly url: string | null, readonly expiresAt: string }
    | { readonly __typename: 'InvalidInputError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null, readonly issues: ReadonlyArray<{ readonly path: ReadonlyArray<string>, readonly message: string, readonly limit: string | null, readonly received: string | null }> }
   | null };

export type TasksQueryVariables = Exact<{
  ids: ReadonlyArray<string | number> | string | number;
}>;


export type TasksQuery = { readonly tasks: ReadonlyArray<{ readonly id: string, readonly kind: GenerationKind, readonly status: TaskStatus, readonly progress: number | null, readonly isTerminal: boolean, readonly error: { readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null } | null, readonly readFailure: { readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null } | null } | null> | null };

export type FillImageMutationVariables = Exact<{
  input: FillImageInput;
  idempotencyKey?: string | number | null | undefined;
  collection?: string | number | null | undefined;
}>;


export type FillImageMutation = { readonly fillImage:
    | { readonly __typename: 'AuthenticationError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'GatewayError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'Generation', readonly id: string, readonly status: TaskStatus, readonly task: { readonly id: string, readonly tracking: TaskTracking } | null }
    | { readonly __typename: 'IdempotencyConflictError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'InvalidInputError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null, readonly issues: ReadonlyArray<{ readonly path: ReadonlyArray<string>, readonly message: string, readonly limit: string | null, readonly received: string | null }> }
    | { readonly __typename: 'NotContinuableError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'OutcomeUnknownError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'QuotaError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'RateLimitError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'ServerKeyError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
   | null };

export type ViewerQueryVariables = Exact<{ [key: string]: never; }>;


export type ViewerQuery = { readonly viewer: { readonly owner: string, readonly scopes: ReadonlyArray<string>, readonly limits: ReadonlyArray<{ readonly name: LimitName, readonly kind: GenerationKind | null, readonly max: number | string, readonly used: number | string, readonly resetsAt: string | null }> } | null };

export type TaskQueryVariables = Exact<{
  id: string | number;
}>;


export type TaskQuery = { readonly task: { readonly id: string, readonly kind: GenerationKind, readonly status: TaskStatus, readonly rawStatus: string | null, readonly progress: number | null, readonly queuePosition: number | null, readonly isTerminal: boolean, readonly tracking: TaskTracking, readonly output:
      | { readonly __typename: 'ChatCompletion' }
      | { readonly __typename: 'ContentResponse' }
      | { readonly __typename: 'ImageSet', readonly images: ReadonlyArray<{ readonly url: string | null, readonly width: number | null, readonly height: number | null }> }
      | { readonly __typename: 'PredictionOutput', readonly files: ReadonlyArray<{ readonly kind: AssetKind, readonly url: string | null }> }
      | { readonly __typename: 'SongList', readonly songs: ReadonlyArray<{ readonly clipId: string | null, readonly title: string | null, readonly audioUrl: string | null }> }
      | { readonly __typename: 'SpeechClip', readonly url: string | null, readonly durationSeconds: number | null }
      | { readonly __typename: 'Video', readonly url: string | null, readonly durationSeconds: number | null, readonly thumbnailUrl: string | null }
     | null, readonly error: { readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null } | null, readonly readFailure: { readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null } | null, readonly generation: { readonly id: string, readonly assets: ReadonlyArray<{ readonly kind: AssetKind, readonly role: AssetRole, readonly index: number, readonly title: string | null, readonly url: string | null, readonly contentType: string | null, readonly width: number | null, readonly height: number | null, readonly durationSeconds: number | null, readonly expiresAt: string | null }> } | null } | null };

export type WebhookDeliveriesQueryVariables = Exact<{
  webhookId: string | number;
}>;


export type WebhookDeliveriesQuery = { readonly webhookDeliveries: ReadonlyArray<{ readonly eventId: string, readonly generationId: string, readonly status: TaskStatus, readonly corrects: string | null, readonly state: DeliveryState, readonly attempts: number, readonly attemptedAt: string | null, readonly responseStatus: number | null, readonly failure: string | null }> | null };

export type GenerationQueryVariables = Exact<{
  by: GenerationSelector;
}>;


export type GenerationQuery = { readonly generation: { readonly id: string, readonly kind: GenerationKind, readonly status: TaskStatus, readonly isTerminal: boolean, readonly isCancelable: boolean, readonly collection: string | null, readonly model: string | null, readonly prompt: string | null, readonly createdAt: string, readonly finishedAt: string | null, readonly output:
      | { readonly __typename: 'ChatCompletion', readonly choices: ReadonlyArray<{ readonly index: number, readonly finishReason: string | null, readonly message: { readonly role: ChatRole | null, readonly content: string | null, readonly reasoningContent: string | null, readonly refusal: string | null, readonly toolCalls: ReadonlyArray<{ readonly index: number, readonly id: string | null, readonly name: string | null, readonly arguments: string | null }> | null } }> }
      | { readonly __typename: 'ContentResponse' }
      | { readonly __typename: 'ImageSet' }
      | { readonly __typename: 'PredictionOutput' }
      | { readonly __typename: 'SongList' }
      | { readonly __typename: 'SpeechClip' }
      | { readonly __typename: 'Video' }
     | null, readonly assets: ReadonlyArray<{ readonly kind: AssetKind, readonly role: AssetRole, readonly index: number, readonly title: string | null, readonly url: string | null, readonly contentType: string | null, readonly width: number | null, readonly height: number | null, readonly durationSeconds: number | null, readonly expiresAt: string | null }>, readonly usage: { readonly promptTokens: number | null, readonly completionTokens: number | null, readonly totalTokens: number | null } | null, readonly error: { readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null } | null, readonly task: { readonly id: string } | null } | null };

export type CreateWebhookMutationVariables = Exact<{
  input: CreateWebhookInput;
}>;


export type CreateWebhookMutation = { readonly createWebhook:
    | { readonly __typename: 'CreatedWebhook', readonly secret: string, readonly webhook: { readonly id: string, readonly url: string | null, readonly kinds: ReadonlyArray<GenerationKind> | null, readonly statuses: ReadonlyArray<TaskStatus> | null, readonly collections: ReadonlyArray<string> | null, readonly includeContent: boolean, readonly createdAt: string } }
    | { readonly __typename: 'InvalidInputError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null, readonly issues: ReadonlyArray<{ readonly path: ReadonlyArray<string>, readonly message: string, readonly limit: string | null, readonly received: string | null }> }
   | null };

export type ConversationsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  filter?: GenerationFilter | null | undefined;
  orderBy?: GenerationOrder | null | undefined;
}>;


export type ConversationsQuery = { readonly generations: { readonly totalCount: number, readonly isTotalCapped: boolean, readonly feedCursor: string, readonly edges: ReadonlyArray<{ readonly cursor: string, readonly node: { readonly id: string, readonly prompt: string | null, readonly collection: string | null, readonly createdAt: string, readonly newestTurn: { readonly id: string, readonly status: TaskStatus, readonly isTerminal: boolean, readonly createdAt: string } | null } }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } | null };

export type CreateAccessTokenMutationVariables = Exact<{
  input: CreateAccessTokenInput;
  idempotencyKey?: string | number | null | undefined;
  collection?: string | number | null | undefined;
}>;


export type CreateAccessTokenMutation = { readonly createAccessToken:
    | { readonly __typename: 'AuthenticationError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'CreatedAccessToken', readonly key: string | null, readonly raw: unknown, readonly accessToken: { readonly id: string, readonly name: string, readonly quotaAmount: number | null, readonly expiresAt: string | null } }
    | { readonly __typename: 'GatewayError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'IdempotencyConflictError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'InvalidInputError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null, readonly issues: ReadonlyArray<{ readonly path: ReadonlyArray<string>, readonly message: string, readonly limit: string | null, readonly received: string | null }> }
    | { readonly __typename: 'OutcomeUnknownError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'QuotaError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'RateLimitError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'ServerKeyError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
   | null };

export type AwaitGenerationQueryVariables = Exact<{
  by: GenerationSelector;
  timeoutSeconds?: number | null | undefined;
}>;


export type AwaitGenerationQuery = { readonly awaitGeneration: { readonly id: string, readonly kind: GenerationKind, readonly status: TaskStatus, readonly isTerminal: boolean, readonly assets: ReadonlyArray<{ readonly kind: AssetKind, readonly role: AssetRole, readonly index: number, readonly title: string | null, readonly url: string | null, readonly contentType: string | null, readonly width: number | null, readonly height: number | null, readonly durationSeconds: number | null, readonly expiresAt: string | null }>, readonly error: { readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null } | null } | null };

export type TaskProgressSubscriptionVariables = Exact<{
  id: string | number;
}>;


export type TaskProgressSubscription = { readonly taskProgress: { readonly id: string, readonly status: TaskStatus, readonly progress: number | null, readonly queuePosition: number | null, readonly isTerminal: boolean, readonly generation: { readonly id: string, readonly assets: ReadonlyArray<{ readonly kind: AssetKind, readonly role: AssetRole, readonly index: number, readonly title: string | null, readonly url: string | null, readonly contentType: string | null, readonly width: number | null, readonly height: number | null, readonly durationSeconds: number | null, readonly expiresAt: string | null }> } | null, readonly error: { readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null } | null, readonly readFailure: { readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null } | null } };

export type GenerationsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  filter?: GenerationFilter | null | undefined;
  orderBy?: GenerationOrder | null | undefined;
}>;


export type GenerationsQuery = { readonly generations: { readonly totalCount: number, readonly isTotalCapped: boolean, readonly feedCursor: string, readonly edges: ReadonlyArray<{ readonly cursor: string, readonly node: { readonly id: string, readonly kind: GenerationKind, readonly status: TaskStatus, readonly isTerminal: boolean, readonly isCancelable: boolean, readonly collection: string | null, readonly model: string | null, readonly prompt: string | null, readonly createdAt: string, readonly finishedAt: string | null, readonly firstTurn: { readonly id: string } | null, readonly assets: ReadonlyArray<{ readonly kind: AssetKind, readonly role: AssetRole, readonly index: number, readonly title: string | null, readonly url: string | null, readonly contentType: string | null, readonly width: number | null, readonly height: number | null, readonly durationSeconds: number | null, readonly expiresAt: string | null }>, readonly error: { readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null } | null, readonly task: { readonly id: string } | null } }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } | null };

export type InputSchemaQueryVariables = Exact<{
  input: string;
}>;


export type InputSchemaQuery = { readonly inputSchema: unknown };

export type DeleteConversationMutationVariables = Exact<{
  id: string | number;
}>;


export type DeleteConversationMutation = { readonly deleteConversation: { readonly deletedIds: ReadonlyArray<string>, readonly skipped: ReadonlyArray<{ readonly id: string, readonly reason: SkipReason }> } | null };

export type CancelGenerationMutationVariables = Exact<{
  by: GenerationSelector;
}>;


export type CancelGenerationMutation = { readonly cancelGeneration:
    | { readonly __typename: 'AuthenticationError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'GatewayError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'Generation', readonly id: string, readonly status: TaskStatus, readonly finishedAt: string | null }
    | { readonly __typename: 'InvalidInputError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null, readonly issues: ReadonlyArray<{ readonly path: ReadonlyArray<string>, readonly message: string, readonly limit: string | null, readonly received: string | null }> }
    | { readonly __typename: 'NotCancelableError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'NotFoundError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'QuotaError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'RateLimitError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'ServerKeyError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
   | null };

export type AdjustSongSpeedMutationVariables = Exact<{
  input: AdjustSongSpeedInput;
  idempotencyKey?: string | number | null | undefined;
  collection?: string | number | null | undefined;
}>;


export type AdjustSongSpeedMutation = { readonly adjustSongSpeed:
    | { readonly __typename: 'AuthenticationError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'GatewayError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'Generation', readonly id: string, readonly status: TaskStatus, readonly output:
        | { readonly __typename: 'ChatCompletion' }
        | { readonly __typename: 'ContentResponse' }
        | { readonly __typename: 'ImageSet' }
        | { readonly __typename: 'PredictionOutput' }
        | { readonly __typename: 'SongList', readonly songs: ReadonlyArray<{ readonly clipId: string | null, readonly title: string | null, readonly audioUrl: string | null, readonly durationSeconds: number | null }> }
        | { readonly __typename: 'SpeechClip' }
        | { readonly __typename: 'Video' }
       | null }
    | { readonly __typename: 'IdempotencyConflictError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'InvalidInputError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null, readonly issues: ReadonlyArray<{ readonly path: ReadonlyArray<string>, readonly message: string, readonly limit: string | null, readonly received: string | null }> }
    | { readonly __typename: 'NotContinuableError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'OutcomeUnknownError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'QuotaError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'RateLimitError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'ServerKeyError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
   | null };

export type NodeQueryVariables = Exact<{
  id: string | number;
}>;


export type NodeQuery = { readonly node:
    | { readonly __typename: 'AccessToken', readonly id: string }
    | { readonly __typename: 'Generation', readonly kind: GenerationKind, readonly status: TaskStatus, readonly id: string }
    | { readonly __typename: 'Task', readonly id: string }
    | { readonly __typename: 'Voice', readonly name: string, readonly language: string | null, readonly id: string }
   | null };

export type CreateVideoMutationVariables = Exact<{
  input: CreateVideoInput;
  idempotencyKey?: string | number | null | undefined;
  collection?: string | number | null | undefined;
}>;


export type CreateVideoMutation = { readonly createVideo:
    | { readonly __typename: 'AuthenticationError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'GatewayError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'Generation', readonly id: string, readonly status: TaskStatus, readonly model: string | null, readonly task: { readonly id: string, readonly tracking: TaskTracking } | null }
    | { readonly __typename: 'IdempotencyConflictError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'InvalidInputError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null, readonly issues: ReadonlyArray<{ readonly path: ReadonlyArray<string>, readonly message: string, readonly limit: string | null, readonly received: string | null }> }
    | { readonly __typename: 'NotContinuableError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'OutcomeUnknownError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'QuotaError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'RateLimitError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'ServerKeyError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
   | null };

export type CreateImageMutationVariables = Exact<{
  input: CreateImageInput;
  idempotencyKey?: string | number | null | undefined;
  collection?: string | number | null | undefined;
}>;


export type CreateImageMutation = { readonly createImage:
    | { readonly __typename: 'AuthenticationError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'GatewayError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'Generation', readonly id: string, readonly status: TaskStatus, readonly output:
        | { readonly createdAt: string | null, readonly images: ReadonlyArray<{ readonly url: string | null, readonly expiresAt: string | null, readonly width: number | null, readonly height: number | null, readonly contentType: string | null, readonly revisedPrompt: string | null }>, readonly failures: ReadonlyArray<{ readonly index: number | null, readonly message: string }> }
        | Record<PropertyKey, never>
       | null, readonly usage: { readonly totalTokens: number | null } | null, readonly error: { readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null } | null }
    | { readonly __typename: 'IdempotencyConflictError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'InvalidInputError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null, readonly issues: ReadonlyArray<{ readonly path: ReadonlyArray<string>, readonly message: string, readonly limit: string | null, readonly received: string | null }> }
    | { readonly __typename: 'NotContinuableError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'OutcomeUnknownError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'QuotaError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'RateLimitError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'ServerKeyError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
   | null };

export type NodesQueryVariables = Exact<{
  ids: ReadonlyArray<string | number> | string | number;
}>;


export type NodesQuery = { readonly nodes: ReadonlyArray<
    | { readonly __typename: 'AccessToken', readonly id: string }
    | { readonly __typename: 'Generation', readonly kind: GenerationKind, readonly status: TaskStatus, readonly id: string }
    | { readonly __typename: 'Task', readonly id: string }
    | { readonly __typename: 'Voice', readonly name: string, readonly language: string | null, readonly id: string }
   | null> | null };

export type QueueImageMutationVariables = Exact<{
  input: QueueImageInput;
  idempotencyKey?: string | number | null | undefined;
  collection?: string | number | null | undefined;
}>;


export type QueueImageMutation = { readonly queueImage:
    | { readonly __typename: 'AuthenticationError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'GatewayError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'Generation', readonly id: string, readonly status: TaskStatus, readonly task: { readonly id: string, readonly tracking: TaskTracking } | null }
    | { readonly __typename: 'IdempotencyConflictError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'InvalidInputError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null, readonly issues: ReadonlyArray<{ readonly path: ReadonlyArray<string>, readonly message: string, readonly limit: string | null, readonly received: string | null }> }
    | { readonly __typename: 'NotContinuableError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'OutcomeUnknownError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'QuotaError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'RateLimitError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'ServerKeyError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
   | null };

export type GenerateContentMutationVariables = Exact<{
  input: GenerateContentInput;
  idempotencyKey?: string | number | null | undefined;
  collection?: string | number | null | undefined;
}>;


export type GenerateContentMutation = { readonly generateContent:
    | { readonly __typename: 'AuthenticationError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'GatewayError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'Generation', readonly id: string, readonly status: TaskStatus, readonly output:
        | { readonly text: string | null, readonly candidates: ReadonlyArray<{ readonly finishReason: string | null, readonly urlContextMetadata: { readonly urlMetadata: ReadonlyArray<{ readonly retrievedUrl: string | null, readonly urlRetrievalStatus: string | null }> } | null }> }
        | Record<PropertyKey, never>
       | null, readonly usage: { readonly promptTokens: number | null, readonly completionTokens: number | null, readonly totalTokens: number | null } | null, readonly error: { readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null, readonly upstreamCode: string | null } | null }
    | { readonly __typename: 'IdempotencyConflictError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'InvalidInputError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null, readonly issues: ReadonlyArray<{ readonly path: ReadonlyArray<string>, readonly message: string, readonly limit: string | null, readonly received: string | null }> }
    | { readonly __typename: 'NotContinuableError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'OutcomeUnknownError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'QuotaError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'RateLimitError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'ServerKeyError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
   | null };

export type TaskByHandleQueryVariables = Exact<{
  handle: TaskHandleInput;
}>;


export type TaskByHandleQuery = { readonly taskByHandle: { readonly id: string, readonly kind: GenerationKind, readonly upstreamId: string, readonly status: TaskStatus, readonly progress: number | null, readonly tracking: TaskTracking } | null };

export type ConversationQueryVariables = Exact<{
  by: GenerationSelector;
}>;


export type ConversationQuery = { readonly generation: { readonly id: string, readonly collection: string | null, readonly canContinue: boolean, readonly notContinuableReason: NotContinuableReason | null, readonly parent: { readonly id: string } | null, readonly thread: ReadonlyArray<{ readonly id: string, readonly status: TaskStatus, readonly createdAt: string, readonly output:
        | { readonly messages: ReadonlyArray<{ readonly role: ChatRole | null, readonly content: string | null }>, readonly choices: ReadonlyArray<{ readonly index: number, readonly message: { readonly content: string | null } }> }
        | Record<PropertyKey, never>
       | null }>, readonly continuations: { readonly edges: ReadonlyArray<{ readonly node: { readonly id: string, readonly prompt: string | null, readonly createdAt: string } }> } } | null };

export type CloneVoiceMutationVariables = Exact<{
  input: CloneVoiceInput;
  idempotencyKey?: string | number | null | undefined;
}>;


export type CloneVoiceMutation = { readonly cloneVoice:
    | { readonly __typename: 'AuthenticationError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'ClonedVoice', readonly voice: { readonly id: string, readonly voiceId: string }, readonly preview: { readonly url: string | null } | null }
    | { readonly __typename: 'GatewayError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'IdempotencyConflictError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'InvalidInputError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null, readonly issues: ReadonlyArray<{ readonly path: ReadonlyArray<string>, readonly message: string, readonly limit: string | null, readonly received: string | null }> }
    | { readonly __typename: 'OutcomeUnknownError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'QuotaError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'RateLimitError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'ServerKeyError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
   | null };

export type TwoVoicesQueryVariables = Exact<{ [key: string]: never; }>;


export type TwoVoicesQuery = { readonly voices: { readonly edges: ReadonlyArray<{ readonly node: { readonly id: string, readonly name: string, readonly language: string | null } }>, readonly pageInfo: { readonly hasNextPage: boolean } } | null };

export type ChatEventsSubscriptionVariables = Exact<{
  id: string | number;
  after?: number | null | undefined;
  minIntervalMs?: number | null | undefined;
}>;


export type ChatEventsSubscription = { readonly chatEvents:
    | { readonly __typename: 'ChatCanceled', readonly generationId: string | null, readonly sequence: number, readonly generation: { readonly id: string, readonly status: TaskStatus, readonly usage: { readonly promptTokens: number | null, readonly completionTokens: number | null, readonly totalTokens: number | null } | null } | null }
    | { readonly __typename: 'ChatCompleted', readonly generationId: string | null, readonly sequence: number, readonly generation: { readonly id: string, readonly status: TaskStatus, readonly assets: ReadonlyArray<{ readonly kind: AssetKind, readonly role: AssetRole, readonly index: number, readonly title: string | null, readonly url: string | null, readonly base64: string | null, readonly contentType: string | null, readonly width: number | null, readonly height: number | null, readonly durationSeconds: number | null, readonly expiresAt: string | null }>, readonly usage: { readonly promptTokens: number | null, readonly completionTokens: number | null, readonly totalTokens: number | null } | null } | null }
    | { readonly __typename: 'ChatDelta', readonly fromSequence: number, readonly generationId: string | null, readonly sequence: number, readonly choices: ReadonlyArray<{ readonly index: number, readonly role: ChatRole | null, readonly content: string | null, readonly reasoningContent: string | null, readonly refusal: string | null, readonly finishReason: string | null, readonly toolCalls: ReadonlyArray<{ readonly index: number, readonly id: string | null, readonly name: string | null, readonly arguments: string | null }> | null }> }
    | { readonly __typename: 'ChatFailed', readonly generationId: string | null, readonly sequence: number, readonly error:
        | { readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
        | { readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
        | { readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
        | { readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null, readonly issues: ReadonlyArray<{ readonly path: ReadonlyArray<string>, readonly message: string, readonly limit: string | null, readonly received: string | null }> }
        | { readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
        | { readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
        | { readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
        | { readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
        | { readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
        | { readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
        | { readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
        | { readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
       }
    | { readonly __typename: 'ChatSnapshot', readonly generationId: string | null, readonly sequence: number, readonly soFar: { readonly choices: ReadonlyArray<{ readonly index: number, readonly finishReason: string | null, readonly message: { readonly role: ChatRole | null, readonly content: string | null, readonly reasoningContent: string | null, readonly refusal: string | null, readonly toolCalls: ReadonlyArray<{ readonly index: number, readonly id: string | null, readonly name: string | null, readonly arguments: string | null }> | null } }> } }
   };

export type WebhooksQueryVariables = Exact<{ [key: string]: never; }>;


export type WebhooksQuery = { readonly webhooks: ReadonlyArray<{ readonly id: string, readonly url: string | null, readonly kinds: ReadonlyArray<GenerationKind> | null, readonly statuses: ReadonlyArray<TaskStatus> | null, readonly collections: ReadonlyArray<string> | null, readonly includeContent: boolean, readonly createdAt: string, readonly disabledAt: string | null }> | null };

export type ContinueChatSubscriptionVariables = Exact<{
  input: ChatInput;
  idempotencyKey?: string | number | null | undefined;
  collection?: string | number | null | undefined;
  minIntervalMs?: number | null | undefined;
}>;


export type ContinueChatSubscription = { readonly streamChat:
    | { readonly __typename: 'ChatCanceled', readonly generationId: string | null, readonly sequence: number, readonly generation: { readonly id: string, readonly status: TaskStatus, readonly usage: { readonly promptTokens: number | null, readonly completionTokens: number | null, readonly totalTokens: number | null } | null } | null, readonly soFar: { readonly choices: ReadonlyArray<{ readonly index: number, readonly finishReason: string | null, readonly message: { readonly role: ChatRole | null, readonly content: string | null, readonly reasoningContent: string | null, readonly refusal: string | null, readonly toolCalls: ReadonlyArray<{ readonly index: number, readonly id: string | null, readonly name: string | null, readonly arguments: string | null }> | null } }> } }
    | { readonly __typename: 'ChatCompleted', readonly generationId: string | null, readonly sequence: number, readonly generation: { readonly id: string, readonly status: TaskStatus, readonly canContinue: boolean, readonly usage: { readonly promptTokens: number | null, readonly completionTokens: number | null, readonly totalTokens: number | null } | null } | null, readonly soFar: { readonly choices: ReadonlyArray<{ readonly index: number, readonly finishReason: string | null, readonly message: { readonly role: ChatRole | null, readonly content: string | null, readonly reasoningContent: string | null, readonly refusal: string | null, readonly toolCalls: ReadonlyArray<{ readonly index: number, readonly id: string | null, readonly name: string | null, readonly arguments: string | null }> | null } }> } }
    | { readonly __typename: 'ChatDelta', readonly generationId: string | null, readonly sequence: number, readonly soFar: { readonly choices: ReadonlyArray<{ readonly index: number, readonly finishReason: string | null, readonly message: { readonly role: ChatRole | null, readonly content: string | null, readonly reasoningContent: string | null, readonly refusal: string | null, readonly toolCalls: ReadonlyArray<{ readonly index: number, readonly id: string | null, readonly name: string | null, readonly arguments: string | null }> | null } }> } }
    | { readonly __typename: 'ChatFailed', readonly generationId: string | null, readonly sequence: number, readonly error:
        | { readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
        | { readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
        | { readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
        | { readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null, readonly issues: ReadonlyArray<{ readonly path: ReadonlyArray<string>, readonly message: string, readonly limit: string | null, readonly received: string | null }> }
        | { readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
        | { readonly reason: NotContinuableReason, readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
        | { readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
        | { readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
        | { readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
        | { readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
        | { readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
        | { readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
      , readonly soFar: { readonly choices: ReadonlyArray<{ readonly index: number, readonly finishReason: string | null, readonly message: { readonly role: ChatRole | null, readonly content: string | null, readonly reasoningContent: string | null, readonly refusal: string | null, readonly toolCalls: ReadonlyArray<{ readonly index: number, readonly id: string | null, readonly name: string | null, readonly arguments: string | null }> | null } }> } }
    | { readonly __typename: 'ChatSnapshot', readonly generationId: string | null, readonly sequence: number, readonly soFar: { readonly choices: ReadonlyArray<{ readonly index: number, readonly finishReason: string | null, readonly message: { readonly role: ChatRole | null, readonly content: string | null, readonly reasoningContent: string | null, readonly refusal: string | null, readonly toolCalls: ReadonlyArray<{ readonly index: number, readonly id: string | null, readonly name: string | null, readonly arguments: string | null }> | null } }> } }
   };

export type ImageEventsSubscriptionVariables = Exact<{
  id: string | number;
  after?: number | null | undefined;
  minIntervalMs?: number | null | undefined;
}>;


export type ImageEventsSubscription = { readonly imageEvents:
    | { readonly __typename: 'ImageCanceled', readonly generationId: string | null, readonly sequence: number }
    | { readonly __typename: 'ImageCompleted', readonly generationId: string | null, readonly sequence: number, readonly generation: { readonly id: string, readonly status: TaskStatus, readonly usage: { readonly outputTokens: number | null, readonly totalTokens: number | null } | null } | null }
    | { readonly __typename: 'ImageDelta', readonly fromSequence: number, readonly generationId: string | null, readonly sequence: number, readonly images: ReadonlyArray<{ readonly index: number | null, readonly url: string | null }>, readonly failures: ReadonlyArray<{ readonly index: number | null, readonly message: string }> }
    | { readonly __typename: 'ImageFailed', readonly generationId: string | null, readonly sequence: number, readonly error:
        | { readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
        | { readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
        | { readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
        | { readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
        | { readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
        | { readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
        | { readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
        | { readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
        | { readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
        | { readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
        | { readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
        | { readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
       }
    | { readonly __typename: 'ImageSnapshot', readonly generationId: string | null, readonly sequence: number, readonly soFar: { readonly images: ReadonlyArray<{ readonly index: number | null, readonly url: string | null, readonly width: number | null, readonly height: number | null, readonly expiresAt: string | null }>, readonly failures: ReadonlyArray<{ readonly index: number | null, readonly message: string }> } }
   };

export type CreateChatCompletionMutationVariables = Exact<{
  input: ChatInput;
  idempotencyKey?: string | number | null | undefined;
  collection?: string | number | null | undefined;
}>;


export type CreateChatCompletionMutation = { readonly createChatCompletion:
    | { readonly __typename: 'AuthenticationError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'GatewayError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'Generation', readonly id: string, readonly status: TaskStatus, readonly output:
        | { readonly model: string | null, readonly choices: ReadonlyArray<{ readonly finishReason: string | null, readonly message: { readonly content: string | null, readonly toolCalls: ReadonlyArray<{ readonly name: string | null, readonly arguments: string | null }> | null } }> }
        | Record<PropertyKey, never>
       | null, readonly usage: { readonly promptTokens: number | null, readonly completionTokens: number | null, readonly totalTokens: number | null } | null }
    | { readonly __typename: 'IdempotencyConflictError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'InvalidInputError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null, readonly issues: ReadonlyArray<{ readonly path: ReadonlyArray<string>, readonly message: string, readonly limit: string | null, readonly received: string | null }> }
    | { readonly __typename: 'NotContinuableError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'OutcomeUnknownError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'QuotaError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'RateLimitError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'ServerKeyError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
   | null };

export type CreateSongMutationVariables = Exact<{
  input: CreateSongInput;
  idempotencyKey?: string | number | null | undefined;
  collection?: string | number | null | undefined;
}>;


export type CreateSongMutation = { readonly createSong:
    | { readonly __typename: 'AuthenticationError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'GatewayError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'Generation', readonly id: string, readonly status: TaskStatus, readonly task: { readonly id: string, readonly tracking: TaskTracking } | null }
    | { readonly __typename: 'IdempotencyConflictError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'InvalidInputError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null, readonly issues: ReadonlyArray<{ readonly path: ReadonlyArray<string>, readonly message: string, readonly limit: string | null, readonly received: string | null }> }
    | { readonly __typename: 'NotContinuableError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'OutcomeUnknownError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'QuotaError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'RateLimitError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'ServerKeyError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
   | null };

export type StreamImagesSubscriptionVariables = Exact<{
  input: ImageByResolutionInput;
  idempotencyKey?: string | number | null | undefined;
  collection?: string | number | null | undefined;
  minIntervalMs?: number | null | undefined;
}>;


export type StreamImagesSubscription = { readonly streamImages:
    | { readonly __typename: 'ImageCanceled', readonly generationId: string | null, readonly sequence: number, readonly soFar: { readonly images: ReadonlyArray<{ readonly index: number | null, readonly url: string | null, readonly width: number | null, readonly height: number | null, readonly expiresAt: string | null }>, readonly failures: ReadonlyArray<{ readonly index: number | null, readonly message: string }> } }
    | { readonly __typename: 'ImageCompleted', readonly generationId: string | null, readonly sequence: number, readonly generation: { readonly id: string, readonly status: TaskStatus, readonly usage: { readonly outputTokens: number | null, readonly totalTokens: number | null } | null } | null, readonly soFar: { readonly images: ReadonlyArray<{ readonly index: number | null, readonly url: string | null, readonly width: number | null, readonly height: number | null, readonly expiresAt: string | null }>, readonly failures: ReadonlyArray<{ readonly index: number | null, readonly message: string }> } }
    | { readonly __typename: 'ImageDelta', readonly fromSequence: number, readonly generationId: string | null, readonly sequence: number, readonly images: ReadonlyArray<{ readonly index: number | null, readonly url: string | null }>, readonly soFar: { readonly images: ReadonlyArray<{ readonly index: number | null, readonly url: string | null, readonly width: number | null, readonly height: number | null, readonly expiresAt: string | null }>, readonly failures: ReadonlyArray<{ readonly index: number | null, readonly message: string }> } }
    | { readonly __typename: 'ImageFailed', readonly generationId: string | null, readonly sequence: number, readonly error:
        | { readonly __typename: 'AuthenticationError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
        | { readonly __typename: 'GatewayError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
        | { readonly __typename: 'IdempotencyConflictError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
        | { readonly __typename: 'InvalidInputError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null, readonly issues: ReadonlyArray<{ readonly path: ReadonlyArray<string>, readonly message: string, readonly limit: string | null, readonly received: string | null }> }
        | { readonly __typename: 'NotCancelableError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
        | { readonly __typename: 'NotContinuableError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
        | { readonly __typename: 'NotFoundError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
        | { readonly __typename: 'OutcomeUnknownError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
        | { readonly __typename: 'QuotaError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
        | { readonly __typename: 'RateLimitError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
        | { readonly __typename: 'ServerKeyError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
        | { readonly __typename: 'StreamError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
      , readonly soFar: { readonly images: ReadonlyArray<{ readonly index: number | null, readonly url: string | null, readonly width: number | null, readonly height: number | null, readonly expiresAt: string | null }>, readonly failures: ReadonlyArray<{ readonly index: number | null, readonly message: string }> } }
    | { readonly __typename: 'ImageSnapshot', readonly generationId: string | null, readonly sequence: number, readonly soFar: { readonly images: ReadonlyArray<{ readonly index: number | null, readonly url: string | null, readonly width: number | null, readonly height: number | null, readonly expiresAt: string | null }>, readonly failures: ReadonlyArray<{ readonly index: number | null, readonly message: string }> } }
   };

export type StreamChatSubscriptionVariables = Exact<{
  input: ChatInput;
  idempotencyKey?: string | number | null | undefined;
  collection?: string | number | null | undefined;
  minIntervalMs?: number | null | undefined;
}>;


export type StreamChatSubscription = { readonly streamChat:
    | { readonly __typename: 'ChatCanceled', readonly generationId: string | null, readonly sequence: number, readonly generation: { readonly id: string, readonly status: TaskStatus, readonly usage: { readonly promptTokens: number | null, readonly completionTokens: number | null, readonly totalTokens: number | null } | null } | null, readonly soFar: { readonly choices: ReadonlyArray<{ readonly index: number, readonly finishReason: string | null, readonly message: { readonly role: ChatRole | null, readonly content: string | null, readonly reasoningContent: string | null, readonly refusal: string | null, readonly toolCalls: ReadonlyArray<{ readonly index: number, readonly id: string | null, readonly name: string | null, readonly arguments: string | null }> | null } }> } }
    | { readonly __typename: 'ChatCompleted', readonly generationId: string | null, readonly sequence: number, readonly generation: { readonly id: string, readonly status: TaskStatus, readonly usage: { readonly promptTokens: number | null, readonly completionTokens: number | null, readonly totalTokens: number | null } | null } | null, readonly soFar: { readonly choices: ReadonlyArray<{ readonly index: number, readonly finishReason: string | null, readonly message: { readonly role: ChatRole | null, readonly content: string | null, readonly reasoningContent: string | null, readonly refusal: string | null, readonly toolCalls: ReadonlyArray<{ readonly index: number, readonly id: string | null, readonly name: string | null, readonly arguments: string | null }> | null } }> } }
    | { readonly __typename: 'ChatDelta', readonly generationId: string | null, readonly sequence: number, readonly soFar: { readonly choices: ReadonlyArray<{ readonly index: number, readonly finishReason: string | null, readonly message: { readonly role: ChatRole | null, readonly content: string | null, readonly reasoningContent: string | null, readonly refusal: string | null, readonly toolCalls: ReadonlyArray<{ readonly index: number, readonly id: string | null, readonly name: string | null, readonly arguments: string | null }> | null } }> } }
    | { readonly __typename: 'ChatFailed', readonly generationId: string | null, readonly sequence: number, readonly error:
        | { readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
        | { readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
        | { readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
        | { readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null, readonly issues: ReadonlyArray<{ readonly path: ReadonlyArray<string>, readonly message: string, readonly limit: string | null, readonly received: string | null }> }
        | { readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
        | { readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
        | { readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
        | { readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
        | { readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
        | { readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
        | { readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
        | { readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
      , readonly soFar: { readonly choices: ReadonlyArray<{ readonly index: number, readonly finishReason: string | null, readonly message: { readonly role: ChatRole | null, readonly content: string | null, readonly reasoningContent: string | null, readonly refusal: string | null, readonly toolCalls: ReadonlyArray<{ readonly index: number, readonly id: string | null, readonly name: string | null, readonly arguments: string | null }> | null } }> } }
    | { readonly __typename: 'ChatSnapshot', readonly generationId: string | null, readonly sequence: number, readonly soFar: { readonly choices: ReadonlyArray<{ readonly index: number, readonly finishReason: string | null, readonly message: { readonly role: ChatRole | null, readonly content: string | null, readonly reasoningContent: string | null, readonly refusal: string | null, readonly toolCalls: ReadonlyArray<{ readonly index: number, readonly id: string | null, readonly name: string | null, readonly arguments: string | null }> | null } }> } }
   };

export type CreateTransitionVideoMutationVariables = Exact<{
  input: CreateTransitionVideoInput;
  idempotencyKey?: string | number | null | undefined;
  collection?: string | number | null | undefined;
}>;


export type CreateTransitionVideoMutation = { readonly createTransitionVideo:
    | { readonly __typename: 'AuthenticationError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'GatewayError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'Generation', readonly id: string, readonly status: TaskStatus, readonly model: string | null, readonly task: { readonly id: string, readonly tracking: TaskTracking } | null }
    | { readonly __typename: 'IdempotencyConflictError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'InvalidInputError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null, readonly issues: ReadonlyArray<{ readonly path: ReadonlyArray<string>, readonly message: string, readonly limit: string | null, readonly received: string | null }> }
    | { readonly __typename: 'NotContinuableError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'OutcomeUnknownError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'QuotaError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'RateLimitError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'ServerKeyError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
   | null };

export type QueueInpaintingMutationVariables = Exact<{
  input: QueueInpaintingInput;
  idempotencyKey?: string | number | null | undefined;
  collection?: string | number | null | undefined;
}>;


export type QueueInpaintingMutation = { readonly queueInpainting:
    | { readonly __typename: 'AuthenticationError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'GatewayError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'Generation', readonly id: string, readonly status: TaskStatus, readonly task: { readonly id: string, readonly tracking: TaskTracking } | null }
    | { readonly __typename: 'IdempotencyConflictError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'InvalidInputError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null, readonly issues: ReadonlyArray<{ readonly path: ReadonlyArray<string>, readonly message: string, readonly limit: string | null, readonly received: string | null }> }
    | { readonly __typename: 'NotContinuableError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'OutcomeUnknownError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'QuotaError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'RateLimitError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
    | { readonly __typename: 'ServerKeyError', readonly code: ErrorCode, readonly message: string, readonly retry: RetryAdvice, readonly retryAfterSeconds: number | null }
   | null };


export const CreateAnimationDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateAnimation"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateAnimationInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"collection"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createAnimation"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}},{"kind":"Argument","name":{"kind":"Name","value":"idempotencyKey"},"value":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}}},{"kind":"Argument","name":{"kind":"Name","value":"collection"},"value":{"kind":"Variable","name":{"kind":"Name","value":"collection"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Generation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"task"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"tracking"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidInputError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"limit"}},{"kind":"Field","name":{"kind":"Name","value":"received"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AuthenticationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ServerKeyError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"QuotaError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RateLimitError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"GatewayError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"IdempotencyConflictError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"OutcomeUnknownError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"NotContinuableError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}}]}}]}}]} as unknown as DocumentNode<CreateAnimationMutation, CreateAnimationMutationVariables>;
export const RedeliverWebhookEventsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RedeliverWebhookEvents"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"webhookId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"eventIds"}},"type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"redeliverWebhookEvents"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"webhookId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"webhookId"}}},{"kind":"Argument","name":{"kind":"Name","value":"eventIds"},"value":{"kind":"Variable","name":{"kind":"Name","value":"eventIds"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"eventId"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"attempts"}}]}}]}}]} as unknown as DocumentNode<RedeliverWebhookEventsMutation, RedeliverWebhookEventsMutationVariables>;
export const UsageTotalsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"UsageTotals"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"UsageFilter"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"groupBy"}},"type":{"kind":"NonNullType","type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UsageDimension"}}}}},"defaultValue":{"kind":"ListValue","values":[]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"usageTotals"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}},{"kind":"Argument","name":{"kind":"Name","value":"groupBy"},"value":{"kind":"Variable","name":{"kind":"Name","value":"groupBy"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"day"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"model"}},{"kind":"Field","name":{"kind":"Name","value":"collection"}},{"kind":"Field","name":{"kind":"Name","value":"isOther"}},{"kind":"Field","name":{"kind":"Name","value":"generations"}},{"kind":"Field","name":{"kind":"Name","value":"succeeded"}},{"kind":"Field","name":{"kind":"Name","value":"failed"}},{"kind":"Field","name":{"kind":"Name","value":"canceled"}},{"kind":"Field","name":{"kind":"Name","value":"unknown"}},{"kind":"Field","name":{"kind":"Name","value":"withUsage"}},{"kind":"Field","name":{"kind":"Name","value":"promptTokens"}},{"kind":"Field","name":{"kind":"Name","value":"completionTokens"}},{"kind":"Field","name":{"kind":"Name","value":"totalTokens"}}]}}]}}]} as unknown as DocumentNode<UsageTotalsQuery, UsageTotalsQueryVariables>;
export const AccessTokensDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"AccessTokens"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"accessTokens"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"edges"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"node"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"quotaAmount"}},{"kind":"Field","name":{"kind":"Name","value":"allowedModels"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}}]} as unknown as DocumentNode<AccessTokensQuery, AccessTokensQueryVariables>;
export const FindVoicesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"FindVoices"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"VoiceFilter"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"voices"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}},{"kind":"Field","name":{"kind":"Name","value":"isTotalCapped"}},{"kind":"Field","name":{"kind":"Name","value":"edges"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"node"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"voiceId"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"language"}},{"kind":"Field","name":{"kind":"Name","value":"gender"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}}]} as unknown as DocumentNode<FindVoicesQuery, FindVoicesQueryVariables>;
export const GenerationChangedDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"GenerationChanged"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"GenerationFilter"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"generationChanged"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"cursor"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"GenerationChanged"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"generationId"}},{"kind":"Field","name":{"kind":"Name","value":"matchesFilter"}},{"kind":"Field","name":{"kind":"Name","value":"generation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"isTerminal"}},{"kind":"Field","name":{"kind":"Name","value":"isCancelable"}},{"kind":"Field","name":{"kind":"Name","value":"collection"}},{"kind":"Field","name":{"kind":"Name","value":"model"}},{"kind":"Field","name":{"kind":"Name","value":"prompt"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"finishedAt"}},{"kind":"Field","name":{"kind":"Name","value":"firstTurn"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"Field","name":{"kind":"Name","value":"assets"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"role"}},{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"contentType"}},{"kind":"Field","name":{"kind":"Name","value":"width"}},{"kind":"Field","name":{"kind":"Name","value":"height"}},{"kind":"Field","name":{"kind":"Name","value":"durationSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"Field","name":{"kind":"Name","value":"task"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"GenerationDeleted"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"generationId"}}]}}]}}]}}]} as unknown as DocumentNode<GenerationChangedSubscription, GenerationChangedSubscriptionVariables>;
export const VoicesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Voices"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"voices"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"edges"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"node"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"voiceId"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"language"}},{"kind":"Field","name":{"kind":"Name","value":"previewUrl"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}}]} as unknown as DocumentNode<VoicesQuery, VoicesQueryVariables>;
export const DeleteGenerationsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DeleteGenerations"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"ids"}},"type":{"kind":"NonNullType","type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deleteGenerations"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"ids"},"value":{"kind":"Variable","name":{"kind":"Name","value":"ids"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deletedIds"}},{"kind":"Field","name":{"kind":"Name","value":"skipped"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}}]}}]}}]}}]} as unknown as DocumentNode<DeleteGenerationsMutation, DeleteGenerationsMutationVariables>;
export const TasksProgressDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"TasksProgress"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"ids"}},"type":{"kind":"NonNullType","type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"tasksProgress"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"ids"},"value":{"kind":"Variable","name":{"kind":"Name","value":"ids"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"progress"}},{"kind":"Field","name":{"kind":"Name","value":"isTerminal"}},{"kind":"Field","name":{"kind":"Name","value":"generation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"assets"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"role"}},{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"contentType"}},{"kind":"Field","name":{"kind":"Name","value":"width"}},{"kind":"Field","name":{"kind":"Name","value":"height"}},{"kind":"Field","name":{"kind":"Name","value":"durationSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}}]}}]}}]} as unknown as DocumentNode<TasksProgressSubscription, TasksProgressSubscriptionVariables>;
export const CreateReferenceVideoDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateReferenceVideo"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateReferenceVideoInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"collection"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createReferenceVideo"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}},{"kind":"Argument","name":{"kind":"Name","value":"idempotencyKey"},"value":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}}},{"kind":"Argument","name":{"kind":"Name","value":"collection"},"value":{"kind":"Variable","name":{"kind":"Name","value":"collection"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Generation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"model"}},{"kind":"Field","name":{"kind":"Name","value":"task"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"tracking"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidInputError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"limit"}},{"kind":"Field","name":{"kind":"Name","value":"received"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AuthenticationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ServerKeyError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"QuotaError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RateLimitError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"GatewayError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"IdempotencyConflictError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"OutcomeUnknownError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"NotContinuableError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}}]}}]}}]} as unknown as DocumentNode<CreateReferenceVideoMutation, CreateReferenceVideoMutationVariables>;
export const CreateSpeechDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateSpeech"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateSpeechInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"collection"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createSpeech"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}},{"kind":"Argument","name":{"kind":"Name","value":"idempotencyKey"},"value":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}}},{"kind":"Argument","name":{"kind":"Name","value":"collection"},"value":{"kind":"Variable","name":{"kind":"Name","value":"collection"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Generation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"output"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SpeechClip"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"durationSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"model"}},{"kind":"Field","name":{"kind":"Name","value":"credits"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"task"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"tracking"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidInputError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"limit"}},{"kind":"Field","name":{"kind":"Name","value":"received"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AuthenticationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ServerKeyError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"QuotaError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RateLimitError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"GatewayError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"IdempotencyConflictError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"OutcomeUnknownError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"NotContinuableError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}}]}}]}}]} as unknown as DocumentNode<CreateSpeechMutation, CreateSpeechMutationVariables>;
export const VoiceDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Voice"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"voice"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"voiceId"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"language"}},{"kind":"Field","name":{"kind":"Name","value":"gender"}},{"kind":"Field","name":{"kind":"Name","value":"provider"}},{"kind":"Field","name":{"kind":"Name","value":"previewUrl"}}]}}]}}]} as unknown as DocumentNode<VoiceQuery, VoiceQueryVariables>;
export const StartChatDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"StartChat"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ChatInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"collection"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"startChat"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}},{"kind":"Argument","name":{"kind":"Name","value":"idempotencyKey"},"value":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}}},{"kind":"Argument","name":{"kind":"Name","value":"collection"},"value":{"kind":"Variable","name":{"kind":"Name","value":"collection"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Generation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"model"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidInputError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"limit"}},{"kind":"Field","name":{"kind":"Name","value":"received"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AuthenticationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ServerKeyError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"QuotaError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RateLimitError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"GatewayError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"IdempotencyConflictError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"OutcomeUnknownError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"NotContinuableError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}}]}}]}}]} as unknown as DocumentNode<StartChatMutation, StartChatMutationVariables>;
export const CreateSongCoverDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateSongCover"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateSongCoverInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"collection"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createSongCover"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}},{"kind":"Argument","name":{"kind":"Name","value":"idempotencyKey"},"value":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}}},{"kind":"Argument","name":{"kind":"Name","value":"collection"},"value":{"kind":"Variable","name":{"kind":"Name","value":"collection"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Generation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"task"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"tracking"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidInputError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"limit"}},{"kind":"Field","name":{"kind":"Name","value":"received"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AuthenticationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ServerKeyError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"QuotaError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RateLimitError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"GatewayError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"IdempotencyConflictError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"OutcomeUnknownError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"NotContinuableError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}}]}}]}}]} as unknown as DocumentNode<CreateSongCoverMutation, CreateSongCoverMutationVariables>;
export const DeleteWebhookDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DeleteWebhook"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deleteWebhook"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}]}]}}]} as unknown as DocumentNode<DeleteWebhookMutation, DeleteWebhookMutationVariables>;
export const CreateUploadDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateUpload"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateUploadInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createUpload"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"FileUpload"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidInputError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"limit"}},{"kind":"Field","name":{"kind":"Name","value":"received"}}]}}]}}]}}]}}]} as unknown as DocumentNode<CreateUploadMutation, CreateUploadMutationVariables>;
export const TasksDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Tasks"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"ids"}},"type":{"kind":"NonNullType","type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"tasks"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"ids"},"value":{"kind":"Variable","name":{"kind":"Name","value":"ids"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"progress"}},{"kind":"Field","name":{"kind":"Name","value":"isTerminal"}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"Field","name":{"kind":"Name","value":"readFailure"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}}]}}]}}]} as unknown as DocumentNode<TasksQuery, TasksQueryVariables>;
export const FillImageDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"FillImage"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"FillImageInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"collection"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"fillImage"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}},{"kind":"Argument","name":{"kind":"Name","value":"idempotencyKey"},"value":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}}},{"kind":"Argument","name":{"kind":"Name","value":"collection"},"value":{"kind":"Variable","name":{"kind":"Name","value":"collection"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Generation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"task"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"tracking"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidInputError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"limit"}},{"kind":"Field","name":{"kind":"Name","value":"received"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AuthenticationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ServerKeyError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"QuotaError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RateLimitError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"GatewayError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"IdempotencyConflictError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"OutcomeUnknownError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"NotContinuableError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}}]}}]}}]} as unknown as DocumentNode<FillImageMutation, FillImageMutationVariables>;
export const ViewerDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Viewer"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"viewer"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"owner"}},{"kind":"Field","name":{"kind":"Name","value":"limits"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"max"}},{"kind":"Field","name":{"kind":"Name","value":"used"}},{"kind":"Field","name":{"kind":"Name","value":"resetsAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"scopes"}}]}}]}}]} as unknown as DocumentNode<ViewerQuery, ViewerQueryVariables>;
export const TaskDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Task"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"task"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"rawStatus"}},{"kind":"Field","name":{"kind":"Name","value":"progress"}},{"kind":"Field","name":{"kind":"Name","value":"queuePosition"}},{"kind":"Field","name":{"kind":"Name","value":"isTerminal"}},{"kind":"Field","name":{"kind":"Name","value":"tracking"}},{"kind":"Field","name":{"kind":"Name","value":"output"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ImageSet"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"images"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"width"}},{"kind":"Field","name":{"kind":"Name","value":"height"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SongList"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"songs"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"clipId"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"audioUrl"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PredictionOutput"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"files"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"url"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SpeechClip"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"durationSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Video"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"durationSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"thumbnailUrl"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"Field","name":{"kind":"Name","value":"readFailure"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"Field","name":{"kind":"Name","value":"generation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"assets"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"role"}},{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"contentType"}},{"kind":"Field","name":{"kind":"Name","value":"width"}},{"kind":"Field","name":{"kind":"Name","value":"height"}},{"kind":"Field","name":{"kind":"Name","value":"durationSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}}]}}]}}]}}]}}]} as unknown as DocumentNode<TaskQuery, TaskQueryVariables>;
export const WebhookDeliveriesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"WebhookDeliveries"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"webhookId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"webhookDeliveries"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"webhookId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"webhookId"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"eventId"}},{"kind":"Field","name":{"kind":"Name","value":"generationId"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"corrects"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"attempts"}},{"kind":"Field","name":{"kind":"Name","value":"attemptedAt"}},{"kind":"Field","name":{"kind":"Name","value":"responseStatus"}},{"kind":"Field","name":{"kind":"Name","value":"failure"}}]}}]}}]} as unknown as DocumentNode<WebhookDeliveriesQuery, WebhookDeliveriesQueryVariables>;
export const GenerationDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Generation"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"by"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"GenerationSelector"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"generation"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"by"},"value":{"kind":"Variable","name":{"kind":"Name","value":"by"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"isTerminal"}},{"kind":"Field","name":{"kind":"Name","value":"isCancelable"}},{"kind":"Field","name":{"kind":"Name","value":"collection"}},{"kind":"Field","name":{"kind":"Name","value":"model"}},{"kind":"Field","name":{"kind":"Name","value":"prompt"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"finishedAt"}},{"kind":"Field","name":{"kind":"Name","value":"output"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ChatCompletion"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"choices"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"message"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"role"}},{"kind":"Field","name":{"kind":"Name","value":"content"}},{"kind":"Field","name":{"kind":"Name","value":"reasoningContent"}},{"kind":"Field","name":{"kind":"Name","value":"refusal"}},{"kind":"Field","name":{"kind":"Name","value":"toolCalls"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"arguments"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"finishReason"}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"assets"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"role"}},{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"contentType"}},{"kind":"Field","name":{"kind":"Name","value":"width"}},{"kind":"Field","name":{"kind":"Name","value":"height"}},{"kind":"Field","name":{"kind":"Name","value":"durationSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"usage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"promptTokens"}},{"kind":"Field","name":{"kind":"Name","value":"completionTokens"}},{"kind":"Field","name":{"kind":"Name","value":"totalTokens"}}]}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"Field","name":{"kind":"Name","value":"task"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}}]}}]} as unknown as DocumentNode<GenerationQuery, GenerationQueryVariables>;
export const CreateWebhookDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateWebhook"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateWebhookInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createWebhook"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"CreatedWebhook"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"secret"}},{"kind":"Field","name":{"kind":"Name","value":"webhook"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"kinds"}},{"kind":"Field","name":{"kind":"Name","value":"statuses"}},{"kind":"Field","name":{"kind":"Name","value":"collections"}},{"kind":"Field","name":{"kind":"Name","value":"includeContent"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidInputError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"limit"}},{"kind":"Field","name":{"kind":"Name","value":"received"}}]}}]}}]}}]}}]} as unknown as DocumentNode<CreateWebhookMutation, CreateWebhookMutationVariables>;
export const ConversationsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Conversations"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"GenerationFilter"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"orderBy"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"GenerationOrder"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"generations"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}},{"kind":"Argument","name":{"kind":"Name","value":"orderBy"},"value":{"kind":"Variable","name":{"kind":"Name","value":"orderBy"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}},{"kind":"Field","name":{"kind":"Name","value":"isTotalCapped"}},{"kind":"Field","name":{"kind":"Name","value":"feedCursor"}},{"kind":"Field","name":{"kind":"Name","value":"edges"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cursor"}},{"kind":"Field","name":{"kind":"Name","value":"node"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"prompt"}},{"kind":"Field","name":{"kind":"Name","value":"collection"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"newestTurn"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"isTerminal"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}}]} as unknown as DocumentNode<ConversationsQuery, ConversationsQueryVariables>;
export const CreateAccessTokenDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateAccessToken"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateAccessTokenInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"collection"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createAccessToken"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}},{"kind":"Argument","name":{"kind":"Name","value":"idempotencyKey"},"value":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}}},{"kind":"Argument","name":{"kind":"Name","value":"collection"},"value":{"kind":"Variable","name":{"kind":"Name","value":"collection"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"CreatedAccessToken"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"raw"}},{"kind":"Field","name":{"kind":"Name","value":"accessToken"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"quotaAmount"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidInputError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"limit"}},{"kind":"Field","name":{"kind":"Name","value":"received"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AuthenticationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ServerKeyError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"QuotaError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RateLimitError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"GatewayError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"IdempotencyConflictError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"OutcomeUnknownError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}}]}}]}}]} as unknown as DocumentNode<CreateAccessTokenMutation, CreateAccessTokenMutationVariables>;
export const AwaitGenerationDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"AwaitGeneration"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"by"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"GenerationSelector"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"timeoutSeconds"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"awaitGeneration"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"by"},"value":{"kind":"Variable","name":{"kind":"Name","value":"by"}}},{"kind":"Argument","name":{"kind":"Name","value":"timeoutSeconds"},"value":{"kind":"Variable","name":{"kind":"Name","value":"timeoutSeconds"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"isTerminal"}},{"kind":"Field","name":{"kind":"Name","value":"assets"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"role"}},{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"contentType"}},{"kind":"Field","name":{"kind":"Name","value":"width"}},{"kind":"Field","name":{"kind":"Name","value":"height"}},{"kind":"Field","name":{"kind":"Name","value":"durationSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}}]}}]}}]} as unknown as DocumentNode<AwaitGenerationQuery, AwaitGenerationQueryVariables>;
export const TaskProgressDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"TaskProgress"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"taskProgress"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"progress"}},{"kind":"Field","name":{"kind":"Name","value":"queuePosition"}},{"kind":"Field","name":{"kind":"Name","value":"isTerminal"}},{"kind":"Field","name":{"kind":"Name","value":"generation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"assets"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"role"}},{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"contentType"}},{"kind":"Field","name":{"kind":"Name","value":"width"}},{"kind":"Field","name":{"kind":"Name","value":"height"}},{"kind":"Field","name":{"kind":"Name","value":"durationSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"Field","name":{"kind":"Name","value":"readFailure"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}}]}}]}}]} as unknown as DocumentNode<TaskProgressSubscription, TaskProgressSubscriptionVariables>;
export const GenerationsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Generations"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"GenerationFilter"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"orderBy"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"GenerationOrder"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"generations"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}},{"kind":"Argument","name":{"kind":"Name","value":"orderBy"},"value":{"kind":"Variable","name":{"kind":"Name","value":"orderBy"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}},{"kind":"Field","name":{"kind":"Name","value":"isTotalCapped"}},{"kind":"Field","name":{"kind":"Name","value":"feedCursor"}},{"kind":"Field","name":{"kind":"Name","value":"edges"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cursor"}},{"kind":"Field","name":{"kind":"Name","value":"node"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"isTerminal"}},{"kind":"Field","name":{"kind":"Name","value":"isCancelable"}},{"kind":"Field","name":{"kind":"Name","value":"collection"}},{"kind":"Field","name":{"kind":"Name","value":"model"}},{"kind":"Field","name":{"kind":"Name","value":"prompt"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"finishedAt"}},{"kind":"Field","name":{"kind":"Name","value":"firstTurn"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"Field","name":{"kind":"Name","value":"assets"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"role"}},{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"contentType"}},{"kind":"Field","name":{"kind":"Name","value":"width"}},{"kind":"Field","name":{"kind":"Name","value":"height"}},{"kind":"Field","name":{"kind":"Name","value":"durationSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"Field","name":{"kind":"Name","value":"task"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}}]} as unknown as DocumentNode<GenerationsQuery, GenerationsQueryVariables>;
export const InputSchemaDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"InputSchema"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"inputSchema"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}]}]}}]} as unknown as DocumentNode<InputSchemaQuery, InputSchemaQueryVariables>;
export const DeleteConversationDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DeleteConversation"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deleteConversation"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deletedIds"}},{"kind":"Field","name":{"kind":"Name","value":"skipped"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}}]}}]}}]}}]} as unknown as DocumentNode<DeleteConversationMutation, DeleteConversationMutationVariables>;
export const CancelGenerationDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CancelGeneration"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"by"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"GenerationSelector"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cancelGeneration"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"by"},"value":{"kind":"Variable","name":{"kind":"Name","value":"by"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Generation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"finishedAt"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"NotFoundError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"NotCancelableError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidInputError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"limit"}},{"kind":"Field","name":{"kind":"Name","value":"received"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AuthenticationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ServerKeyError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"QuotaError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RateLimitError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"GatewayError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}}]}}]}}]} as unknown as DocumentNode<CancelGenerationMutation, CancelGenerationMutationVariables>;
export const AdjustSongSpeedDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"AdjustSongSpeed"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"AdjustSongSpeedInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"collection"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"adjustSongSpeed"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}},{"kind":"Argument","name":{"kind":"Name","value":"idempotencyKey"},"value":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}}},{"kind":"Argument","name":{"kind":"Name","value":"collection"},"value":{"kind":"Variable","name":{"kind":"Name","value":"collection"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Generation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"output"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SongList"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"songs"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"clipId"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"audioUrl"}},{"kind":"Field","name":{"kind":"Name","value":"durationSeconds"}}]}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidInputError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"limit"}},{"kind":"Field","name":{"kind":"Name","value":"received"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AuthenticationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ServerKeyError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"QuotaError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RateLimitError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"GatewayError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"IdempotencyConflictError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"OutcomeUnknownError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"NotContinuableError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}}]}}]}}]} as unknown as DocumentNode<AdjustSongSpeedMutation, AdjustSongSpeedMutationVariables>;
export const NodeDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Node"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"node"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Voice"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"language"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Generation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}}]}}]} as unknown as DocumentNode<NodeQuery, NodeQueryVariables>;
export const CreateVideoDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateVideo"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateVideoInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"collection"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createVideo"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}},{"kind":"Argument","name":{"kind":"Name","value":"idempotencyKey"},"value":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}}},{"kind":"Argument","name":{"kind":"Name","value":"collection"},"value":{"kind":"Variable","name":{"kind":"Name","value":"collection"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Generation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"model"}},{"kind":"Field","name":{"kind":"Name","value":"task"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"tracking"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidInputError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"limit"}},{"kind":"Field","name":{"kind":"Name","value":"received"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AuthenticationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ServerKeyError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"QuotaError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RateLimitError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"GatewayError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"IdempotencyConflictError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"OutcomeUnknownError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"NotContinuableError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}}]}}]}}]} as unknown as DocumentNode<CreateVideoMutation, CreateVideoMutationVariables>;
export const CreateImageDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateImage"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateImageInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"collection"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createImage"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}},{"kind":"Argument","name":{"kind":"Name","value":"idempotencyKey"},"value":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}}},{"kind":"Argument","name":{"kind":"Name","value":"collection"},"value":{"kind":"Variable","name":{"kind":"Name","value":"collection"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Generation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"output"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ImageSet"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"images"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"width"}},{"kind":"Field","name":{"kind":"Name","value":"height"}},{"kind":"Field","name":{"kind":"Name","value":"contentType"}},{"kind":"Field","name":{"kind":"Name","value":"revisedPrompt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"failures"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"usage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalTokens"}}]}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidInputError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"limit"}},{"kind":"Field","name":{"kind":"Name","value":"received"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AuthenticationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ServerKeyError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"QuotaError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RateLimitError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"GatewayError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"IdempotencyConflictError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"OutcomeUnknownError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"NotContinuableError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}}]}}]}}]} as unknown as DocumentNode<CreateImageMutation, CreateImageMutationVariables>;
export const NodesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Nodes"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"ids"}},"type":{"kind":"NonNullType","type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"ids"},"value":{"kind":"Variable","name":{"kind":"Name","value":"ids"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Voice"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"language"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Generation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}}]}}]} as unknown as DocumentNode<NodesQuery, NodesQueryVariables>;
export const QueueImageDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"QueueImage"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"QueueImageInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"collection"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"queueImage"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}},{"kind":"Argument","name":{"kind":"Name","value":"idempotencyKey"},"value":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}}},{"kind":"Argument","name":{"kind":"Name","value":"collection"},"value":{"kind":"Variable","name":{"kind":"Name","value":"collection"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Generation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"task"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"tracking"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidInputError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"limit"}},{"kind":"Field","name":{"kind":"Name","value":"received"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AuthenticationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ServerKeyError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"QuotaError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RateLimitError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"GatewayError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"IdempotencyConflictError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"OutcomeUnknownError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"NotContinuableError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}}]}}]}}]} as unknown as DocumentNode<QueueImageMutation, QueueImageMutationVariables>;
export const GenerateContentDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"GenerateContent"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"GenerateContentInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"collection"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"generateContent"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}},{"kind":"Argument","name":{"kind":"Name","value":"idempotencyKey"},"value":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}}},{"kind":"Argument","name":{"kind":"Name","value":"collection"},"value":{"kind":"Variable","name":{"kind":"Name","value":"collection"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Generation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"output"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ContentResponse"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"candidates"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"finishReason"}},{"kind":"Field","name":{"kind":"Name","value":"urlContextMetadata"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"urlMetadata"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retrievedUrl"}},{"kind":"Field","name":{"kind":"Name","value":"urlRetrievalStatus"}}]}}]}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"usage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"promptTokens"}},{"kind":"Field","name":{"kind":"Name","value":"completionTokens"}},{"kind":"Field","name":{"kind":"Name","value":"totalTokens"}}]}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"upstreamCode"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidInputError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"limit"}},{"kind":"Field","name":{"kind":"Name","value":"received"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AuthenticationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ServerKeyError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"QuotaError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RateLimitError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"GatewayError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"IdempotencyConflictError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"OutcomeUnknownError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"NotContinuableError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}}]}}]}}]} as unknown as DocumentNode<GenerateContentMutation, GenerateContentMutationVariables>;
export const TaskByHandleDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"TaskByHandle"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"handle"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"TaskHandleInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"taskByHandle"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"handle"},"value":{"kind":"Variable","name":{"kind":"Name","value":"handle"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"upstreamId"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"progress"}},{"kind":"Field","name":{"kind":"Name","value":"tracking"}}]}}]}}]} as unknown as DocumentNode<TaskByHandleQuery, TaskByHandleQueryVariables>;
export const ConversationDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Conversation"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"by"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"GenerationSelector"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"generation"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"by"},"value":{"kind":"Variable","name":{"kind":"Name","value":"by"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"collection"}},{"kind":"Field","name":{"kind":"Name","value":"canContinue"}},{"kind":"Field","name":{"kind":"Name","value":"notContinuableReason"}},{"kind":"Field","name":{"kind":"Name","value":"parent"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"Field","name":{"kind":"Name","value":"thread"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"output"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ChatCompletion"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messages"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"role"}},{"kind":"Field","name":{"kind":"Name","value":"content"}}]}},{"kind":"Field","name":{"kind":"Name","value":"choices"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"message"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"content"}}]}}]}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"continuations"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"20"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"edges"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"node"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"prompt"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}}]}}]}}]}}]}}]} as unknown as DocumentNode<ConversationQuery, ConversationQueryVariables>;
export const CloneVoiceDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CloneVoice"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CloneVoiceInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cloneVoice"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}},{"kind":"Argument","name":{"kind":"Name","value":"idempotencyKey"},"value":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ClonedVoice"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"voice"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"voiceId"}}]}},{"kind":"Field","name":{"kind":"Name","value":"preview"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"url"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidInputError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"limit"}},{"kind":"Field","name":{"kind":"Name","value":"received"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AuthenticationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ServerKeyError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"QuotaError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RateLimitError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"GatewayError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"IdempotencyConflictError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"OutcomeUnknownError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}}]}}]}}]} as unknown as DocumentNode<CloneVoiceMutation, CloneVoiceMutationVariables>;
export const TwoVoicesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"TwoVoices"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"voices"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"2"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"edges"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"node"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"language"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}}]}}]}}]}}]} as unknown as DocumentNode<TwoVoicesQuery, TwoVoicesQueryVariables>;
export const ChatEventsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"ChatEvents"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"minIntervalMs"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"chatEvents"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"minIntervalMs"},"value":{"kind":"Variable","name":{"kind":"Name","value":"minIntervalMs"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"generationId"}},{"kind":"Field","name":{"kind":"Name","value":"sequence"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ChatSnapshot"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"soFar"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"choices"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"message"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"role"}},{"kind":"Field","name":{"kind":"Name","value":"content"}},{"kind":"Field","name":{"kind":"Name","value":"reasoningContent"}},{"kind":"Field","name":{"kind":"Name","value":"refusal"}},{"kind":"Field","name":{"kind":"Name","value":"toolCalls"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"arguments"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"finishReason"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ChatDelta"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"fromSequence"}},{"kind":"Field","name":{"kind":"Name","value":"choices"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"role"}},{"kind":"Field","name":{"kind":"Name","value":"content"}},{"kind":"Field","name":{"kind":"Name","value":"reasoningContent"}},{"kind":"Field","name":{"kind":"Name","value":"refusal"}},{"kind":"Field","name":{"kind":"Name","value":"toolCalls"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"arguments"}}]}},{"kind":"Field","name":{"kind":"Name","value":"finishReason"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ChatCompleted"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"generation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"assets"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"role"}},{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"base64"}},{"kind":"Field","name":{"kind":"Name","value":"contentType"}},{"kind":"Field","name":{"kind":"Name","value":"width"}},{"kind":"Field","name":{"kind":"Name","value":"height"}},{"kind":"Field","name":{"kind":"Name","value":"durationSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"usage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"promptTokens"}},{"kind":"Field","name":{"kind":"Name","value":"completionTokens"}},{"kind":"Field","name":{"kind":"Name","value":"totalTokens"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ChatCanceled"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"generation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"usage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"promptTokens"}},{"kind":"Field","name":{"kind":"Name","value":"completionTokens"}},{"kind":"Field","name":{"kind":"Name","value":"totalTokens"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ChatFailed"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidInputError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"limit"}},{"kind":"Field","name":{"kind":"Name","value":"received"}}]}}]}}]}}]}}]}}]}}]} as unknown as DocumentNode<ChatEventsSubscription, ChatEventsSubscriptionVariables>;
export const WebhooksDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Webhooks"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"webhooks"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"kinds"}},{"kind":"Field","name":{"kind":"Name","value":"statuses"}},{"kind":"Field","name":{"kind":"Name","value":"collections"}},{"kind":"Field","name":{"kind":"Name","value":"includeContent"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"disabledAt"}}]}}]}}]} as unknown as DocumentNode<WebhooksQuery, WebhooksQueryVariables>;
export const ContinueChatDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"ContinueChat"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ChatInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"collection"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"minIntervalMs"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}},"defaultValue":{"kind":"IntValue","value":"100"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"streamChat"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}},{"kind":"Argument","name":{"kind":"Name","value":"idempotencyKey"},"value":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}}},{"kind":"Argument","name":{"kind":"Name","value":"collection"},"value":{"kind":"Variable","name":{"kind":"Name","value":"collection"}}},{"kind":"Argument","name":{"kind":"Name","value":"minIntervalMs"},"value":{"kind":"Variable","name":{"kind":"Name","value":"minIntervalMs"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"generationId"}},{"kind":"Field","name":{"kind":"Name","value":"sequence"}},{"kind":"Field","name":{"kind":"Name","value":"soFar"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"choices"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"message"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"role"}},{"kind":"Field","name":{"kind":"Name","value":"content"}},{"kind":"Field","name":{"kind":"Name","value":"reasoningContent"}},{"kind":"Field","name":{"kind":"Name","value":"refusal"}},{"kind":"Field","name":{"kind":"Name","value":"toolCalls"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"arguments"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"finishReason"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ChatCompleted"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"generation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"canContinue"}},{"kind":"Field","name":{"kind":"Name","value":"usage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"promptTokens"}},{"kind":"Field","name":{"kind":"Name","value":"completionTokens"}},{"kind":"Field","name":{"kind":"Name","value":"totalTokens"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ChatCanceled"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"generation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"usage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"promptTokens"}},{"kind":"Field","name":{"kind":"Name","value":"completionTokens"}},{"kind":"Field","name":{"kind":"Name","value":"totalTokens"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ChatFailed"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"NotContinuableError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"reason"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidInputError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"limit"}},{"kind":"Field","name":{"kind":"Name","value":"received"}}]}}]}}]}}]}}]}}]}}]} as unknown as DocumentNode<ContinueChatSubscription, ContinueChatSubscriptionVariables>;
export const ImageEventsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"ImageEvents"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"minIntervalMs"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"imageEvents"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"minIntervalMs"},"value":{"kind":"Variable","name":{"kind":"Name","value":"minIntervalMs"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"generationId"}},{"kind":"Field","name":{"kind":"Name","value":"sequence"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ImageSnapshot"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"soFar"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"images"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"width"}},{"kind":"Field","name":{"kind":"Name","value":"height"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"failures"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ImageDelta"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"fromSequence"}},{"kind":"Field","name":{"kind":"Name","value":"images"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"url"}}]}},{"kind":"Field","name":{"kind":"Name","value":"failures"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ImageCompleted"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"generation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"usage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"outputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"totalTokens"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ImageFailed"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}}]}}]}}]}}]} as unknown as DocumentNode<ImageEventsSubscription, ImageEventsSubscriptionVariables>;
export const CreateChatCompletionDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateChatCompletion"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ChatInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"collection"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createChatCompletion"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}},{"kind":"Argument","name":{"kind":"Name","value":"idempotencyKey"},"value":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}}},{"kind":"Argument","name":{"kind":"Name","value":"collection"},"value":{"kind":"Variable","name":{"kind":"Name","value":"collection"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Generation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"output"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ChatCompletion"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"model"}},{"kind":"Field","name":{"kind":"Name","value":"choices"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"message"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"content"}},{"kind":"Field","name":{"kind":"Name","value":"toolCalls"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"arguments"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"finishReason"}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"usage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"promptTokens"}},{"kind":"Field","name":{"kind":"Name","value":"completionTokens"}},{"kind":"Field","name":{"kind":"Name","value":"totalTokens"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidInputError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"limit"}},{"kind":"Field","name":{"kind":"Name","value":"received"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AuthenticationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ServerKeyError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"QuotaError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RateLimitError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"GatewayError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"IdempotencyConflictError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"OutcomeUnknownError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"NotContinuableError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}}]}}]}}]} as unknown as DocumentNode<CreateChatCompletionMutation, CreateChatCompletionMutationVariables>;
export const CreateSongDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateSong"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateSongInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"collection"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createSong"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}},{"kind":"Argument","name":{"kind":"Name","value":"idempotencyKey"},"value":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}}},{"kind":"Argument","name":{"kind":"Name","value":"collection"},"value":{"kind":"Variable","name":{"kind":"Name","value":"collection"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Generation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"task"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"tracking"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidInputError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"limit"}},{"kind":"Field","name":{"kind":"Name","value":"received"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AuthenticationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ServerKeyError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"QuotaError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RateLimitError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"GatewayError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"IdempotencyConflictError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"OutcomeUnknownError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"NotContinuableError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}}]}}]}}]} as unknown as DocumentNode<CreateSongMutation, CreateSongMutationVariables>;
export const StreamImagesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"StreamImages"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ImageByResolutionInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"collection"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"minIntervalMs"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"streamImages"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}},{"kind":"Argument","name":{"kind":"Name","value":"idempotencyKey"},"value":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}}},{"kind":"Argument","name":{"kind":"Name","value":"collection"},"value":{"kind":"Variable","name":{"kind":"Name","value":"collection"}}},{"kind":"Argument","name":{"kind":"Name","value":"minIntervalMs"},"value":{"kind":"Variable","name":{"kind":"Name","value":"minIntervalMs"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"generationId"}},{"kind":"Field","name":{"kind":"Name","value":"sequence"}},{"kind":"Field","name":{"kind":"Name","value":"soFar"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"images"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"width"}},{"kind":"Field","name":{"kind":"Name","value":"height"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"failures"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ImageDelta"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"fromSequence"}},{"kind":"Field","name":{"kind":"Name","value":"images"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"url"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ImageCompleted"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"generation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"usage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"outputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"totalTokens"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ImageFailed"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidInputError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"limit"}},{"kind":"Field","name":{"kind":"Name","value":"received"}}]}}]}}]}}]}}]}}]}}]} as unknown as DocumentNode<StreamImagesSubscription, StreamImagesSubscriptionVariables>;
export const StreamChatDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"StreamChat"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ChatInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"collection"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"minIntervalMs"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}},"defaultValue":{"kind":"IntValue","value":"100"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"streamChat"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}},{"kind":"Argument","name":{"kind":"Name","value":"idempotencyKey"},"value":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}}},{"kind":"Argument","name":{"kind":"Name","value":"collection"},"value":{"kind":"Variable","name":{"kind":"Name","value":"collection"}}},{"kind":"Argument","name":{"kind":"Name","value":"minIntervalMs"},"value":{"kind":"Variable","name":{"kind":"Name","value":"minIntervalMs"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"generationId"}},{"kind":"Field","name":{"kind":"Name","value":"sequence"}},{"kind":"Field","name":{"kind":"Name","value":"soFar"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"choices"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"message"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"role"}},{"kind":"Field","name":{"kind":"Name","value":"content"}},{"kind":"Field","name":{"kind":"Name","value":"reasoningContent"}},{"kind":"Field","name":{"kind":"Name","value":"refusal"}},{"kind":"Field","name":{"kind":"Name","value":"toolCalls"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"arguments"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"finishReason"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ChatCompleted"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"generation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"usage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"promptTokens"}},{"kind":"Field","name":{"kind":"Name","value":"completionTokens"}},{"kind":"Field","name":{"kind":"Name","value":"totalTokens"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ChatCanceled"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"generation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"usage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"promptTokens"}},{"kind":"Field","name":{"kind":"Name","value":"completionTokens"}},{"kind":"Field","name":{"kind":"Name","value":"totalTokens"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ChatFailed"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidInputError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"limit"}},{"kind":"Field","name":{"kind":"Name","value":"received"}}]}}]}}]}}]}}]}}]}}]} as unknown as DocumentNode<StreamChatSubscription, StreamChatSubscriptionVariables>;
export const CreateTransitionVideoDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateTransitionVideo"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateTransitionVideoInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"collection"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createTransitionVideo"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}},{"kind":"Argument","name":{"kind":"Name","value":"idempotencyKey"},"value":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}}},{"kind":"Argument","name":{"kind":"Name","value":"collection"},"value":{"kind":"Variable","name":{"kind":"Name","value":"collection"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Generation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"model"}},{"kind":"Field","name":{"kind":"Name","value":"task"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"tracking"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidInputError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"limit"}},{"kind":"Field","name":{"kind":"Name","value":"received"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AuthenticationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ServerKeyError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"QuotaError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RateLimitError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"GatewayError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"IdempotencyConflictError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"OutcomeUnknownError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"NotContinuableError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}}]}}]}}]} as unknown as DocumentNode<CreateTransitionVideoMutation, CreateTransitionVideoMutationVariables>;
export const QueueInpaintingDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"QueueInpainting"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"QueueInpaintingInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"collection"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"queueInpainting"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}},{"kind":"Argument","name":{"kind":"Name","value":"idempotencyKey"},"value":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}}},{"kind":"Argument","name":{"kind":"Name","value":"collection"},"value":{"kind":"Variable","name":{"kind":"Name","value":"collection"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Generation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"task"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"tracking"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidInputError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"limit"}},{"kind":"Field","name":{"kind":"Name","value":"received"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AuthenticationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ServerKeyError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"QuotaError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RateLimitError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"GatewayError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"IdempotencyConflictError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"OutcomeUnknownError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"NotContinuableError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}}]}}]}}]} as unknown as DocumentNode<QueueInpaintingMutation, QueueInpaintingMutationVariables>;
/** The ids of these operations, as in the manifest `gengraph/trusted-documents.json`. */
export const documentIds = {
  AccessTokens: 'sha256:e21181441ae8f8941c7d7670a239c1d8101d6a4534797f827bb26f965945ee05',
  AdjustSongSpeed: 'sha256:5217d7cb7ad0b0591d03bda24ec623a592c2ec71526e932d5965dc33aa09db2a',
  AwaitGeneration: 'sha256:2fe87006cb378f5ac785912611cd1d33532bb2d19a62b8fd0b8652788bb5d7fd',
  CancelGeneration: 'sha256:7cbae152a078392bf32107a5bbf5e5149412ef18b95458002fc521633b2b06cf',
  ChatEvents: 'sha256:1486480e2c4aeb51fb0b478fc17db30243b2c9cd9444071681e1fb48ff2b0881',
  CloneVoice: 'sha256:088ed1324b8dd77826615ae70f938e7a68ada93b6c7462bb31615c63632d30bc',
  ContinueChat: 'sha256:f30aeda1ee83a68a32db8b89dea679f14dba41c3046532554ed35e5a0baad981',
  Conversation: 'sha256:ea62b8679124592c7b50209916dc424d53c983e88f6644718bd549dc1149cc53',
  Conversations: 'sha256:5ee9ee06dae97001015ddedb5bdf59a4c954266594693f91c6b88c0755fbd9a8',
  CreateAccessToken: 'sha256:1fcca2f1a8904fac4daa4896978627d5c164516f8d9f5437238c7bb83ddfac2c',
  CreateAnimation: 'sha256:aeddfb92b49a747a8740b5087d91f65796c77e3b4ae796507bbda77f3561163e',
  CreateChatCompletion: 'sha256:580e62e0f015d83bfd651dd498c50f0a53145ca2ab22804608ccd5a9a5ce65bc',
  CreateImage: 'sha256:eb8e1b575d5e20f32a5caaebd66bf508bd2a4e1d798d0eef0218f43cda0cb5ab',
  CreateReferenceVideo: 'sha256:f0e6c8e3d793e52260758bb0fb4788a2f4258dbfded86d4e55f7706d4b229e9e',
  CreateSongCover: 'sha256:e83f273039e312381896b50032e10557d035670f926b9709dd63a5133f2c377a',
  CreateSong: 'sha256:28c1794588020b89e4da48590de8a0063ad9836e9696ab00da6202bb91472945',
  CreateSpeech: 'sha256:62606980aee6d79edc491d4f76ff8ffa21cc629721677b2e7973a15ccb004573',
  CreateTransitionVideo: 'sha256:2b453b58ca80b66c6ec3e38fce8c2944cc9d848902714b13a1420d152c9e03f0',
  CreateUpload: 'sha256:5f957a3e7041ae87a363481a29fa42353c783f344d0aa9d37c0dee8813ed761c',
  CreateVideo: 'sha256:52eb81b19f7f744485ca9abfe7b977437ddc0373fb6f7eaf7c59db82d60bca3a',
  CreateWebhook: 'sha256:bce70658ffe27de0ef5a661d396cfe71b274577265c1accbe2f749fe0e2f9e0a',
  DeleteConversation: 'sha256:1a3efd40eea176bc1ac8ac344b4d1d2ab8921f2aa7ece95ec966781d15a30f13',
  DeleteGenerations: 'sha256:165c05b9636c934118e71010fe29a688126c4729a13f63b301dc9e8ca7184e8c',
  DeleteWebhook: 'sha256:7fc16fa2d8ebe61c7738801daeadf4a31dfbc0054512b43f2d854cfbe75f7c86',
  FillImage: 'sha256:c36713139d8948e36f5f5fbff272ab5fe5a15f2a81c1e13ec5b1723d36dd6f96',
  FindVoices: 'sha256:30e2eaf2d4b9e679bf313dc5be02a032fbcec6c4e8ee1c58099ad3ba68f88574',
  GenerateContent: 'sha256:3d021443f3c81a8a3ce54bb775a5826382f2e6fcf6667fde07bc3ddd1b5f443f',
  GenerationChanged: 'sha256:0bc2e7e52e6c7c1b5aa6de0490061ee6dbe452befc7579aa0a5ea574743c1c5d',
  Generation: 'sha256:0c72292d4f54c3d78ff1130d90850b677dc14bf1dc0fe0f4967beaacf2be182b',
  Generations: 'sha256:37ee16041d2790f403dde802c76d3130f9cc78fb63a0879fe2f77e97df405721',
  ImageEvents: 'sha256:56604fc3bb93990e358f9366a664156890e42e123b2957f211f18d9e5cc0a4e3',
  InputSchema: 'sha256:f520ae765b594abb547810caa383c9670836759c06452e384eb77c8011bf007f',
  Node: 'sha256:526ef7cf47bf11dd00dd3b0dcb698b9182f916ac55f248cc65426935da8b2e38',
  Nodes: 'sha256:0d11b843c3edafcf3a48fdf490421295c55d02cb2482201704bc471de5e00d23',
  QueueImage: 'sha256:c015e132dbaf3889ee9860fb72e3490d9fdbc946407d445e650a827744b0b749',
  QueueInpainting: 'sha256:82e5ed3a63299c196db936e39249f23ca9010f99dc1d3d4fb9f3d80f95adef85',
  RedeliverWebhookEvents: 'sha256:6a4bb3d6a7a464a16ca18f1af9de76d69dadad829698f8373aaeb62191d8e58a',
  StartChat: 'sha256:97e8d44ecafdaf73aa441fc1801567d350409e62f81def34b34a7498b3d21d41',
  StreamChat: 'sha256:da1c479137c294b257379d5c1ef1a79dcc25d52ef3397e5fb6824a0f4393aeb6',
  StreamImages: 'sha256:5c04ddc9dbc0aaf238d7dba6bf24249cca6c8aa9d0944e970f4b80bbe9c3a6a7',
  TaskByHandle: 'sha256:6f5ced05d27f0b8db60a8f71c43bcbf443886d9cae8f02e793def2f2eadaa97b',
  TaskProgress: 'sha256:d7d2df27c7d18824c9fa0edb5fe0a97bf40044325e693723c191c40929d381ee',
  Task: 'sha256:a82f7596c3152d8afc8eb87c1459e6ac365c592f685b913a0b7128e7c37abd7b',
  TasksProgress: 'sha256:ec04af22df4c64bda4bbf766f84eaf98de6a3e9a8d51fabc60a4492e813b80db',
  Tasks: 'sha256:77859152ff7f176681c8ca76b0164994b9eced08c335cb0529f859f209ef8641',
  TwoVoices: 'sha256:75f764cccb07abfddc4677feef2acbdfc9312886c0f79b89b123c80d15a16f77',
  UsageTotals: 'sha256:2dfec9e92c690c09cd81dc11bab59605172ca45182056f9ad8f916e30bc9a840',
  Viewer: 'sha256:50071438f363d28ed44bc7816a589b446b6b2c19ff06ccedcd872443847fa9ec',
  Voice: 'sha256:ef9f2a737f96fadf05224d47478fb4f69bd3a07473770668cfc6cd0846a9b1cb',
  Voices: 'sha256:bb3d14d9369d2b564761fb6fc4015071a10e07d0d23b4508b51ecd15013d9a60',
  WebhookDeliveries: 'sha256:a99498fdd1c5cfe8c4cb145732b4509c53b0f3ea2c7216c8893b8c5c2e9ef948',
  Webhooks: 'sha256:eaf5cb925aa63f51337ba6dcf179362b6c7ff898b0d0c3fb7ce980202afe1706',
} as const;

export { introspection, possibleTypes } from './cache-schema.generated.ts';
