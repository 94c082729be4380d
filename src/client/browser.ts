/** What pages without a build have: one file. */
export * from './gengraph.ts';
export * from './upload.ts';
