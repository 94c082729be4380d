/**
 * The bar, the menu and the pane beside GraphiQL, and what GraphiQL's own sheet lacks: tabs that wrap instead of scrolling
 * without a scroll bar, and a layout for phones. Disables the tab transform: when a tab gets the focus, GraphiQL applies a
 * leftover transform, and a quick click misses the tab.
 */
export const ownStyle = `
:root {
  color-scheme: light dark;
  --gg-back: light-dark(#f5f5f7, #1c2230);
  --gg-front: light-dark(#1f2430, #e6e9f0);
  --gg-quiet: light-dark(#525a6b, #aab3c5);
  --gg-line: light-dark(#d3d7e0, #39425a);
  --gg-field: light-dark(#ffffff, #10141d);
  --gg-strong: light-dark(#5b4bc4, #b3a7f5);
  --gg-on-strong: light-dark(#ffffff, #16122e);
}
body.graphiql-light { color-scheme: light; }
body.graphiql-dark { color-scheme: dark; }
body {
  display: grid;
  grid: "bar bar" auto "root media" minmax(0, 1fr) / minmax(0, 1fr) auto;
  height: 100dvh;
  margin: 0;
  background: var(--gg-back);
  color: var(--gg-front);
  font: 0.875rem/1.45 system-ui, sans-serif;
}
#root { grid-area: root; min-width: 0; min-height: 0; }
#bar {
  grid-area: bar;
  display: flex;
  flex-wrap: wrap;
  gap: 6px 12px;
  align-items: center;
  padding: 6px 12px;
  border-bottom: 1px solid var(--gg-line);
}
#bar a { display: flex; gap: 8px; align-items: center; color: inherit; text-decoration: none; }
#bar p { flex: 1 1 20rem; margin: 0; }
#bar button, #media button, #operations button {
  padding: 5px 12px;
  border: 1px solid var(--gg-line);
  border-radius: 6px;
  background: var(--gg-field);
  color: inherit;
  font: inherit;
  cursor: pointer;
}
#bar p button { padding: 2px 8px; }
#bar button:hover, #media button:hover, #operations button:hover { border-color: var(--gg-strong); }
:is(#bar, #media, #operations) :focus-visible { outline: 2px solid var(--gg-strong); outline-offset: 1px; }
#operations {
  position: fixed;
  inset: 48px auto auto 12px;
  box-sizing: border-box;
  width: min(72rem, 100vw - 24px);
  max-height: calc(100dvh - 60px);
  margin: 0;
  padding: 14px;
  overflow: auto;
  border: 1px solid var(--gg-line);
  border-radius: 10px;
  background: var(--gg-back);
  color: inherit;
  box-shadow: 0 12px 40px #0006;
}
#operations input {
  box-sizing: border-box;
  width: 100%;
  padding: 7px 10px;
  border: 1px solid var(--gg-line);
  border-radius: 6px;
  background: var(--gg-field);
  color: inherit;
  font: inherit;
}
#operations .gengraph-groups { columns: 20rem; column-gap: 16px; }
#operations section { padding-top: 10px; }
#operations h2, #media h2 { margin: 0; font-size: 0.875rem; }
#operations section button {
  display: block;
  width: 100%;
  padding: 5px 8px;
  border-color: transparent;
  background: none;
  text-align: start;
  break-inside: avoid;
}
#operations section button[hidden] { display: none; }
#operations h2 { padding: 4px 8px; color: var(--gg-strong); break-after: avoid; }
#operations section b { display: block; font-weight: 600; }
#operations section span { display: block; color: var(--gg-quiet); font-size: 0.8125rem; }
#media {
  grid-area: media;
  box-sizing: border-box;
  width: clamp(15rem, 21vw, 24rem);
  padding: 10px 12px;
  overflow: auto;
  border-inline-start: 1px solid var(--gg-line);
}
#media[hidden] { display: none; }
#media header { display: flex; justify-content: space-between; align-items: center; }
#media ul { margin: 10px 0 0; padding: 0; list-style: none; }
#media figure { margin: 0 0 14px; }
#media :is(img, video) { display: block; max-width: 100%; max-height: 60dvh; border-radius: 6px; background: var(--gg-line); }
#media img { min-height: 5rem; }
#media audio { display: block; width: 100%; }
#media figcaption { display: flex; gap: 8px; justify-content: space-between; overflow-wrap: anywhere; color: var(--gg-quiet); }
#media a { color: var(--gg-strong); }
#media .gengraph-next { width: 100%; margin-top: 10px; border-color: var(--gg-strong); background: var(--gg-strong); color: var(--gg-on-strong); }
#media .gengraph-next[hidden] { display: none; }
#media .gengraph-broken { margin: 0; padding: 10px; border: 1px dashed var(--gg-line); border-radius: 6px; }
.gengraph-unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
#root .graphiql-container { width: 100%; height: 100%; }
.graphiql-container .graphiql-session-header { height: auto; align-items: flex-end; }
.graphiql-container .graphiql-tabs { flex-wrap: wrap; gap: 3px 4px; overflow: visible; padding-bottom: 0; }
.graphiql-container .graphiql-tab { transform: none !important; }
.graphiql-container .graphiql-tab .graphiql-tab-button { padding: 3px 22px 3px 8px; font-size: 0.8125rem; }
.graphiql-container .graphiql-tab .graphiql-tab-close { right: 1px; }
.graphiql-container .graphiql-logo { display: none; }
.graphiql-container #graphiql-session { min-height: 0; }
@media (max-width: 760px) {
  body { display: block; height: auto; }
  #operations { inset: 48px 8px 8px; width: auto; max-height: calc(100dvh - 56px); }
  #media { width: auto; border-inline-start: 0; border-top: 1px solid var(--gg-line); }
  #root .graphiql-container { position: relative; }
  #root .graphiql-container, .graphiql-container :is(.graphiql-main, .graphiql-sessions, #graphiql-session) { display: flex; flex-direction: column; height: auto; }
  .graphiql-container .graphiql-sidebar { flex-direction: row; width: auto; }
  .graphiql-container .graphiql-sessions { margin: 8px; }
  .graphiql-container .graphiql-horizontal-drag-bar { display: none; }
  .graphiql-container .graphiql-editors { flex: none !important; height: 62dvh; }
  .graphiql-container .graphiql-response { flex: none !important; height: 60dvh; }
  .graphiql-container .graphiql-plugin { flex: none !important; max-height: 70dvh; }
}
`;
