export { GengraphProvider, type GengraphProviderProps, useConnection, useGengraph } from './context.ts';
export { type ChatStream, type ChatStreamOptions, useChatStream } from './use-chat-stream.ts';
export { type Create, type CreateStatus, useCreate } from './use-create.ts';
export { type Gallery, type GalleryOptions, useGallery } from './use-gallery.ts';
export { useAssets, useGeneration, type WatchedGeneration } from './use-generation.ts';
export { type Upload, useUpload } from './use-upload.ts';
